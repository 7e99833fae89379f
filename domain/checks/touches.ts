import { globMatches } from '../glob.js'
import { type Check, failed, passed } from './check.js'

/**
 * `touches`: every path that the job's commits change lies within one of the manifest's `touches`.
 * Takes no arguments, since both lists are known to the runner; one message for each path outside.
 */
export const touches: Check = {
  name: 'touches',
  parameters: [],
  run: ({ touches: globs, changed }) => {
    const outside = changed.filter((path) => !globs.some((glob) => globMatches(glob, path)))
    if (outside.length === 0) return passed([])
    return failed(outside.map((path) => `${JSON.stringify(path)} is outside of touches: ${globs.join(', ')}`))
  },
}

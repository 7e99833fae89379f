import type { JobStatus } from '../../projections/job/view.js'
import { colour } from '../output.js'

/** A status in its colour; the word alone says it as well. */
export const paintStatus = (status: JobStatus): string => {
  switch (status) {
    case 'accepted':
      return colour.green(status)
    case 'stopped':
      return colour.red(status)
    case 'waiting':
      return colour.yellow(status)
    case 'running':
    case 'ready':
      return colour.cyan(status)
  }
}

const good = ['passed', 'agrees']
const bad = ['failed', 'disagrees', 'died']

export const paintOutcome = (outcome: string): string => {
  if (good.includes(outcome)) return colour.green(outcome)
  return bad.includes(outcome) ? colour.red(outcome) : colour.yellow(outcome)
}

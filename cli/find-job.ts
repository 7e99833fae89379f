import { jobStream } from '../events/read-stream.js'
import type { EventStore } from '../events/store/event-store.js'
import { badUsage } from './exit.js'

/** The id of the job that a person means: an id, an unambiguous start of one, or `@last`. */
export const findJob = async (store: EventStore, given: string): Promise<string> => {
  if (given === '@last') {
    const [newest] = await idsFrom(store, '')
    if (newest === undefined) throw badUsage('there is no job yet: `docket run MANIFEST` starts one')
    return newest
  }
  if (!/^[a-z0-9][a-z0-9-]*$/.test(given)) throw badUsage(`${JSON.stringify(given)} is not the id of a job`)
  const found = await idsFrom(store, given)
  if (found.includes(given)) return given
  const [only, ...others] = found
  if (only === undefined) throw badUsage(`there is no job ${given}; \`docket list\` shows those there are`)
  if (others.length > 0) {
    const some = found.slice(0, 5).join(', ')
    throw badUsage(`${given} is the start of ${found.length} jobs (${some}${found.length > 5 ? ', …' : ''})`)
  }
  return only
}

const idsFrom = async (store: EventStore, start: string): Promise<ReadonlyArray<string>> =>
  (await store.streams(jobStream(start))).map((stream) => stream.slice(jobStream('').length))

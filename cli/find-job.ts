import { importedStream, jobStream } from '../events/read-stream.js'
import type { EventStore } from '../events/store/event-store.js'
import { badUsage } from './exit.js'

/**
 * The id of the job that a person means: an id, an unambiguous start of one, or `@last`, which is the newest that ran
 * here, or else the one that was imported last.
 */
export const findJob = async (store: EventStore, given: string): Promise<string> => {
  if (given === '@last') {
    const newest = (await own(store, ''))[0] ?? (await imported(store, ''))[0]
    if (newest === undefined) throw badUsage('there is no job yet: `docket run MANIFEST` starts one')
    return newest
  }
  if (!/^[a-z0-9][a-z0-9-]*$/.test(given)) throw badUsage(`${JSON.stringify(given)} is not the id of a job`)
  const found = [...(await own(store, given)), ...(await imported(store, given))]
  if (found.includes(given)) return given
  const [only, ...others] = found
  if (only === undefined) throw badUsage(`there is no job ${given}; \`docket list\` shows those there are`)
  if (others.length > 0) {
    const some = found.slice(0, 5).join(', ')
    throw badUsage(`${given} is the start of ${found.length} jobs (${some}${found.length > 5 ? ', …' : ''})`)
  }
  return only
}

type IdsFrom = (store: EventStore, start: string) => Promise<ReadonlyArray<string>>

const idsIn =
  (streamOf: (job: string) => string): IdsFrom =>
  async (store, start) =>
    (await store.streams(streamOf(start))).map((stream) => stream.slice(streamOf('').length))

const own = idsIn(jobStream)
const imported = idsIn(importedStream)

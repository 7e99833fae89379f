import { jobStream, readStream } from '../events/read-stream.js'
import type { Recorded } from '../events/recorded.js'
import type { EventStore } from '../events/store/event-store.js'
import { foldJob } from '../projections/job/fold.js'
import type { JobView } from '../projections/job/view.js'
import { findJob } from './find-job.js'
import { eventsUntil } from './when.js'

export type LoadedJob = { readonly view: JobView; readonly events: ReadonlyArray<Recorded> }

/** The job that a person means, as of a moment or as it is now. */
export const loadJob = async (store: EventStore, given: string, at?: string): Promise<LoadedJob> => {
  const all = await readStream(store, jobStream(await findJob(store, given)))
  const events = at === undefined ? all : eventsUntil(all, at)
  const view = foldJob(events)
  if (view === null) throw new Error(`the stream of job ${given} does not begin with a submission`)
  return { view, events }
}

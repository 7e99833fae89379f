import type { DataOf } from '../events/docket-event.js'
import { importedStream, jobStream, readStream } from '../events/read-stream.js'
import type { Recorded } from '../events/recorded.js'
import type { EventStore } from '../events/store/event-store.js'
import { eventsInRecord } from '../events/transfer/record.js'
import { foldJob } from '../projections/job/fold.js'
import type { JobView } from '../projections/job/view.js'
import { findJob } from './find-job.js'
import { note } from './output.js'
import { eventsUntil } from './when.js'

/** Where a job came from that was imported; its events have the places that they had there. */
export type Import = DataOf<'JobImported'>

export type LoadedJob = {
  readonly view: JobView
  readonly events: ReadonlyArray<Recorded>
  readonly imported: Import | null
}

/** The job that a person means, as of a moment or as it is now. One that was imported is told as such on stderr. */
export const loadJob = async (store: EventStore, given: string, at?: string): Promise<LoadedJob> => {
  const { events: all, imported } = await eventsOf(store, await findJob(store, given))
  if (imported !== null) note(tellImport(imported))
  const events = at === undefined ? all : eventsUntil(all, at)
  const view = foldJob(events)
  if (view === null) throw new Error(`the stream of job ${given} does not begin with a submission`)
  return { view, events, imported }
}

/** The import of a job, null for one that ran here. */
export const importOf = async (store: EventStore, job: string): Promise<Import | null> => {
  const [event] = await readStream(store, importedStream(job))
  return event?.type === 'JobImported' ? event.data : null
}

export const tellImport = ({ job, ledger, position }: Import): string =>
  `job ${job} was imported from ledger ${ledger}, as of its position ${position}`

const eventsOf = async (
  store: EventStore,
  job: string,
): Promise<{ readonly events: ReadonlyArray<Recorded>; readonly imported: Import | null }> => {
  const events = await readStream(store, jobStream(job))
  if (events.length > 0) return { events, imported: null }
  const imported = await importOf(store, job)
  if (imported === null) return { events, imported }
  const record = await store.getArtifact(imported.record.sha256)
  if (record === null)
    throw new Error(`the ledger does not hold the bytes ${imported.record.sha256} that it names`)
  return { events: eventsInRecord(record), imported }
}

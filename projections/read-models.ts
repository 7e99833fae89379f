import type { Json } from '../events/envelope.js'
import { jobStream } from '../events/read-stream.js'
import type { Recorded } from '../events/recorded.js'
import { evolveView } from './job/fold.js'
import type { JobView } from './job/view.js'
import type { Projection } from './read-model/projection.js'
import { type ReadModel, readModel } from './read-model/read-model.js'
import { evolveSummary, type JobSummary } from './summary.js'

const jobOf = ({ stream, correlationId }: Recorded): string | null =>
  stream === jobStream(correlationId) ? correlationId : null

/** One row a job, for lists. */
export const jobSummaries: Projection<JobSummary> = {
  name: 'job-summaries',
  version: 1,
  keyOf: jobOf,
  streamOf: jobStream,
  evolve: evolveSummary,
  // Written by this projection in this version, and by nobody else: any other is built anew.
  decode: (stored: Json) => stored as JobSummary,
}

/** Everything of a job; its brief, its prompt and its reference-check file are renderings of it. */
const jobViews: Projection<JobView> = {
  name: 'job-views',
  version: 1,
  keyOf: jobOf,
  streamOf: jobStream,
  evolve: evolveView,
  decode: (stored: Json) => stored as JobView,
}

/** Every read model of the ledger. */
export const readModels: ReadonlyArray<ReadModel> = [readModel(jobSummaries), readModel(jobViews)]

import type { Json } from '../events/envelope.js'
import { importedStream, jobStream } from '../events/read-stream.js'
import type { Recorded } from '../events/recorded.js'
import type { Projection } from './read-model/projection.js'
import { type ReadModel, readModel } from './read-model/read-model.js'
import { evolveSummary, type JobSummary } from './summary.js'

const streamsOf = (job: string): ReadonlyArray<string> => [jobStream(job), importedStream(job)]

const jobOf = ({ stream, correlationId }: Recorded): string | null =>
  stream === jobStream(correlationId) || stream === importedStream(correlationId) ? correlationId : null

/** One row a job, for lists. */
export const jobSummaries: Projection<JobSummary> = {
  name: 'job-summaries',
  version: 2,
  keyOf: jobOf,
  streamsOf,
  evolve: evolveSummary,
  // Written by this projection in this version, and by nobody else: any other is built anew.
  decode: (stored: Json) => stored as JobSummary,
}

/** Every read model of the ledger. What is asked of one job is folded from its stream, which takes milliseconds. */
export const readModels: ReadonlyArray<ReadModel> = [readModel(jobSummaries)]

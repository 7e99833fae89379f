import type { LedgerDb } from './read-model/ledger-db.js'
import { readDocuments } from './read-model/read-documents.js'
import { jobSummaries } from './read-models.js'
import type { JobSummary } from './summary.js'

/** Every job of the ledger as of its head, the newest first. */
export const listJobs = async (ledger: LedgerDb): Promise<ReadonlyArray<JobSummary>> =>
  (await readDocuments(ledger, jobSummaries))
    .map(({ doc }) => doc)
    .sort((a, b) => (a.submittedAt < b.submittedAt ? 1 : a.submittedAt > b.submittedAt ? -1 : 0))

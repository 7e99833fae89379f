import * as E from 'fp-ts/lib/Either.js'
import type { DataOf } from '../events/docket-event.js'
import { JobImported } from '../events/job-imported.js'
import type { Decider } from './handle.js'
import { refusal } from './refusal.js'

export type ImportJob = DataOf<'JobImported'>

/** Takes in a job of another ledger once; from the same record again, there is nothing to do. */
export const importJob: Decider<ImportJob | null, ImportJob> = {
  name: 'import-job',
  initial: null,
  evolve: (state, event) => (event.type === 'JobImported' ? event.data : state),
  decide: (state, command) => {
    if (state === null) return E.right([JobImported.of(command)])
    return state.record.sha256 === command.record.sha256
      ? E.right([])
      : E.left(refusal('job-exists', `job ${command.job} was imported before, from another export`))
  },
}

import type { Command } from 'commander'
import { listJobs } from '../../projections/list-jobs.js'
import { withLedger } from '../open-ledger.js'
import { colour, note, printData, printJson, safe, table } from '../output.js'
import { paintStatus } from '../render/paint.js'

type Options = { readonly json?: true; readonly jsonl?: true }

export const list = (program: Command): void => {
  program
    .command('list')
    .summary('list the jobs, the newest first')
    .option('--json', 'one JSON document: a list')
    .option('--jsonl', 'one job a line, as JSON')
    .action(({ json, jsonl }: Options) =>
      withLedger(async (store) => {
        const jobs = await listJobs({ store, db: store.db })
        if (json === true) printJson(jobs)
        else if (jsonl === true) for (const job of jobs) printData(JSON.stringify(job))
        else if (jobs.length === 0) note('there is no job yet: `docket run MANIFEST` starts one')
        else {
          const rows = jobs.map(
            ({ job, name, status, rounds, failedRounds, changedAt, why, importedFrom }) => [
              job,
              safe(name),
              paintStatus(status),
              String(rounds),
              String(failedRounds),
              changedAt.slice(0, 19).replace('T', ' '),
              colour.dim(safe(importedFrom === null ? (why ?? '') : `imported from ${importedFrom}`)),
            ],
          )
          printData(table(['job', 'name', 'status', 'rounds', 'failed', 'changed (UTC)', ''], rows))
        }
      }),
    )
}

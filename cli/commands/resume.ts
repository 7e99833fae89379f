import type { Command } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { type DriveOptions, drive } from '../drive.js'
import { findJob } from '../find-job.js'
import { withLedger } from '../open-ledger.js'

export const resume = (program: Command): void => {
  program
    .command('resume')
    .summary('go on with a job whose runner was stopped or died')
    .argument('<job>', 'its id, the start of one, or @last')
    .option('--quiet', 'no story')
    .option('--json', 'the summary as one JSON document')
    .action((given: string, options: DriveOptions) =>
      withLedger(async (store) => {
        const job = await findJob(store, given)
        await drive(store, options, () => Promise.resolve(E.right(job)))
      }),
    )
}

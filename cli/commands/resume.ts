import type { Command } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { type DriveOptions, drive } from '../drive.js'
import { CommandFailed, exits } from '../exit.js'
import { findJob } from '../find-job.js'
import { importOf, tellImport } from '../load-job.js'
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
        const imported = await importOf(store, job)
        if (imported !== null) {
          throw new CommandFailed(exits.runRefused, `${tellImport(imported)}: it can go on there alone`)
        }
        await drive(store, options, () => Promise.resolve(E.right(job)))
      }),
    )
}

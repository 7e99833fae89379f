import type { Command } from 'commander'
import { showDocument } from '../../projections/show-document.js'
import { loadJob } from '../load-job.js'
import { withLedger } from '../open-ledger.js'
import { printData, printJson } from '../output.js'
import { renderJob } from '../render/job.js'

type Options = { readonly json?: true; readonly at?: string }

export const show = (program: Command): void => {
  program
    .command('show')
    .summary('show a job: how far it came, what it spent, what was decided')
    .argument('<job>', 'its id, the start of one, or @last')
    .option('--at <when>', 'as of a position, v<version>, time, "round 2", "stage test" or -1')
    .option('--json', 'one JSON document')
    .action((job: string, { json, at }: Options) =>
      withLedger(async (store) => {
        const { view, imported } = await loadJob(store, job, at)
        if (json === true) printJson(showDocument(view, imported?.ledger))
        else printData(renderJob(view, imported?.ledger))
      }),
    )
}

import type { Command } from 'commander'
import { showDocument } from '../../projections/show-document.js'
import { loadJob } from '../load-job.js'
import { withLedger } from '../open-ledger.js'
import { colour, printData, printJson } from '../output.js'
import { renderJob } from '../render/job.js'
import { renderEvent } from '../render/story.js'

export const at = (program: Command): void => {
  program
    .command('at')
    .summary('show a job as it stood at a moment of the past')
    .argument('<job>', 'its id, the start of one, or @last')
    .argument('<when>', 'a position, v<version>, time, "round 2", "stage test", or -1 for one event back')
    .option('--json', 'one JSON document')
    // A moment may begin with a minus, which is no option here.
    .allowUnknownOption()
    .action((job: string, when: string, { json }: { readonly json?: true }) =>
      withLedger(async (store) => {
        const { view, events, imported } = await loadJob(store, job, when)
        if (json === true) printJson(showDocument(view, imported?.ledger))
        else {
          const last = events.at(-1)
          if (last !== undefined) printData(`${renderEvent(last, colour.dim)}\n`)
          printData(renderJob(view, imported?.ledger))
        }
      }),
    )
}

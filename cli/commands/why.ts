import type { Command } from 'commander'
import { why as explain } from '../../projections/why.js'
import { badUsage } from '../exit.js'
import { loadJob } from '../load-job.js'
import { withLedger } from '../open-ledger.js'
import { printData, printJson } from '../output.js'
import { renderWhy } from '../render/why.js'

type Options = { readonly json?: true; readonly at?: string }

export const why = (program: Command): void => {
  program
    .command('why')
    .summary('explain what a job was accepted on, or what stands in the way')
    .argument('<job>', 'its id, the start of one, or @last')
    .argument('[decision]', 'the id of one decision')
    .option('--at <when>', 'as of a position, v<version>, time, "round 2", "stage test" or -1')
    .option('--json', 'one JSON document')
    .action((job: string, decision: string | undefined, { json, at }: Options) =>
      withLedger(async (store) => {
        const whole = explain((await loadJob(store, job, at)).view)
        const decisions = whole.decisions.filter(({ id }) => decision === undefined || id === decision)
        if (decision !== undefined && decisions.length === 0) {
          const there = whole.decisions.map(({ id }) => id).join(', ') || 'none'
          throw badUsage(`the job has no decision ${decision}; there are: ${there}`)
        }
        const told = decision === undefined ? whole : { ...whole, stages: [], decisions }
        if (json === true) printJson(told)
        else printData(renderWhy(told))
      }),
    )
}

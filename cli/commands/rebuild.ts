import type { Command } from 'commander'
import { readModels } from '../../projections/read-models.js'
import { duration } from '../../projections/text.js'
import { withLedger } from '../open-ledger.js'
import { note, printData, printJson, table } from '../output.js'
import { showProgress } from '../progress.js'

export const rebuild = (program: Command): void => {
  program
    .command('rebuild')
    .summary('build every read model anew from the events, beside the ones in use')
    .option('--json', 'one JSON document')
    .action(({ json }: { readonly json?: true }) =>
      withLedger(async (store) => {
        const { position } = await store.head()
        const built: Array<{ readonly name: string; readonly events: number; readonly ms: number }> = []
        for (const model of readModels) {
          const began = performance.now()
          const progress = showProgress(`rebuilding ${model.name}`, position)
          const events = await model.rebuild({ store, db: store.db }, progress.at).finally(progress.done)
          built.push({ name: model.name, events, ms: Math.round(performance.now() - began) })
        }
        if (json === true) printJson(built)
        else {
          const rows = built.map(({ name, events, ms }) => [name, String(events), duration(ms)])
          printData(table(['read model', 'events', 'took'], rows))
          note('the new ones are in use')
        }
      }),
    )
}

import type { Command } from 'commander'
import { renderHead } from '../../events/store/kept-head.js'
import { withLedger } from '../open-ledger.js'
import { printData, printJson } from '../output.js'

export const head = (program: Command): void => {
  program
    .command('head')
    .summary('print the head of the ledger, to keep where its writer cannot reach it')
    .option('--json', 'one JSON document')
    .action(({ json }: { readonly json?: true }) =>
      withLedger(async (store) => {
        const found = await store.head()
        if (json === true) printJson(found)
        else printData(renderHead(found))
      }),
    )
}

import type { Command } from 'commander'
import type { Difference } from '../../events/store/verify-chain.js'
import { verifyLedger } from '../../projections/verify-ledger.js'
import { exits } from '../exit.js'
import { withLedger } from '../open-ledger.js'
import { colour, printData, printJson } from '../output.js'
import { showProgress } from '../progress.js'

export const verify = (program: Command): void => {
  program
    .command('verify')
    .summary('recompute every hash, read every event, and derive every read model and verdict again')
    .option('--json', 'one JSON document')
    .action(({ json }: { readonly json?: true }) =>
      withLedger(async (store) => {
        const { position, hash, ledger } = await store.head()
        const progress = showProgress('verifying', position)
        const verified = await verifyLedger({ store, db: store.db }, progress.at).finally(progress.done)
        const { differences } = verified
        if (json === true) printJson({ ledger, position, hash, ...verified })
        else {
          printData(
            [
              `${verified.events} events up to position ${position}, head ${hash}`,
              ...differences.slice(0, mostTold).map(tellDifference),
              ...(differences.length > mostTold ? ['and more: --json lists them all'] : []),
              differences.length === 0
                ? colour.green('nothing differs')
                : `${differences.length} differences`,
            ].join('\n'),
          )
        }
        if (differences.length > 0) process.exitCode = exits.no
      }),
    )
}

const mostTold = 50

const tellDifference = ({ position, what }: Difference): string =>
  `${colour.red(`position ${position}`)}: ${what}`

import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import type { Difference } from '../../events/chain.js'
import type { Head } from '../../events/store/event-store.js'
import { compareWithHead, parseHead } from '../../events/store/kept-head.js'
import { verifyLedger } from '../../projections/verify-ledger.js'
import { badUsage, exits } from '../exit.js'
import { withLedger } from '../open-ledger.js'
import { colour, printData, printJson } from '../output.js'
import { showProgress } from '../progress.js'

export const verify = (program: Command): void => {
  program
    .command('verify')
    .summary('recompute every hash, read every event, and derive every read model and verdict again')
    .option(
      '--against <head>',
      'a line that docket head printed, or a file that holds it: find a rewritten ledger',
    )
    .option('--json', 'one JSON document')
    .action(({ json, against }: { readonly json?: true; readonly against?: string }) =>
      withLedger(async (store) => {
        const kept = against === undefined ? null : await keptHead(against)
        const { position, hash, ledger } = await store.head()
        const progress = showProgress('verifying', position)
        const verified = await verifyLedger({ store, db: store.db }, (at) =>
          progress.at('the ledger', at),
        ).finally(progress.done)
        const differences = [
          ...(kept === null ? [] : await compareWithHead(store.db, kept)),
          ...verified.differences,
        ]
        if (json === true) printJson({ ledger, position, hash, against: kept, ...verified, differences })
        else {
          printData(
            [
              `${verified.events} events up to position ${position}, head ${hash}`,
              ...differences.slice(0, mostTold).map(tellDifference),
              ...(differences.length > mostTold
                ? [`and ${differences.length - mostTold} more: --json lists them all`]
                : []),
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

const keptHead = async (given: string): Promise<Head> => {
  const line = given.startsWith('docket-head ') ? given : await readFile(given, 'utf8').catch(() => null)
  if (line === null) throw badUsage(`there is no file ${given} with a head`)
  const head = parseHead(line)
  if (E.isLeft(head)) throw badUsage(`${given} cannot be compared with: ${head.left}`)
  return head.right
}

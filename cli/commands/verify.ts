import type { Command } from 'commander'
import type { Difference } from '../../events/chain.js'
import { compareWithHead } from '../../events/store/kept-head.js'
import { verifyLedger } from '../../projections/verify-ledger.js'
import { badUsage, exits } from '../exit.js'
import { keptHead } from '../kept-head.js'
import { withLedger } from '../open-ledger.js'
import { colour, printData, printJson, safe } from '../output.js'
import { showProgress } from '../progress.js'
import { verifyFile } from '../verify-file.js'

type Options = { readonly json?: true; readonly against?: string; readonly export?: string }

export const verify = (program: Command): void => {
  program
    .command('verify')
    .summary('recompute every hash, read every event, and derive every read model and verdict again')
    .option(
      '--against <head>',
      'a line that docket head printed, or a file that holds it: find a rewritten ledger',
    )
    .option('--export <file>', 'an export instead of the ledger, by itself and without a database')
    .option('--json', 'one JSON document')
    .action(async ({ json, against, export: file }: Options) => {
      if (file === '') throw badUsage('--export needs the name of a file')
      const kept = against === undefined ? null : await keptHead(against)
      const told = file === undefined ? await verifyOpened(kept) : await verifyFile(file, kept)
      const { summary, differences, ...document } = told
      if (json === true) printJson({ ...document, against: kept, differences })
      else printData([summary, ...tellDifferences(differences)].join('\n'))
      if (differences.length > 0) process.exitCode = exits.no
    })
}

const verifyOpened = (kept: Awaited<ReturnType<typeof keptHead>> | null) =>
  withLedger(async (store) => {
    const { position, hash, ledger } = await store.head()
    const progress = showProgress('verifying', position)
    const verified = await verifyLedger({ store, db: store.db }, (at) =>
      progress.at('the ledger', at),
    ).finally(progress.done)
    const differences = [
      ...(kept === null ? [] : await compareWithHead(store.db, kept)),
      ...verified.differences,
    ]
    const summary = `${verified.events} events up to position ${position}, head ${hash}`
    return { summary, ledger, position, hash, events: verified.events, differences }
  })

const mostTold = 50

const tellDifferences = (differences: ReadonlyArray<Difference>): ReadonlyArray<string> => [
  ...differences
    .slice(0, mostTold)
    .map(({ position, what }) => `${colour.red(`position ${position}`)}: ${safe(what)}`),
  ...(differences.length > mostTold
    ? [`and ${differences.length - mostTold} more: --json lists them all`]
    : []),
  differences.length === 0 ? colour.green('nothing differs') : `${differences.length} differences`,
]

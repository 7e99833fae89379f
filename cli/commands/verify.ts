import type { Command } from 'commander'
import type { Difference } from '../../events/chain.js'
import type { Head } from '../../events/store/event-store.js'
import { compareWithHead } from '../../events/store/kept-head.js'
import { verifyJob } from '../../projections/verify-job.js'
import { verifyLedger } from '../../projections/verify-ledger.js'
import { badUsage, exits } from '../exit.js'
import { findJob } from '../find-job.js'
import { keptHead } from '../kept-head.js'
import { importOf, tellImport } from '../load-job.js'
import { withLedger } from '../open-ledger.js'
import { colour, printData, printJson, safe } from '../output.js'
import { showProgress } from '../progress.js'
import { compareExport, verifyFile } from '../verify-file.js'

type Options = { readonly json?: true; readonly against?: string; readonly export?: string }

export const verify = (program: Command): void => {
  program
    .command('verify')
    .summary('recompute every hash, read every event, and derive every read model and verdict again')
    .argument('[job]', 'one job alone, and the links from it to the head: its id, the start of one, or @last')
    .option(
      '--against <head>',
      'a line that docket head printed, or a file that holds it: find a rewritten ledger',
    )
    .option('--export <file>', 'an export instead of the ledger, by itself and without a database')
    .option('--json', 'one JSON document')
    .action(async (job: string | undefined, { json, against, export: file }: Options) => {
      if (file === '') throw badUsage('--export needs the name of a file')
      if (file !== undefined && job !== undefined)
        throw badUsage('give a job of the ledger or --export, not both')
      const kept = against === undefined ? null : await keptHead(against)
      const told = await verifyWhat(kept, job, file)
      const { summary, differences, ...document } = told
      if (json === true) printJson({ ...document, against: kept, differences })
      else printData([summary, ...tellDifferences(differences)].join('\n'))
      if (differences.length > 0) process.exitCode = exits.no
    })
}

const verifyWhat = (kept: Head | null, job: string | undefined, file: string | undefined) => {
  if (file !== undefined) return verifyFile(file, kept)
  return job === undefined ? verifyOpened(kept) : verifyOne(job, kept)
}

const verifyOne = (given: string, kept: Head | null) =>
  withLedger(async (store) => {
    const job = await findJob(store, given)
    const imported = await importOf(store, job)
    if (imported !== null) throw badUsage(`${tellImport(imported)}: its record is verified with the ledger`)
    const { ledger } = await store.head()
    const verified = await verifyJob(store, job, kept?.position)
    const { events, artifacts, position, hash } = verified
    const header = { ledger, position, proof: true }
    const differences = [
      ...(kept === null ? [] : compareExport({ header, linkThere: verified.linkThere }, kept)),
      ...verified.differences,
    ]
    const summary = `job ${job}: ${events} events and ${artifacts} artifacts, linked to position ${position}, head ${hash}`
    return { summary, ledger, job, position, hash, events, artifacts, differences }
  })

const verifyOpened = (kept: Head | null) =>
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

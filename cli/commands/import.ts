import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import type { Command } from 'commander'
import { BadExport } from '../../events/transfer/bad-export.js'
import { importLedger } from '../../events/transfer/import-ledger.js'
import { headerOf, importJobFrom } from '../import-job.js'
import { withLedger } from '../open-ledger.js'
import { printData, printJson } from '../output.js'
import { showProgress } from '../progress.js'

export const importCommand = (program: Command): void => {
  program
    .command('import')
    .summary('make an empty ledger the one of an export, or take in a job of another ledger')
    .argument('<file>', 'what docket export wrote')
    .option('--json', 'one JSON document')
    .action(async (path: string, { json }: { readonly json?: true }) => {
      const { job, position } = await told(path, () => headerOf(path))
      const done = await withLedger(
        (store) =>
          told(path, async () => {
            if (job !== null) return importJobFrom(store, path)
            const input: Readable = createReadStream(path)
            const progress = showProgress('importing', position)
            try {
              return await importLedger(store.db, input, (at) => progress.at('the ledger', at))
            } finally {
              progress.done()
              input.destroy()
            }
          }),
        { make: true },
      )
      if (json === true) printJson(done)
      else if ('job' in done) {
        printData(`${done.job} imported from ledger ${done.ledger}: docket show ${done.job}`)
      } else {
        const what = `${done.events} events and ${done.artifacts} artifacts`
        printData(`imported ledger ${done.ledger}: ${what}, at position ${done.position}, head ${done.hash}`)
      }
    })
}

/** Says which file it is that is wrong, and that nothing came of it. */
const told = async <A>(path: string, act: () => Promise<A>): Promise<A> => {
  try {
    return await act()
  } catch (cause) {
    if (cause instanceof BadExport) {
      throw new BadExport(`${path} is not imported, and nothing is changed: ${cause.message}`, { cause })
    }
    throw cause
  }
}

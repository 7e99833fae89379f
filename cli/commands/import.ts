import { createReadStream } from 'node:fs'
import type { Command } from 'commander'
import { BadExport } from '../../events/transfer/bad-export.js'
import { type Imported, importLedger } from '../../events/transfer/import-ledger.js'
import { headerOf, importJobFrom } from '../import-job.js'
import type { Import } from '../load-job.js'
import { withLedger } from '../open-ledger.js'
import { printData, printJson } from '../output.js'
import { showProgress } from '../progress.js'
import { withRegularFile } from '../regular-file.js'

export const importCommand = (program: Command): void => {
  program
    .command('import')
    .summary('make an empty ledger the one of an export, or take in a job of another ledger')
    .argument('<file>', 'what docket export wrote; - is the standard input')
    .option('--json', 'one JSON document')
    .action(async (given: string, { json }: { readonly json?: true }) => {
      const done = await told(given, () => withRegularFile(given, importFrom))
      if (json === true) printJson(done)
      else if ('job' in done) {
        printData(`${done.job} imported from ledger ${done.ledger}: docket show ${done.job}`)
      } else {
        const what = `${done.events} events and ${done.artifacts} artifacts`
        printData(`imported ledger ${done.ledger}: ${what}, at position ${done.position}, head ${done.hash}`)
      }
    })
}

const importFrom = async (path: string): Promise<Imported | Import> => {
  const { job, position } = await headerOf(path)
  return withLedger(
    async (store) => {
      if (job !== null) return importJobFrom(store, path)
      const input = createReadStream(path)
      const progress = showProgress('importing', position)
      try {
        return await importLedger(store.db, input, (at) => progress.at('the ledger', at))
      } finally {
        progress.done()
        input.destroy()
      }
    },
    { make: true },
  )
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

import type { Command } from 'commander'
import { exportJob } from '../../events/transfer/export-job.js'
import { type Exported, exportLedger } from '../../events/transfer/export-ledger.js'
import { artifactsNamed } from '../../projections/verify-artifacts.js'
import { CommandFailed, exits } from '../exit.js'
import { loadJob, tellImport } from '../load-job.js'
import { withLedger } from '../open-ledger.js'
import { note } from '../output.js'
import { type LineSink, toFile, toStdout } from '../write-lines.js'

type Options = { readonly out?: string; readonly proof: boolean }

export const exportCommand = (program: Command): void => {
  program
    .command('export')
    .summary('write the whole ledger, or one job that can be verified by itself, as lines of JSON')
    .argument('[job]', 'one job alone: its id, the start of one, or @last')
    .option('-o, --out <file>', 'write to a file, which is there whole or not at all')
    .option('--no-proof', 'of a job: without the links that lead to the head, 110 bytes for each later event')
    .action((job: string | undefined, { out, proof }: Options) =>
      withLedger(async (store) => {
        const sink = out === undefined ? toStdout() : await toFile(out)
        try {
          const exported =
            job === undefined
              ? await exportLedger(store.db, sink.write)
              : await exportOne(store, job, proof, sink)
          await sink.close()
          const what = `${exported.events} events and ${exported.artifacts} artifacts`
          note(`exported ${what}, at position ${exported.position}, head ${exported.hash}`)
        } catch (cause) {
          await sink.abandon()
          throw cause
        }
      }),
    )
}

const exportOne = async (
  store: Parameters<Parameters<typeof withLedger>[0]>[0],
  given: string,
  proof: boolean,
  sink: LineSink,
): Promise<Exported> => {
  const { view, events, imported } = await loadJob(store, given)
  if (imported !== null) {
    throw new CommandFailed(exits.refused, `${tellImport(imported)}: export it there`)
  }
  const named = artifactsNamed()
  for (const event of events) named.take(event)
  const artifacts = named.all().keys()
  const exported = await exportJob(store.db, { job: view.job, proof, artifacts }, sink.write)
  if (exported === null) throw new Error(`job ${view.job} has no events`)
  return exported
}

import type { Command } from 'commander'
import { readModels } from '../../projections/read-models.js'
import { type Rebuilt, rebuildAll } from '../../projections/rebuild-all.js'
import { duration } from '../../projections/text.js'
import { CommandFailed, exits } from '../exit.js'
import { withLedger } from '../open-ledger.js'
import { note, printData, printJson, table } from '../output.js'
import { showProgress } from '../progress.js'

type Built = {
  readonly name: string
  readonly events: number | null
  readonly ms: number
  /** Why the old one stays in use. */
  readonly error: string | null
}

export const rebuild = (program: Command): void => {
  program
    .command('rebuild')
    .summary('build every read model anew from the events, beside the ones in use')
    .option('--json', 'one JSON document')
    .action(async ({ json }: { readonly json?: true }) => {
      const built = await withLedger(async (store) => {
        const { position } = await store.head()
        const progress = showProgress('rebuilding', position)
        const all: Array<Built> = []
        let began = performance.now()
        try {
          for await (const one of rebuildAll({ store, db: store.db }, readModels, progress.at)) {
            const now = performance.now()
            all.push(builtOf(one, Math.round(now - began)))
            began = now
          }
        } finally {
          progress.done()
        }
        return all
      })
      if (json === true) printJson(built)
      else printData(table(['read model', 'events', 'took', 'events/s'], built.map(rowOf)))
      const failed = built.flatMap(({ name, error }) => (error === null ? [] : [`${name}: ${error}`]))
      if (failed.length > 0) {
        throw new CommandFailed(exits.missing, [...failed, 'what was there before stays in use'].join('\n'))
      }
      note('the new ones are in use')
    })
}

const builtOf = (one: Rebuilt, ms: number): Built =>
  'position' in one
    ? { name: one.name, events: one.position, ms, error: null }
    : { name: one.name, events: null, ms, error: one.unreadable.message }

const rowOf = ({ name, events, ms }: Built): ReadonlyArray<string> => [
  name,
  events === null ? 'failed' : String(events),
  duration(ms),
  events === null ? '' : String(Math.round(events / (Math.max(1, ms) / 1000))),
]

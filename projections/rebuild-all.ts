import { UnreadableLedger } from '../events/read-stream.js'
import type { LedgerDb } from './read-model/ledger-db.js'
import type { ReadModel } from './read-model/read-model.js'

/** What became of one read model: how far the new one goes, or why the old one stays in use. */
export type Rebuilt = { readonly name: string } & (
  | { readonly position: number }
  | { readonly unreadable: UnreadableLedger }
)

/** Builds read models anew, one after the other; one that meets an event that it cannot read does not stop the others. */
export async function* rebuildAll(
  ledger: LedgerDb,
  models: ReadonlyArray<ReadModel>,
  onProgress: (name: string, position: number) => void,
): AsyncGenerator<Rebuilt> {
  for (const model of models) {
    const { name } = model
    try {
      yield { name, position: await model.rebuild(ledger, (position) => onProgress(name, position)) }
    } catch (cause) {
      if (!(cause instanceof UnreadableLedger)) throw cause
      yield { name, unreadable: cause }
    }
  }
}

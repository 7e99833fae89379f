import { answered } from '../../events/store/connect.js'
import { catchUp } from './catch-up.js'
import type { LedgerDb } from './ledger-db.js'
import type { Projection } from './projection.js'

type StoredDocument = { readonly key: string; readonly body: Buffer }

/** The documents of a read model as they are stored, by key, and the position up to which they were folded. */
export type Generation = { readonly position: number; readonly documents: ReadonlyArray<StoredDocument> }

/** The generation in use, at least as far as the head was when this began. */
export const readGeneration = <Doc>(ledger: LedgerDb, projection: Projection<Doc>): Promise<Generation> =>
  answered(() => read(ledger, projection))

const read = async <Doc>(ledger: LedgerDb, projection: Projection<Doc>): Promise<Generation> => {
  const { position: head } = await ledger.store.head()
  for (let before = -1; ; ) {
    await catchUp(ledger, projection, head)
    const generation = await inUse(ledger.db, projection.name)
    // A rebuild that was swapped in meanwhile may lag behind the one before it; a ledger without its tail always does.
    if (generation.position >= head || generation.position === before) return generation
    before = generation.position
  }
}

/** One statement, so that a rebuild that swaps meanwhile is seen before or after and never in between. */
const inUse = async (db: LedgerDb['db'], name: string): Promise<Generation> => {
  const rows = await db
    .selectFrom('projections')
    .leftJoin('projection_rows', (join) =>
      join
        .onRef('projections.name', '=', 'projection_rows.projection')
        .onRef('projections.generation', '=', 'projection_rows.generation'),
    )
    .select(['projections.position', 'projection_rows.key', 'projection_rows.body'])
    .where('projections.name', '=', name)
    .orderBy('key')
    .execute()
  return {
    position: Number(rows[0]?.position ?? 0),
    documents: rows.flatMap(({ key, body }) => (key === null || body === null ? [] : [{ key, body }])),
  }
}

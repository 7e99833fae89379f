import type { Recorded } from '../../events/recorded.js'
import { canonicalBytes } from '../../events/store/canonical.js'
import type { LedgerDb } from './ledger-db.js'
import type { Projection } from './projection.js'

/** The documents of a generation while events are folded into them. */
export type Documents = {
  /** Reads the documents that it needs and has not; none is written yet. */
  fold(events: ReadonlyArray<Recorded>): Promise<void>
  /** Writes those that were folded into, and forgets them. */
  save(): Promise<void>
}

/**
 * Within a transaction, everything goes over its one connection: who holds one and waits for another waits for
 * ever once as many do so as there are.
 */
export const openDocuments = <Doc>(
  db: LedgerDb['db'],
  projection: Projection<Doc>,
  generation: number,
): Documents => {
  const docs = new Map<string, Doc | null>()
  return {
    fold: async (events) => {
      const keys = events.map(projection.keyOf)
      const missing = new Set(keys.filter((key) => key !== null && !docs.has(key)) as ReadonlyArray<string>)
      for (const [key, doc] of await load(db, projection, generation, [...missing])) docs.set(key, doc)
      for (const [place, event] of events.entries()) {
        const key = keys[place] ?? null
        if (key !== null) docs.set(key, projection.evolve(docs.get(key) ?? null, event))
      }
    },
    save: async () => {
      const changed = [...docs].flatMap(([key, doc]) => (doc === null ? [] : [{ key, doc }]))
      for (let at = 0; at < changed.length; at += rowsAtOnce) {
        await save(db, projection, generation, changed.slice(at, at + rowsAtOnce))
      }
      docs.clear()
    },
  }
}

/** Four parameters each, and a statement takes 65,535. */
const rowsAtOnce = 500

const load = async <Doc>(
  db: LedgerDb['db'],
  { name, decode }: Projection<Doc>,
  generation: number,
  keys: ReadonlyArray<string>,
): Promise<ReadonlyArray<readonly [string, Doc]>> => {
  if (keys.length === 0) return []
  const rows = await db
    .selectFrom('projection_rows')
    .select(['key', 'body'])
    .where('projection', '=', name)
    .where('generation', '=', String(generation))
    .where('key', 'in', keys)
    .execute()
  return rows.map(({ key, body }) => [key, decode(JSON.parse(body.toString('utf8')))])
}

const save = async <Doc>(
  db: LedgerDb['db'],
  { name }: Projection<Doc>,
  generation: number,
  changed: ReadonlyArray<{ readonly key: string; readonly doc: Doc }>,
): Promise<void> => {
  const rows = changed.map(({ key, doc }) => ({
    projection: name,
    generation,
    key,
    body: canonicalBytes(doc),
  }))
  await db
    .insertInto('projection_rows')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['projection', 'generation', 'key'])
        .doUpdateSet(({ ref }) => ({ body: ref('excluded.body') })),
    )
    .execute()
}

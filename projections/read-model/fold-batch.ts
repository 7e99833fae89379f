import { decodeOrThrow } from '../../events/read-stream.js'
import { canonicalBytes } from '../../events/store/canonical.js'
import { readLedger } from '../../events/store/read-ledger.js'
import type { LedgerDb } from './ledger-db.js'
import type { Projection } from './projection.js'

/** How many events are folded between two writes. */
const batchSize = 1000

/**
 * Folds the next events after a position into the rows of a generation, and returns the position that it
 * came to; the same position means that there are none. Throws `UnreadableLedger` at an event that
 * cannot be read, with nothing of the batch written.
 *
 * Everything goes over one connection: who holds one in a transaction and waits for another waits for ever
 * once as many do so as there are.
 */
export const foldBatch = async <Doc>(
  db: LedgerDb['db'],
  projection: Projection<Doc>,
  generation: number,
  after: number,
): Promise<number> => {
  const events = (await readLedger(db, after, batchSize)).map(decodeOrThrow)
  const last = events.at(-1)
  if (last === undefined) return after
  const keys = new Set(events.flatMap((event) => projection.keyOf(event) ?? []))
  const docs = await load(db, projection, generation, [...keys])
  for (const event of events) {
    const key = projection.keyOf(event)
    if (key !== null) docs.set(key, projection.evolve(docs.get(key) ?? null, event))
  }
  await save(db, projection, generation, docs)
  return last.position
}

const load = async <Doc>(
  db: LedgerDb['db'],
  { name, decode }: Projection<Doc>,
  generation: number,
  keys: ReadonlyArray<string>,
): Promise<Map<string, Doc | null>> => {
  if (keys.length === 0) return new Map()
  const rows = await db
    .selectFrom('projection_rows')
    .select(['key', 'body'])
    .where('projection', '=', name)
    .where('generation', '=', String(generation))
    .where('key', 'in', keys)
    .execute()
  return new Map(rows.map(({ key, body }) => [key, decode(JSON.parse(body.toString('utf8')))]))
}

const save = async <Doc>(
  db: LedgerDb['db'],
  { name }: Projection<Doc>,
  generation: number,
  docs: ReadonlyMap<string, Doc | null>,
): Promise<void> => {
  const rows = [...docs].flatMap(([key, doc]) =>
    doc === null ? [] : [{ projection: name, generation, key, body: canonicalBytes(doc) }],
  )
  if (rows.length === 0) return
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

import { sql } from 'kysely'
import { answered } from '../../events/store/connect.js'
import { foldBatch } from './fold-batch.js'
import type { LedgerDb } from './ledger-db.js'
import type { Projection } from './projection.js'

/**
 * Builds a read model anew: fills a generation beside the one in use, then catches up and swaps the
 * pointer in one transaction that holds the projection's lock, and drops the old rows. Until then readers
 * see the old one, and they keep it when an event cannot be read. Returns the position that it came to.
 */
export const rebuild = <Doc>(
  { db }: Pick<LedgerDb, 'db'>,
  projection: Projection<Doc>,
  onProgress: (position: number) => void = () => {},
): Promise<number> => answered(() => build(db, projection, onProgress))

const build = async <Doc>(
  db: LedgerDb['db'],
  projection: Projection<Doc>,
  onProgress: (position: number) => void,
): Promise<number> => {
  const generation = await freshGeneration(db, projection.name)
  let reached = 0
  try {
    for (;;) {
      const next = await foldBatch(db, projection, generation, reached)
      onProgress(next)
      if (next === reached) break
      reached = next
    }
    await db.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${projection.name}, 1))`.execute(transaction)
      for (let next = -1; next !== reached; ) {
        next = reached
        reached = await foldBatch(transaction, projection, generation, reached)
      }
      const current = await transaction
        .selectFrom('projections')
        .selectAll()
        .where('name', '=', projection.name)
        .forUpdate()
        .executeTakeFirst()
      // Another rebuild that began later has been swapped in meanwhile, and has dropped the rows of this one.
      if (current !== undefined && Number(current.generation) > generation) {
        await dropGeneration(transaction, projection.name, generation)
        return
      }
      const pointer = { version: projection.version, generation, position: reached }
      await transaction
        .insertInto('projections')
        .values({ name: projection.name, ...pointer })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(pointer))
        .execute()
      await dropOlder(transaction, projection.name, generation)
    })
  } catch (cause) {
    await dropGeneration(db, projection.name, generation).catch(() => {})
    throw cause
  }
  return reached
}

/** A number that no other rebuild has: the clock of the database in microseconds, unless that was set back. */
const freshGeneration = async (db: LedgerDb['db'], name: string): Promise<number> => {
  const { rows } = await sql<{ readonly fresh: string }>`
    select greatest(
      (extract(epoch from clock_timestamp()) * 1000000)::bigint,
      (select generation + 1 from projections where name = ${name})
    ) as fresh`.execute(db)
  return Number(rows[0]?.fresh)
}

const dropOlder = async (db: LedgerDb['db'], name: string, generation: number): Promise<void> => {
  await db
    .deleteFrom('projection_rows')
    .where('projection', '=', name)
    .where('generation', '<', String(generation))
    .execute()
}

const dropGeneration = async (db: LedgerDb['db'], name: string, generation: number): Promise<void> => {
  await db
    .deleteFrom('projection_rows')
    .where('projection', '=', name)
    .where('generation', '=', String(generation))
    .execute()
}

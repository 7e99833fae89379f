import { sql } from 'kysely'
import { answered } from '../../events/store/connect.js'
import { decodedEvents } from './decoded-events.js'
import { openDocuments } from './documents.js'
import type { LedgerDb } from './ledger-db.js'
import type { Projection } from './projection.js'

/**
 * Builds a read model anew: fills a generation beside the one in use while appends go on, then swaps the pointer
 * and drops the old rows in one short transaction that holds the projection's lock. Until then readers see the old
 * one, and they keep it when an event cannot be read. Returns the position that it came to; whoever reads it
 * next folds what was appended since.
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
  try {
    const reached = await fill(db, projection, generation, onProgress)
    await swap(db, projection, generation, reached)
    return reached
  } catch (cause) {
    await dropGeneration(db, projection.name, generation).catch(() => {})
    throw cause
  }
}

/** How many batches are folded between two writes: most events of a job lie close together. */
const batchesBetweenWrites = 16

const fill = async <Doc>(
  db: LedgerDb['db'],
  projection: Projection<Doc>,
  generation: number,
  onProgress: (position: number) => void,
): Promise<number> => {
  const documents = openDocuments(db, projection, generation)
  let reached = 0
  let batches = 0
  for await (const events of decodedEvents(db, 0)) {
    await documents.fold(events)
    reached = events.at(-1)?.position ?? reached
    batches += 1
    if (batches % batchesBetweenWrites === 0) await documents.save()
    onProgress(reached)
  }
  await documents.save()
  return reached
}

const swap = <Doc>(
  db: LedgerDb['db'],
  { name, version }: Projection<Doc>,
  generation: number,
  position: number,
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(current_schema() || ' ' || ${name}, 1))`.execute(
      transaction,
    )
    const current = await transaction
      .selectFrom('projections')
      .selectAll()
      .where('name', '=', name)
      .forUpdate()
      .executeTakeFirst()
    // Another rebuild that began later has been swapped in meanwhile, and has dropped the rows of this one.
    if (current !== undefined && Number(current.generation) > generation) {
      await dropGeneration(transaction, name, generation)
      return
    }
    const pointer = { version, generation, position }
    await transaction
      .insertInto('projections')
      .values({ name, ...pointer })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(pointer))
      .execute()
    await dropOlder(transaction, name, generation)
  })

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

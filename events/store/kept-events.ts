import type { Kysely } from 'kysely'
import type { KeptEvent } from '../chain.js'
import { keptRows } from './event-rows.js'
import { integer, keptFromRow } from './rows.js'
import type { Tables } from './tables.js'

/** How many positions are asked for at once. */
const step = 1000

/**
 * Every event of the ledger up to a position, in order and some at a time, as it is kept. While some are looked at,
 * the next are on their way.
 */
export async function* keptEvents(
  db: Kysely<Tables>,
  until: number,
): AsyncGenerator<ReadonlyArray<KeptEvent>> {
  let from = 1
  let next = between(db, from, Math.min(from + step - 1, until))
  while (from <= until) {
    const events = await next
    // Nothing among so many positions: they were deleted, and there may be no end of them.
    from = events.length > 0 ? from + step : await firstFrom(db, from + step)
    next = between(db, from, Math.min(from + step - 1, until))
    // Who looks may throw, and nobody waits for this one then.
    next.catch(() => {})
    if (events.length > 0) yield events
  }
  await next
}

const between = async (db: Kysely<Tables>, from: number, to: number): Promise<ReadonlyArray<KeptEvent>> => {
  if (from > to) return []
  const rows = await keptRows(db, (events) =>
    events.where('position', '>=', String(from)).where('position', '<=', String(to)).orderBy('position'),
  )
  return rows.map(keptFromRow)
}

/** The first position from one on that has an event; beyond all of them when none has. */
const firstFrom = async (db: Kysely<Tables>, from: number): Promise<number> => {
  const { position } = await db
    .selectFrom('events')
    .select(({ fn }) => fn.min('position').as('position'))
    .where('position', '>=', String(from))
    .executeTakeFirstOrThrow()
  return position === null ? Number.MAX_SAFE_INTEGER : integer(position)
}

import type { Kysely } from 'kysely'
import type { RecordedEvent } from '../envelope.js'
import { eventFromRow } from './rows.js'
import type { Tables } from './tables.js'

/** Events of the whole ledger after a position, oldest first; within a transaction, on its own connection. */
export const readLedger = async (
  db: Kysely<Tables>,
  after: number,
  limit: number,
): Promise<ReadonlyArray<RecordedEvent>> => {
  const rows = await db
    .selectFrom('events')
    .selectAll()
    .where('position', '>', String(after))
    .orderBy('position')
    .limit(limit)
    .execute()
  return rows.map(eventFromRow)
}

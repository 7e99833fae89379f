import type { Kysely } from 'kysely'
import type { RecordedEvent } from '../envelope.js'
import { eventRows } from './event-rows.js'
import { eventFromRow } from './rows.js'
import type { Tables } from './tables.js'

/** Events of the whole ledger after a position, oldest first; not within a transaction. */
export const readLedger = async (
  db: Kysely<Tables>,
  after: number,
  limit: number,
): Promise<ReadonlyArray<RecordedEvent>> => {
  const rows = await eventRows(db, (events) =>
    events.where('position', '>', String(after)).orderBy('position').limit(limit),
  )
  return rows.map(eventFromRow)
}

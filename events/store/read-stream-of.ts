import type { Kysely } from 'kysely'
import type { RecordedEvent } from '../envelope.js'
import { type EventRow, eventRows } from './event-rows.js'
import { eventFromRow } from './rows.js'
import type { Tables } from './tables.js'

/** How many versions are read at once. */
const step = 1000

/**
 * The events of a stream, oldest first, up to a position of the ledger if one is given. Of a long one, the database
 * finds the next while the last are decoded. By ranges of versions, since a limit would make it sort all that follow.
 */
export const readStreamOf = async (
  db: Kysely<Tables>,
  stream: string,
  upTo: number | undefined,
): Promise<ReadonlyArray<RecordedEvent>> => {
  const from = (version: number): Promise<ReadonlyArray<EventRow>> =>
    eventRows(db, (events) => {
      const some = events
        .where('stream', '=', stream)
        .where('version', '>=', String(version))
        .where('version', '<', String(version + step))
      return (upTo === undefined ? some : some.where('position', '<=', String(upTo))).orderBy('version')
    })
  const all: Array<RecordedEvent> = []
  let rows = await from(1)
  for (let version = 1 + step; rows.at(-1)?.version === String(version - 1); version += step) {
    const next = from(version)
    // What was changed to no event throws, and nobody waits for these then.
    next.catch(() => {})
    for (const row of rows) all.push(eventFromRow(row))
    rows = await next
  }
  for (const row of rows) all.push(eventFromRow(row))
  return all
}

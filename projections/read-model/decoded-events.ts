import { decodeOrThrow } from '../../events/read-stream.js'
import type { Recorded } from '../../events/recorded.js'
import { readLedger } from '../../events/store/read-ledger.js'
import type { LedgerDb } from './ledger-db.js'

/** How many events are read at once. */
const batchSize = 1000

/** The next events after a position, none when there are none. Throws `UnreadableLedger` at one that cannot be read. */
export const decodedAfter = async (db: LedgerDb['db'], after: number): Promise<ReadonlyArray<Recorded>> =>
  (await readLedger(db, after, batchSize)).map(decodeOrThrow)

/** Every event after a position, some at a time; while some are folded, the next are on their way. */
export async function* decodedEvents(
  db: LedgerDb['db'],
  after: number,
): AsyncGenerator<ReadonlyArray<Recorded>> {
  let next = readLedger(db, after, batchSize)
  for (;;) {
    const rows = await next
    const last = rows.at(-1)
    if (last === undefined) return
    next = readLedger(db, last.position, batchSize)
    // Who folds may throw, and nobody waits for this one then.
    next.catch(() => {})
    yield rows.map(decodeOrThrow)
  }
}

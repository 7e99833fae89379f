import type { Recorded } from '../../events/recorded.js'
import { decodedAfter } from './decoded-events.js'
import { openDocuments } from './documents.js'
import type { LedgerDb } from './ledger-db.js'
import type { Projection } from './projection.js'
import { rebuild } from './rebuild.js'

/**
 * Brings a read model up to a position of the ledger. Rows and checkpoint move in one transaction under the
 * projection's own lock, so that two processes never fold the same event twice. A read model that was never
 * built, or by another version of its rule, is built anew.
 */
export const catchUp = async <Doc>(
  { db }: Pick<LedgerDb, 'db'>,
  projection: Projection<Doc>,
  position: number,
): Promise<void> => {
  for (;;) {
    const found = await db
      .selectFrom('projections')
      .selectAll()
      .where('name', '=', projection.name)
      .executeTakeFirst()
    if (found === undefined || found.version !== projection.version) {
      // Seen again afterwards: a Docket of another version may have built its own meanwhile.
      await rebuild({ db }, projection)
      continue
    }
    if (Number(found.position) >= position) return
    const events = await decodedAfter(db, Number(found.position))
    // A tail that was cut off leaves a head that no event leads to: verification tells, and nobody waits for it.
    if (events.length === 0) return
    await fold(db, projection, found, events)
  }
}

type Checkpoint = { readonly generation: string; readonly position: string }

/** Folds the events after a checkpoint; does nothing when another process has moved it meanwhile. */
const fold = <Doc>(
  db: LedgerDb['db'],
  projection: Projection<Doc>,
  from: Checkpoint,
  events: ReadonlyArray<Recorded>,
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const now = await transaction
      .selectFrom('projections')
      .select(['position', 'generation'])
      .where('name', '=', projection.name)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (now.position !== from.position || now.generation !== from.generation) return
    const documents = openDocuments(transaction, projection, Number(now.generation))
    await documents.fold(events)
    await documents.save()
    await transaction
      .updateTable('projections')
      .set({ position: events.at(-1)?.position ?? Number(now.position) })
      .where('name', '=', projection.name)
      .execute()
  })

import { foldBatch } from './fold-batch.js'
import type { LedgerDb } from './ledger-db.js'
import type { Projection } from './projection.js'
import { rebuild } from './rebuild.js'

/**
 * Brings a read model up to the head as it is when this begins. Rows and checkpoint move in one
 * transaction under the projection's own lock, so that two processes never fold the same event twice.
 * A read model that was never built, or by another version of its rule, is built anew.
 */
export const catchUp = async <Doc>(ledger: LedgerDb, projection: Projection<Doc>): Promise<void> => {
  const { position } = await ledger.store.head()
  for (;;) {
    const found = await ledger.db
      .selectFrom('projections')
      .selectAll()
      .where('name', '=', projection.name)
      .executeTakeFirst()
    if (found === undefined || found.version !== projection.version) {
      // Seen again afterwards: a Docket of another version may have built its own meanwhile.
      await rebuild(ledger, projection)
      continue
    }
    if (Number(found.position) >= position) return
    // A tail that was cut off leaves a head that no event leads to: verification tells, and nobody waits for it.
    if ((await step(ledger.db, projection)) === Number(found.position)) return
  }
}

/** Folds the next events; the position that it came to is the one before when there are none. */
const step = <Doc>(db: LedgerDb['db'], projection: Projection<Doc>): Promise<number> =>
  db.transaction().execute(async (transaction) => {
    const { position, generation } = await transaction
      .selectFrom('projections')
      .select(['position', 'generation'])
      .where('name', '=', projection.name)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const reached = await foldBatch(transaction, projection, Number(generation), Number(position))
    await transaction
      .updateTable('projections')
      .set({ position: reached })
      .where('name', '=', projection.name)
      .execute()
    return reached
  })

import { answered } from '../../events/store/connect.js'
import { catchUp } from './catch-up.js'
import type { LedgerDb } from './ledger-db.js'
import type { Projection } from './projection.js'

export type Documents<Doc> = ReadonlyArray<{ readonly key: string; readonly doc: Doc; readonly body: Buffer }>

/** Every document of a read model, as of the head, by key. */
export const readDocuments = <Doc>(ledger: LedgerDb, projection: Projection<Doc>): Promise<Documents<Doc>> =>
  answered(() => read(ledger, projection))

const read = async <Doc>(ledger: LedgerDb, projection: Projection<Doc>): Promise<Documents<Doc>> => {
  await catchUp(ledger, projection)
  // One statement, so that a rebuild that swaps meanwhile is seen before or after and never in between.
  const rows = await ledger.db
    .selectFrom('projection_rows')
    .innerJoin('projections', (join) =>
      join
        .onRef('projections.name', '=', 'projection_rows.projection')
        .onRef('projections.generation', '=', 'projection_rows.generation'),
    )
    .select(['projection_rows.key', 'projection_rows.body'])
    .where('projections.name', '=', projection.name)
    .orderBy('key')
    .execute()
  return rows.map(({ key, body }) => ({
    key,
    body,
    doc: projection.decode(JSON.parse(body.toString('utf8'))),
  }))
}

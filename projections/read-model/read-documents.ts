import type { LedgerDb } from './ledger-db.js'
import type { Projection } from './projection.js'
import { readGeneration } from './read-generation.js'

export type Documents<Doc> = ReadonlyArray<{ readonly key: string; readonly doc: Doc }>

/** Every document of a read model, as of the head, by key. */
export const readDocuments = async <Doc>(
  ledger: LedgerDb,
  projection: Projection<Doc>,
): Promise<Documents<Doc>> => {
  const { documents } = await readGeneration(ledger, projection)
  return documents.map(({ key, body }) => ({
    key,
    doc: projection.decode(JSON.parse(body.toString('utf8'))),
  }))
}

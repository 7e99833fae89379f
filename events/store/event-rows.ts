import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import pg from 'pg'
import type { Tables } from './tables.js'

/** A row of the events, its hashes in hex. */
export type EventRow = {
  readonly position: string
  readonly stream: string
  readonly version: string
  readonly type: string
  readonly schema_version: number
  readonly at: string
  readonly actor: string
  readonly causation_id: string
  readonly correlation_id: string
  /** The canonical bytes as the text that they are in UTF-8; null where they were changed to what is none. */
  readonly body: string | null
  readonly event_hash: string
  readonly hash: string
}

type Query<Row> = SelectQueryBuilder<Tables, 'events', Row>

/**
 * The rows of some events. The text of an event comes as text, which is half of what its bytes would be on the way;
 * where one of them is no text any more, all come as bytes.
 *
 * Not within a transaction: the first attempt may fail, and would take it down.
 *
 * @param narrow Which rows, and in what order.
 */
export const eventRows = async (
  db: Kysely<Tables>,
  narrow: <Row>(query: Query<Row>) => Query<Row>,
): Promise<ReadonlyArray<EventRow>> => {
  const columns = db
    .selectFrom('events')
    .select(['position', 'stream', 'version', 'type', 'schema_version', 'at', 'actor'])
    .select(['causation_id', 'correlation_id'])
    .select(sql<string>`encode(event_hash, 'hex')`.as('event_hash'))
    .select(sql<string>`encode(hash, 'hex')`.as('hash'))
  try {
    return await narrow(columns.select(sql<string>`convert_from(body, 'UTF8')`.as('body'))).execute()
  } catch (cause) {
    if (!isNoText(cause)) throw cause
    const rows = await narrow(columns.select('body')).execute()
    return rows.map((row) => ({ ...row, body: textOf(row.body) }))
  }
}

/** `character_not_in_repertoire`, which is also what bytes with a NUL among them are. */
const isNoText = (cause: unknown): boolean => cause instanceof pg.DatabaseError && cause.code === '22021'

const textOf = (bytes: Buffer): string | null => {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

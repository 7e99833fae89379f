import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import pg from 'pg'
import type { Tables } from './tables.js'

/** What an event is read from: its place, and its bytes, which say everything else. */
export type EventRow = {
  readonly position: string
  readonly stream: string
  readonly version: string
  readonly at: string
  /** In hex. */
  readonly hash: string
  /** The canonical bytes as the text that they are in UTF-8; null where they were changed to what is none. */
  readonly body: string | null
}

/** Everything that is kept of an event. */
export type KeptRow = EventRow & {
  readonly type: string
  readonly schema_version: number
  readonly actor: string
  readonly causation_id: string
  readonly correlation_id: string
  /** In hex. */
  readonly event_hash: string
}

type Query<Row> = SelectQueryBuilder<Tables, 'events', Row>

/** Which rows, and in what order. */
type Narrow = <Row>(query: Query<Row>) => Query<Row>

/**
 * The rows of some events. Not within a transaction: the first attempt at their text may fail, and would take it
 * down.
 */
export const eventRows = (db: Kysely<Tables>, narrow: Narrow): Promise<ReadonlyArray<EventRow>> =>
  withText(narrow(placeOf(db)))

/** The same, with every column. */
export const keptRows = (db: Kysely<Tables>, narrow: Narrow): Promise<ReadonlyArray<KeptRow>> =>
  withText(
    narrow(placeOf(db))
      .select(['type', 'schema_version', 'actor', 'causation_id', 'correlation_id'])
      .select(sql<string>`encode(event_hash, 'hex')`.as('event_hash')),
  )

const placeOf = (db: Kysely<Tables>) =>
  db
    .selectFrom('events')
    .select(['position', 'stream', 'version', 'at'])
    .select(sql<string>`encode(hash, 'hex')`.as('hash'))

/**
 * The text of an event comes as text, which is half of what its bytes would be on the way; where one of them is no
 * text any more, all come as bytes.
 */
const withText = async <Row>(
  query: Query<Row>,
): Promise<ReadonlyArray<Row & { readonly body: string | null }>> => {
  try {
    const rows = await query.select(sql<string>`convert_from(body, 'UTF8')`.as('body')).execute()
    return rows as unknown as ReadonlyArray<Row & { readonly body: string }>
  } catch (cause) {
    if (!isNoText(cause)) throw cause
    const rows = await query.select(sql<Buffer>`body`.as('body')).execute()
    return (rows as unknown as ReadonlyArray<Row & { readonly body: Buffer }>).map((row) => ({
      ...row,
      body: textOf(row.body),
    }))
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

import { createHash } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import { Kysely, PostgresDialect } from 'kysely'
import { openAppendQueue } from './append-queue.js'
import { answered, type Connection } from './connect.js'
import type { EventStore } from './event-store.js'
import { openFeed } from './feed.js'
import { readLedger } from './read-ledger.js'
import { readStreamOf } from './read-stream-of.js'
import { headFromRow } from './rows.js'
import type { Tables } from './tables.js'

/** The ledger of a connection. */
export const postgresStore = (connection: Connection): EventStore & { readonly db: Kysely<Tables> } => {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connection.pool }) })

  const readAll: EventStore['readAll'] = (after, limit) => answered(() => readLedger(db, after, limit))
  const feed = openFeed(connection, readAll)
  const queue = openAppendQueue(connection)
  let closing: Promise<void> | null = null
  const close = async (): Promise<void> => {
    try {
      await queue.idle()
      await feed.close()
    } finally {
      await connection.close()
    }
  }

  return {
    db,
    readAll,
    append: async (request) => {
      const result = await queue.append(request)
      if (E.isRight(result) && !result.right.repeated) feed.appended(result.right.lastPosition)
      return result
    },
    readStream: (stream, { upTo } = {}) => answered(() => readStreamOf(db, stream, upTo)),
    streams: (prefix) =>
      answered(async () => {
        // By position, since time stands still while the clock of the database is set back.
        const rows = await db
          .selectFrom('streams')
          .innerJoin('events', (join) =>
            join.onRef('events.stream', '=', 'streams.name').on('events.version', '=', '1'),
          )
          .select('streams.name')
          .where('streams.name', 'like', `${prefix.replace(/[\\%_]/g, '\\$&')}%`)
          .orderBy('events.position', 'desc')
          .execute()
        return rows.map(({ name }) => name)
      }),
    head: () =>
      answered(async () => {
        const row = await db
          .selectFrom('head')
          .select(['ledger', 'position', 'hash'])
          .executeTakeFirstOrThrow()
        return headFromRow(row)
      }),
    putArtifact: (bytes) =>
      answered(async () => {
        const sha256 = createHash('sha256').update(bytes).digest()
        const values = [sha256, bytes.length, chunksOf(bytes)]
        await connection.pool.query({ name: 'put-artifact', text: 'select put_artifact($1, $2, $3)', values })
        return { sha256: sha256.toString('hex'), size: bytes.length }
      }),
    getArtifact: (sha256) =>
      answered(async () => {
        const id = Buffer.from(sha256, 'hex')
        const found = await db
          .selectFrom('artifacts')
          .select('size')
          .where('sha256', '=', id)
          .executeTakeFirst()
        if (found === undefined) return null
        const rows = await db
          .selectFrom('artifact_chunks')
          .select('bytes')
          .where('sha256', '=', id)
          .orderBy('place')
          .execute()
        return Buffer.concat(rows.map(({ bytes }) => bytes))
      }),
    follow: feed.follow,
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

const chunkBytes = 1024 * 1024

const chunksOf = (bytes: Uint8Array): ReadonlyArray<Buffer> => {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const chunks: Array<Buffer> = []
  for (let at = 0; at < all.length; at += chunkBytes) chunks.push(all.subarray(at, at + chunkBytes))
  return chunks
}

import { type Kysely, sql } from 'kysely'
import type { KeptEvent } from '../chain.js'
import type { Tables } from '../store/tables.js'
import type { ArtifactLine, EventLine } from './format.js'

export type GivenEvent = { readonly kept: KeptEvent; readonly line: EventLine }

/** Until the end of the transaction: what each command was known by, at the position of its first event. */
export const openRequests = async (db: Kysely<Tables>): Promise<void> => {
  await sql`
    create temporary table requests (position bigint primary key, request_hash bytea not null) on commit drop`.execute(
    db,
  )
}

/** Puts events at the places that they name. */
export const insertEvents = async (db: Kysely<Tables>, given: ReadonlyArray<GivenEvent>): Promise<void> => {
  if (given.length === 0) return
  const rows = given.map(({ kept }) => ({
    position: kept.position,
    stream: kept.stream,
    version: kept.version,
    type: kept.type,
    schema_version: kept.schemaVersion,
    at: kept.at,
    actor: kept.actor,
    causation_id: kept.causationId,
    correlation_id: kept.correlationId,
    body: Buffer.from(kept.body ?? '', 'utf8'),
    event_hash: Buffer.from(kept.eventHash, 'hex'),
    hash: Buffer.from(kept.hash, 'hex'),
  }))
  await db.insertInto('events').values(rows).execute()
  const requests = given.flatMap(({ line: { position, request } }) =>
    request === null ? [] : [{ position, request }],
  )
  await sql`
    insert into requests select position, decode(request, 'hex')
    from jsonb_to_recordset(${JSON.stringify(requests)}::jsonb) as given (position bigint, request text)`.execute(
    db,
  )
}

/**
 * The commands, as their events and their requests give them. Returns how many of either have no other: every command
 * must be known by something, or it could be taken twice.
 */
export const deriveCommands = async (db: Kysely<Tables>): Promise<number> => {
  const { rows } = await sql<{ readonly odd: string }>`
    with recorded as (
      select causation_id as id, min(version) as first_version, max(version) as last_version,
        min(position) as first_position, max(position) as last_position, min(at) as at
      from events group by causation_id
    ), inserted as (
      insert into commands (id, request_hash, first_version, last_version, first_position, last_position, at)
      select id, request_hash, first_version, last_version, first_position, last_position, at
      from recorded join requests on requests.position = recorded.first_position
      returning id
    )
    select (select count(*) from recorded) + (select count(*) from requests) - 2 * (select count(*) from inserted)
      as odd`.execute(db)
  return Number(rows[0]?.odd)
}

/** The streams as their events give them, with the claims that are taken. */
export const deriveStreams = async (
  db: Kysely<Tables>,
  epochs: ReadonlyArray<{ readonly stream: string; readonly epoch: number }>,
): Promise<void> => {
  await sql`
    insert into streams (name, version, epoch, opened_at)
    select stream, max(version), coalesce(max(given.epoch), 0), min(at)
    from events
    left join jsonb_to_recordset(${JSON.stringify(epochs)}::jsonb) as given (stream text, epoch bigint) using (stream)
    group by stream`.execute(db)
}

/** Inserts pieces of artifacts as they come; those of an artifact that was there are left out. */
export const artifactInserter = (
  db: Kysely<Tables>,
): ((pieces: ReadonlyArray<ArtifactLine>) => Promise<void>) => {
  let open = { sha256: '', place: 0, isNew: false }
  return async (pieces) => {
    for (const { sha256, size, bytes } of pieces) {
      const id = Buffer.from(sha256, 'hex')
      if (open.sha256 !== sha256) {
        const inserted = await db
          .insertInto('artifacts')
          .values({ sha256: id, size })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst()
        open = { sha256, place: 0, isNew: Number(inserted.numInsertedOrUpdatedRows) > 0 }
      }
      open.place += 1
      const piece = Buffer.from(bytes, 'base64')
      if (!open.isNew || piece.length === 0) continue
      await db.insertInto('artifact_chunks').values({ sha256: id, place: open.place, bytes: piece }).execute()
    }
  }
}

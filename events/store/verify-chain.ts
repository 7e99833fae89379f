import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { canonicalBytes } from './canonical.js'
import { answered } from './connect.js'
import { dataOf, type EventRow, integer } from './rows.js'
import type { Tables } from './tables.js'

/** Something in the ledger that is not as it was appended, at the position where it shows. */
export type Difference = { readonly position: number; readonly what: string }

export type Verified = { readonly events: number; readonly differences: ReadonlyArray<Difference> }

/**
 * Walks the ledger: every hash is computed from the stored bytes, every column held against them, and the
 * last link against the head. After a difference the walk goes on from what is stored, so that each is
 * named once. When the events hold, what appends look up beside them is held against them. Without a head that
 * was kept elsewhere, a suffix that was rewritten whole does not show.
 */
export const verifyChain = (
  db: Kysely<Tables>,
  onProgress: (position: number) => void = () => {},
): Promise<Verified> => answered(() => walk(db, onProgress))

const walk = async (db: Kysely<Tables>, onProgress: (position: number) => void): Promise<Verified> => {
  const head = await db.selectFrom('head').selectAll().executeTakeFirstOrThrow()
  const until = integer(head.position)
  const differences: Array<Difference> = []
  const versions = new Map<string, number>()
  let link = firstLink(head.ledger, head.format)
  let position = 0
  for (;;) {
    const rows = await db
      .selectFrom('events')
      .selectAll()
      .where('position', '>', String(position))
      .where('position', '<=', String(Math.max(until, position)))
      .orderBy('position')
      .limit(1000)
      .execute()
    for (const row of rows) {
      const at = integer(row.position)
      if (at !== position + 1) differences.push(missing(position + 1, at - 1))
      differences.push(...wrongWith(row, link, versions.get(row.stream) ?? 0))
      versions.set(row.stream, integer(row.version))
      link = row.hash
      position = at
    }
    onProgress(position)
    if (rows.length === 0) break
  }
  if (position < until) differences.push(missing(position + 1, until))
  else if (!link.equals(head.hash)) differences.push({ position, what: 'the head names another hash' })
  if (differences.length === 0) differences.push(...(await besideTheEvents(db)))
  return { events: position, differences }
}

/**
 * The versions of the streams and the results of the commands, as the events give them: an append trusts
 * both, so one that is gone or false would let a command be taken twice. One statement, so that appends that
 * go on meanwhile are in all of it or in none.
 */
const besideTheEvents = async (db: Kysely<Tables>): Promise<ReadonlyArray<Difference>> => {
  const { rows } = await sql<{ readonly position: string; readonly what: string }>`
    select coalesce(recorded.last, 0) as position,
      'what is kept of stream ' || name || ' is not what its events give' as what
    from (
      select stream as name, max(version) as version, max(position) as last, min(at) as opened_at
      from events group by stream
    ) as recorded
    full join streams using (name)
    where (recorded.version, recorded.opened_at) is distinct from (streams.version, streams.opened_at)
    union all
    select coalesce(recorded.first_position, commands.first_position),
      'what is kept of command ' || id || ' is not what its events give'
    from (
      select causation_id as id, min(version) as first_version, max(version) as last_version,
        min(position) as first_position, max(position) as last_position, min(at) as at
      from events group by causation_id
    ) as recorded
    full join commands using (id)
    where (
        recorded.first_version, recorded.last_version, recorded.first_position, recorded.last_position,
        recorded.at
      ) is distinct from (
        commands.first_version, commands.last_version, commands.first_position, commands.last_position,
        commands.at
      )
    order by position`.execute(db)
  return rows.map(({ position, what }) => ({ position: integer(position), what }))
}

const firstLink = (ledger: string, format: number): Buffer =>
  createHash('sha256').update(`docket ledger, format ${format}, ${ledger}`).digest()

const missing = (from: number, to: number): Difference => ({
  position: from,
  what: from === to ? 'the event is missing' : `the events up to ${to} are missing`,
})

const wrongWith = (row: EventRow, link: Buffer, version: number): ReadonlyArray<Difference> => {
  const found: Array<string> = []
  const eventHash = createHash('sha256').update(row.body).digest()
  if (!eventHash.equals(row.event_hash)) found.push('its bytes are not those that were hashed')
  if (!linkOf(row, link, eventHash).equals(row.hash)) found.push('its link of the chain does not hold')
  if (integer(row.version) !== version + 1)
    found.push(`version ${row.version} of ${row.stream} is out of turn`)
  if (!canonicalColumns(row).equals(row.body)) found.push('a column differs from its bytes')
  return found.map((what) => ({ position: integer(row.position), what }))
}

const linkOf = (row: EventRow, link: Buffer, eventHash: Buffer): Buffer =>
  createHash('sha256')
    .update(link)
    .update(int8(row.position))
    .update(createHash('sha256').update(row.stream).digest())
    .update(int8(row.version))
    .update(int8(row.at))
    .update(eventHash)
    .digest()

const int8 = (text: string): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(BigInt(text))
  return bytes
}

/** The bytes that the columns would give, with the data of the stored bytes; none where those are no event's. */
const canonicalColumns = (row: EventRow): Buffer => {
  const { actor, causation_id: causationId, correlation_id: correlationId, type } = row
  const data = dataOf(row.body)
  try {
    return canonicalBytes({
      actor,
      causationId,
      correlationId,
      data,
      schemaVersion: row.schema_version,
      type,
    })
  } catch {
    return Buffer.alloc(0)
  }
}

import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { canonicalBytes } from './canonical.js'
import { type EventRow, integer } from './rows.js'
import type { Tables } from './tables.js'

/** Something in the ledger that is not as it was appended, at the position where it shows. */
export type Difference = { readonly position: number; readonly what: string }

export type Verified = { readonly events: number; readonly differences: ReadonlyArray<Difference> }

/**
 * Walks the ledger: every hash is computed from the stored bytes, every column held against them, and the
 * last link against the head. After a difference the walk goes on from what is stored, so that each is
 * named once. Without a head that was kept elsewhere, a suffix that was rewritten whole does not show.
 */
export const verifyChain = async (
  db: Kysely<Tables>,
  onProgress: (position: number) => void = () => {},
): Promise<Verified> => {
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
  return { events: position, differences }
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

/** The bytes that the columns would give, with the data of the stored bytes. */
const canonicalColumns = (row: EventRow): Buffer => {
  try {
    const { data } = JSON.parse(row.body.toString('utf8')) as { readonly data: unknown }
    const { actor, causation_id: causationId, correlation_id: correlationId, type } = row
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

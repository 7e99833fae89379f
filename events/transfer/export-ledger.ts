import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { KeptEvent } from '../chain.js'
import { UnreadableLedger } from '../read-stream.js'
import { isCanonical } from '../store/canonical.js'
import { keptEvents } from '../store/kept-events.js'
import { integer } from '../store/rows.js'
import type { Tables } from '../store/tables.js'
import { artifactLines } from './artifact-lines.js'
import { type ExportLine, formatName, formatVersion, type HeaderLine } from './format.js'

/** Takes a line; settles when there is room for the next. */
export type WriteLine = (text: string) => Promise<void>

export type Exported = {
  readonly position: number
  readonly hash: string
  readonly events: number
  readonly artifacts: number
}

/**
 * Writes the whole ledger as it is when this begins: its events are never changed, so appends go on meanwhile, and
 * no transaction holds anything back. Throws `UnreadableLedger` at an event whose bytes were changed.
 */
export const exportLedger = async (db: Kysely<Tables>, write: WriteLine): Promise<Exported> => {
  const { header, epochs } = await beginning(db)
  const out = lineWriter(write)
  await out.write(header)
  for (const [stream, epoch] of epochs) await out.write({ line: 'stream', stream, epoch })
  let events = 0
  for await (const some of keptEvents(db, header.position)) {
    const requests = await requestsFrom(db, some)
    for (const kept of some) {
      await out.write(eventLine(kept, requests.get(kept.position) ?? null, null))
      events += 1
    }
  }
  const artifacts = await artifactLines(db, null, out.write)
  await out.end({ events, artifacts })
  return { position: header.position, hash: header.hash, events, artifacts }
}

/** One statement, so that the claims are those at the head. */
const beginning = async (
  db: Kysely<Tables>,
): Promise<{ readonly header: HeaderLine; readonly epochs: ReadonlyArray<readonly [string, number]> }> => {
  const rows = await db
    .selectFrom('head')
    .leftJoin('streams', (join) => join.on('streams.epoch', '>', '0'))
    .select(['head.ledger', 'head.format', 'head.position', 'head.hash', 'streams.name', 'streams.epoch'])
    .orderBy('streams.name')
    .execute()
  const [head] = rows
  if (head === undefined) throw new Error('the ledger has no head')
  return {
    header: {
      line: 'header',
      format: formatName,
      version: formatVersion,
      ledger: head.ledger,
      chain: chainFormatOf(head.format),
      position: integer(head.position),
      hash: head.hash.toString('hex'),
      job: null,
      proof: true,
    },
    epochs: rows.flatMap(({ name, epoch }) =>
      name === null || epoch === null ? [] : [[name, integer(epoch)] as const],
    ),
  }
}

/** Throws where a ledger has a chain that this Docket does not know. */
export const chainFormatOf = (format: number): 1 => {
  if (format !== 1) throw new Error(`the chain of this ledger has format ${format}`)
  return format
}

/** What the commands were known by whose first events are among these, by position. */
export const requestsFrom = async (
  db: Kysely<Tables>,
  events: ReadonlyArray<KeptEvent>,
): Promise<ReadonlyMap<number, string>> => {
  const [first, last] = [events[0], events.at(-1)]
  if (first === undefined || last === undefined) return new Map()
  const rows = await db
    .selectFrom('commands')
    .select(['first_position', sql<string>`encode(request_hash, 'hex')`.as('request_hash')])
    .where('first_position', '>=', String(first.position))
    .where('first_position', '<=', String(last.position))
    .execute()
  return new Map(rows.map(({ first_position, request_hash }) => [integer(first_position), request_hash]))
}

/** The line of an event; the text of its bytes stands in it as it is. */
export const eventLine = (kept: KeptEvent, request: string | null, previous: string | null): string => {
  const { position, stream, version, at, eventHash, hash, body } = kept
  const parsed = parse(body)
  // Another order or another way to write a number would be lost on the way.
  const refuse = (reason: string): UnreadableLedger =>
    new UnreadableLedger({ tag: 'unreadable-event', position, reasons: [reason] })
  if (body === null || parsed === null || !isCanonical(body, parsed)) {
    throw refuse('its bytes are not those of an event')
  }
  // The columns are not written, so a change to one would be gone without a word.
  if (columns.some((column) => parsed[column] !== kept[column]))
    throw refuse('a column differs from its bytes')
  const place = { line: 'event', position, stream, version, at, request, previous, eventHash, hash }
  return `${JSON.stringify(place).slice(0, -1)},"event":${body}}`
}

const columns = ['actor', 'causationId', 'correlationId', 'schemaVersion', 'type'] as const

const parse = (body: string | null): Readonly<Record<string, unknown>> | null => {
  try {
    const parsed = JSON.parse(body ?? '') as unknown
    return typeof parsed === 'object' ? (parsed as Readonly<Record<string, unknown>> | null) : null
  } catch {
    return null
  }
}

export type LineWriter = {
  /** Writes a line, given as an object or as its text. */
  readonly write: (line: ExportLine | string) => Promise<void>
  /** Closes the export with what it holds and the hash of all lines. */
  readonly end: (counts: { readonly events: number; readonly artifacts: number }) => Promise<void>
}

export const lineWriter = (write: WriteLine): LineWriter => {
  const hash = createHash('sha256')
  const line: LineWriter['write'] = async (given) => {
    const text = `${typeof given === 'string' ? given : JSON.stringify(given)}\n`
    hash.update(text)
    await write(text)
  }
  return {
    write: line,
    end: async ({ events, artifacts }) => {
      await write(`${JSON.stringify({ line: 'end', events, artifacts, sha256: hash.digest('hex') })}\n`)
    },
  }
}

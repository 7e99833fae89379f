import type { Selectable } from 'kysely'
import type { KeptEvent } from '../chain.js'
import type { RecordedEvent } from '../envelope.js'
import { UnreadableLedger } from '../read-stream.js'
import type { EventRow, KeptRow } from './event-rows.js'
import type { Head } from './event-store.js'
import type { Tables } from './tables.js'

/**
 * A recorded event from its place and its canonical bytes. Throws `UnreadableLedger` where those were changed to what
 * is no event's.
 */
export const eventFromRow = (row: EventRow): RecordedEvent => {
  const position = integer(row.position)
  const said = saidIn(row.body)
  if (said === null) {
    const reasons = ['its bytes are not those of an event']
    throw new UnreadableLedger({ tag: 'unreadable-event', position, reasons })
  }
  return {
    position,
    stream: row.stream,
    version: integer(row.version),
    type: said.type,
    schemaVersion: said.schemaVersion,
    data: said.data,
    at: timeFromMicros(integer(row.at)),
    actor: said.actor,
    causationId: said.causationId,
    correlationId: said.correlationId,
    hash: row.hash,
  }
}

/** An event as it is kept, whatever was made of it. */
export const keptFromRow = (row: KeptRow): KeptEvent => ({
  position: integer(row.position),
  stream: row.stream,
  version: Number(row.version),
  type: row.type,
  schemaVersion: row.schema_version,
  // One that was changed may be any number; its link does not hold then.
  at: Number(row.at),
  actor: row.actor,
  causationId: row.causation_id,
  correlationId: row.correlation_id,
  body: row.body,
  eventHash: row.event_hash,
  hash: row.hash,
})

type Said = Pick<RecordedEvent, 'actor' | 'causationId' | 'correlationId' | 'data' | 'schemaVersion' | 'type'>

/** What the bytes of an event say, null where they are no event's. */
export const saidIn = (body: string | null): Said | null => {
  let said: Partial<Said> | null
  try {
    said = JSON.parse(body ?? '') as Partial<Said> | null
  } catch {
    return null
  }
  return typeof said?.type === 'string' &&
    typeof said.schemaVersion === 'number' &&
    typeof said.actor === 'string' &&
    typeof said.causationId === 'string' &&
    typeof said.correlationId === 'string' &&
    said.data !== undefined
    ? (said as Said)
    : null
}

export const headFromRow = (row: Pick<Selectable<Tables['head']>, 'ledger' | 'position' | 'hash'>): Head => ({
  ledger: row.ledger,
  position: integer(row.position),
  hash: row.hash.toString('hex'),
})

/** An `int8` that fits into a double without loss. */
export const integer = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond the integers of a double`)
  return value
}

/** Microseconds since 1970 as ISO 8601 in UTC with six decimals. */
export const timeFromMicros = (micros: number): string => {
  const second = Math.floor(micros / 1_000_000)
  return `${toTheSecond(second)}.${String(micros - second * 1_000_000).padStart(6, '0')}Z`
}

/** Remembers the last, since neighbours in a ledger share it, and a date costs a third of reading an event. */
const toTheSecond = ((): ((second: number) => string) => {
  let last = { second: Number.NaN, text: '' }
  return (second) => {
    if (second !== last.second) last = { second, text: new Date(second * 1000).toISOString().slice(0, 19) }
    return last.text
  }
})()

/** Whether so many microseconds since 1970 are a time that can be written. */
export const isTime = (micros: number): boolean => micros >= 0 && micros < latest

/** The end of the year 9999. */
const latest = Date.UTC(10_000, 0) * 1000

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as t from 'io-ts'
import { decodeWith, renderViolation } from '../domain/decode.js'
import type { EventDefinition } from './define-event.js'
import { type DocketEvent, type DocketEventType, eventDefinitions } from './docket-event.js'
import type { EventToAppend, Json, RecordedEvent } from './envelope.js'
import type { Recorded } from './recorded.js'

/** An event that this Docket cannot read: of an unknown type or version, or not of its shape. */
export type UnreadableEvent = {
  readonly tag: 'unreadable-event'
  readonly position: number
  readonly reasons: ReadonlyArray<string>
}

/**
 * Decodes a recorded event: from the version that it was written in, one version after the other up to the current
 * one, and then with its codec.
 */
export const readEvent = (event: RecordedEvent): E.Either<UnreadableEvent, Recorded> =>
  pipe(
    readData(isKnown(event.type) ? eventDefinitions[event.type] : undefined, event),
    E.bimap(
      (reasons) => ({ tag: 'unreadable-event', position: event.position, reasons }),
      // The table pairs each type with the codec of its data, which the compiler cannot follow through a lookup.
      (data) => (data === event.data ? event : { ...event, data }) as Recorded,
    ),
  )

type Written = Pick<RecordedEvent, 'type' | 'schemaVersion' | 'data'>
type Definition = Pick<EventDefinition<string, t.Mixed>, 'schemaVersion' | 'data' | 'older'>

/** The data of an event in the current shape of its definition; `Left` says why it cannot be had. */
export const readData = (
  definition: Definition | undefined,
  { type, schemaVersion, data: written }: Written,
): E.Either<ReadonlyArray<string>, unknown> => {
  const noReader = E.left([`no reader for ${type}@${schemaVersion}`])
  if (definition === undefined || schemaVersion > definition.schemaVersion) return noReader
  let data = written
  for (let version = schemaVersion; version < definition.schemaVersion; version++) {
    const older = definition.older[version]
    if (older === undefined) return noReader
    data = older(data)
  }
  const codec: t.Mixed = definition.data
  // Most of reading a ledger would go into building what is there already.
  if (codec.is(data)) return E.right(data)
  return pipe(
    data,
    decodeWith<unknown>(codec),
    E.mapLeft((violations) => violations.map(renderViolation)),
  )
}

/** What goes into the ledger for an event: its tag, the version of its shape, and its data encoded. */
export const writeEvent = (event: DocketEvent): EventToAppend => {
  const { schemaVersion } = eventDefinitions[event.type]
  // What a probe holds was parsed from JSON; the store refuses whatever is not JSON, with its path.
  return { type: event.type, schemaVersion, data: event.data as Json }
}

const isKnown = (type: string): type is DocketEventType => Object.hasOwn(eventDefinitions, type)

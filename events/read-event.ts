import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as t from 'io-ts'
import { decodeWith, renderViolation } from '../domain/decode.js'
import { type DocketEvent, type DocketEventType, eventDefinitions } from './docket-event.js'
import type { EventToAppend, Json, RecordedEvent } from './envelope.js'
import type { Recorded } from './recorded.js'

/** An event that this Docket cannot read: of an unknown type or version, or not of its shape. */
export type UnreadableEvent = {
  readonly tag: 'unreadable-event'
  readonly position: number
  readonly reasons: ReadonlyArray<string>
}

/** Decodes a recorded event with the codec that its `type@schemaVersion` names. */
export const readEvent = (event: RecordedEvent): E.Either<UnreadableEvent, Recorded> => {
  const unreadable = (reasons: ReadonlyArray<string>): UnreadableEvent => ({
    tag: 'unreadable-event',
    position: event.position,
    reasons,
  })
  const definition = isKnown(event.type) ? eventDefinitions[event.type] : undefined
  if (definition === undefined || definition.schemaVersion !== event.schemaVersion) {
    return E.left(unreadable([`no reader for ${event.type}@${event.schemaVersion}`]))
  }
  const codec: t.Decoder<unknown, unknown> = definition.data
  return pipe(
    event.data,
    decodeWith(codec),
    E.bimap(
      (violations) => unreadable(violations.map(renderViolation)),
      // The table pairs each type with the codec of its data, which the compiler cannot follow through a lookup.
      (data) => ({ ...event, data }) as Recorded,
    ),
  )
}

/** What goes into the ledger for an event: its tag, the version of its shape, and its data encoded. */
export const writeEvent = (event: DocketEvent): EventToAppend => {
  const { schemaVersion } = eventDefinitions[event.type]
  // What a probe holds was parsed from JSON; the store refuses whatever is not JSON, with its path.
  return { type: event.type, schemaVersion, data: event.data as Json }
}

const isKnown = (type: string): type is DocketEventType => Object.hasOwn(eventDefinitions, type)

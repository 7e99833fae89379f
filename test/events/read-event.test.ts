import test from 'ava'
import * as E from 'fp-ts/lib/Either.js'
import type { Type as Codec } from 'io-ts'
import { eventDefinitions } from '../../events/docket-event.js'
import type { Json, RecordedEvent } from '../../events/envelope.js'
import { readEvent, writeEvent } from '../../events/read-event.js'
import { decodeOrThrow, UnreadableLedger } from '../../events/read-stream.js'
import { canonicalBytes } from '../../events/store/canonical.js'
import { everyEvent } from '../support/every-event.js'

const place = {
  position: 7,
  stream: 'job-abc',
  version: 3,
  at: '2026-12-01T10:00:00.000001Z',
  actor: 'test',
  causationId: 'c1',
  correlationId: 'abc',
  hash: '',
}

/** As the ledger gives it back: through the bytes. */
const kept = (event: { readonly type: string; readonly schemaVersion: number; readonly data: unknown }) =>
  JSON.parse(canonicalBytes({ ...place, ...event }).toString('utf8')) as RecordedEvent

const reasonsOf = (event: RecordedEvent): ReadonlyArray<string> => {
  const read = readEvent(event)
  return E.isLeft(read) ? read.left.reasons : []
}

test('there is an example of every type of event', (t) => {
  const shown = new Set<string>(everyEvent.map(({ type }) => type))
  t.deepEqual([...shown].sort(), Object.keys(eventDefinitions).sort())
})

test('every event comes back from its bytes as it was, in its place', (t) => {
  for (const event of everyEvent) {
    const { schemaVersion } = eventDefinitions[event.type]
    t.deepEqual(
      readEvent(kept(writeEvent(event))),
      E.right({ ...place, schemaVersion, ...event }),
      event.type,
    )
  }
})

test('what a codec takes as it stands, it gives back as it stands', (t) => {
  for (const { type, data } of everyEvent) {
    const codec = eventDefinitions[type].data as Codec<unknown>
    const stored = JSON.parse(canonicalBytes(data).toString('utf8')) as unknown
    t.true(codec.is(stored), type)
    t.deepEqual(codec.decode(stored), E.right(stored), type)
  }
})

test('an event that lacks any one of its fields is not read, and each reason names the field', (t) => {
  for (const event of everyEvent) {
    for (const field of Object.keys(event.data)) {
      const { [field]: _gone, ...data } = event.data as Readonly<Record<string, Json>>
      const reasons = reasonsOf(kept({ ...writeEvent(event), data }))
      t.true(
        reasons.length > 0 && reasons.every((reason) => reason.startsWith(field)),
        `${event.type}.${field}`,
      )
    }
  }
})

test('an event of an unknown type or version is told with its position', (t) => {
  const [event] = everyEvent
  if (event === undefined) return t.fail()
  const later = kept({ ...writeEvent(event), schemaVersion: 2 })
  t.deepEqual(
    readEvent(later),
    E.left({ tag: 'unreadable-event' as const, position: 7, reasons: ['no reader for JobSubmitted@2'] }),
  )
  for (const type of ['Invented', 'constructor', '__proto__', '']) {
    t.deepEqual(reasonsOf({ ...later, type, schemaVersion: 1 }), [`no reader for ${type}@1`])
  }
})

test('every reason is told at once', (t) => {
  const event = kept({ type: 'JobClaimed', schemaVersion: 1, data: { runner: 1, epoch: 'x' } })
  t.true(reasonsOf(event).length >= 9)
})

test('a fold stops at an event that cannot be read, with its position in the words', (t) => {
  const error = t.throws(() => decodeOrThrow(kept({ type: 'Invented', schemaVersion: 9, data: {} })), {
    instanceOf: UnreadableLedger,
    message: /position 7.*Invented@9/,
  })
  t.is(error?.event.position, 7)
})

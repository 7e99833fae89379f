import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import * as E from 'fp-ts/lib/Either.js'
import * as io from 'io-ts'
import { defineEvent } from '../../events/define-event.js'
import { describeShape } from '../../events/describe-shape.js'
import { eventDefinitions } from '../../events/docket-event.js'
import type { Json } from '../../events/envelope.js'
import { readData, readEvent } from '../../events/read-event.js'
import { root } from '../support/scratch-job.js'

const place = {
  position: 1,
  stream: 'job-abc',
  version: 1,
  at: '2026-12-01T10:00:00.000001Z',
  actor: 'test',
  causationId: 'c1',
  correlationId: 'abc',
  hash: '',
}

const kept = JSON.parse(readFileSync(join(root, 'fixtures', 'events', 'shapes.json'), 'utf8')) as Record<
  string,
  string
>

for (const [type, { schemaVersion, data }] of Object.entries(eventDefinitions)) {
  test(`${type} has the shape that its version has always had`, (t) => {
    t.is(
      kept[`${type}@${schemaVersion}`],
      describeShape(data),
      'events of this version are in ledgers: give a new shape a new version, a reader of the old one, and run npm run docs',
    )
  })
}

const file = (name: string): string => join(root, 'fixtures', 'events', name)

for (const [type, { schemaVersion }] of Object.entries(eventDefinitions)) {
  for (let version = 1; version <= schemaVersion; version++) {
    test(`events that were written as ${type}@${version} are read in the current shape`, (t) => {
      const examples = JSON.parse(
        readFileSync(file(`${type}@${version}.json`), 'utf8'),
      ) as ReadonlyArray<Json>
      t.true(examples.length > 0)
      for (const data of examples) {
        const read = readEvent({ ...place, type, schemaVersion: version, data })
        t.true(E.isRight(read), E.isLeft(read) ? read.left.reasons.join('; ') : '')
      }
    })
  }
}

test('every shape that was ever kept has its examples, and nothing else has', (t) => {
  const examples = readdirSync(file('')).flatMap((name) => (name.includes('@') ? [name.slice(0, -5)] : []))
  t.deepEqual(examples.sort(), Object.keys(kept).sort())
})

const thing = defineEvent(
  'Thing',
  3,
  { name: io.string, size: io.number },
  {
    1: (data) => ({ title: data }),
    2: (data) => ({ name: (data as { title: string }).title, size: 0 }),
  },
)

test('an event is read from each older version through those between', (t) => {
  const read = (schemaVersion: number, data: Json) => readData(thing, { type: 'Thing', schemaVersion, data })
  t.deepEqual(read(1, 'box'), E.right({ name: 'box', size: 0 }))
  t.deepEqual(read(2, { title: 'box' }), E.right({ name: 'box', size: 0 }))
  t.deepEqual(read(3, { name: 'box', size: 7 }), E.right({ name: 'box', size: 7 }))
  t.deepEqual(read(2, { title: 7 }), E.left(['name: expected string, got 7']))
  t.deepEqual(read(4, {}), E.left(['no reader for Thing@4']))
  t.deepEqual(read(0, {}), E.left(['no reader for Thing@0']))
})

test('the event reference says what the codecs say', async (t) => {
  const { eventsReference } = (await import(join(root, 'scripts', 'events-reference.mjs'))) as {
    readonly eventsReference: () => Promise<string>
  }
  t.is(readFileSync(join(root, 'docs', 'events.md'), 'utf8'), await eventsReference(), 'run npm run docs')
})

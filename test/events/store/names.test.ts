import { randomUUID } from 'node:crypto'
import test from 'ava'
import * as E from 'fp-ts/lib/Either.js'
import type { AppendRequest } from '../../../events/envelope.js'
import { asOwner, freshLedger } from '../../support/ledger.js'

const event = { type: 'Counted', schemaVersion: 1, data: {} }

const request = (more: Partial<AppendRequest> = {}): AppendRequest => ({
  stream: 'job-a',
  expected: 'any',
  events: [event],
  actor: 'test',
  commandId: randomUUID(),
  correlationId: 'a',
  ...more,
})

const unfit: ReadonlyArray<readonly [string, string]> = [
  ['NUL', 'a\0b'],
  ['half of a surrogate pair', 'a\ud800'],
  ['nothing', ''],
  ['more than an index can hold', 'x'.repeat(5000)],
]

for (const [what, text] of unfit) {
  test(`a name with ${what} is refused with its path, and nothing is kept of it`, async (t) => {
    const { store } = await freshLedger(t)
    const requests: ReadonlyArray<readonly [string, AppendRequest]> = [
      ['stream', request({ stream: text })],
      ['commandId', request({ commandId: text })],
      ['actor', request({ actor: text })],
      ['correlationId', request({ correlationId: text })],
      ['events[1].type', request({ events: [event, { ...event, type: text }] })],
    ]
    for (const [path, asked] of requests) {
      const result = await store.append(asked)
      t.is(E.isLeft(result) && result.left.tag === 'not-storable' ? result.left.path : 'appended', path)
    }
    t.is((await store.head()).position, 0)
    t.deepEqual(await store.streams(''), [])
  })
}

test('a schema version that is no small whole number is refused with its path', async (t) => {
  const { store } = await freshLedger(t)
  for (const schemaVersion of [0, -1, 1.5, 2 ** 31, Number.NaN]) {
    const result = await store.append(request({ events: [{ ...event, schemaVersion }] }))
    t.is(
      E.isLeft(result) && result.left.tag === 'not-storable' ? result.left.path : '',
      'events[0].schemaVersion',
    )
  }
})

test('names of any other kind come back as they were', async (t) => {
  const { store } = await freshLedger(t)
  const name = `job-é\u2028"'\\👩‍👩‍👧 ${'x'.repeat(900)}`
  const asked = request({ stream: name, actor: name, commandId: name, correlationId: name })
  t.true(E.isRight(await store.append(asked)))
  const [kept] = await store.readStream(name)
  t.deepEqual([kept?.stream, kept?.actor, kept?.causationId, kept?.correlationId], [name, name, name, name])
})

test('the newest stream comes first, also where the clock of the database was set back', async (t) => {
  const { store, url } = await freshLedger(t)
  const hour = 3_600_000_000
  await asOwner(url, (client) =>
    client.query('update docket.head set at = at + $1 + $2', [Date.now() * 1000, hour]),
  )
  for (const stream of ['job-m', 'job-z', 'job-a', 'job-b']) await store.append(request({ stream }))
  await store.append(request({ stream: 'job-z' }))
  t.deepEqual(await store.streams('job-'), ['job-b', 'job-a', 'job-z', 'job-m'])
})

import { randomUUID } from 'node:crypto'
import test from 'ava'
import * as E from 'fp-ts/lib/Either.js'
import type { AppendRequest, Json } from '../../../events/envelope.js'
import { verifyChain } from '../../../events/store/verify-chain.js'
import { asOwner, freshLedger } from '../../support/ledger.js'

const request = (more: Partial<AppendRequest> = {}): AppendRequest => ({
  stream: 'job-a',
  expected: 'any',
  events: [event(0)],
  actor: 'test',
  commandId: randomUUID(),
  correlationId: 'a',
  ...more,
})

const event = (n: Json) => ({ type: 'Counted', schemaVersion: 1, data: { n } })

test('an append is taken at the version that it expects, and a conflict names the one found', async (t) => {
  const { store } = await freshLedger(t)
  const found = async (more: Partial<AppendRequest>): Promise<number | 'appended'> => {
    const result = await store.append(request(more))
    if (E.isRight(result)) return 'appended'
    return result.left.tag === 'version-conflict' ? result.left.found : -1
  }
  t.is(await found({ expected: 'exists' }), 0)
  t.is(await found({ expected: 3 }), 0)
  t.is(await found({ expected: 'none', events: [event(1), event(2)] }), 'appended')
  t.is(await found({ expected: 'none' }), 2)
  t.is(await found({ expected: 1 }), 2)
  t.is(await found({ expected: 2 }), 'appended')
  t.is(await found({ expected: 'exists' }), 'appended')
  t.is(await found({ expected: 'any' }), 'appended')
  t.is((await store.head()).position, 5)
})

test('20 writers on 4 stores append without a gap, and each stream has every version once', async (t) => {
  const { store, another } = await freshLedger(t)
  const stores = [store, await another(), await another(), await another()]
  const results = await Promise.all(
    Array.from({ length: 20 }, async (_, writer) => {
      for (let n = 0; n < 10; n++) {
        const appended = await stores[writer % 4]?.append(request({ stream: `job-${writer % 5}` }))
        if (appended === undefined || E.isLeft(appended)) return false
      }
      return true
    }),
  )
  t.true(results.every(Boolean))
  const events = await store.readAll(0, 1000)
  t.deepEqual(
    events.map(({ position }) => position),
    Array.from({ length: 200 }, (_, index) => index + 1),
  )
  for (const stream of await store.streams('job-')) {
    const versions = (await store.readStream(stream)).map(({ version }) => version)
    t.deepEqual(
      versions,
      versions.map((_, index) => index + 1),
    )
  }
  t.deepEqual(
    [...events].map(({ at }) => at).sort(),
    [...events].map(({ at }) => at),
  )
  t.deepEqual((await verifyChain(store.db)).differences, [])
})

test('a command sent again answers the same and appends nothing', async (t) => {
  const { store, another } = await freshLedger(t)
  const again = request({ events: [event(1), event(2)] })
  const first = await store.append(again)
  await store.append(request())
  const second = await (await another()).append(again)
  if (E.isLeft(first) || E.isLeft(second)) return t.fail('it was not appended')
  t.deepEqual(second.right, { ...first.right, repeated: true })
  t.is((await store.head()).position, 3)
})

test('the id of a command with other contents is refused', async (t) => {
  const { store } = await freshLedger(t)
  const once = request()
  await store.append(once)
  for (const other of [{ events: [event(9)] }, { stream: 'job-b' }, { claims: 1 }]) {
    const result = await store.append({ ...once, ...other })
    t.is(E.isLeft(result) ? result.left.tag : 'appended', 'command-id-reused')
  }
  t.is((await store.head()).position, 1)
})

test('an append under an old epoch is refused, and a claim is taken one after the other', async (t) => {
  const { store } = await freshLedger(t)
  const tagOf = async (more: Partial<AppendRequest>): Promise<string> => {
    const result = await store.append(request(more))
    return E.isLeft(result) ? result.left.tag : 'appended'
  }
  t.is(await tagOf({ claims: 1 }), 'appended')
  t.is(await tagOf({ epoch: 1 }), 'appended')
  t.is(await tagOf({ claims: 1 }), 'stale-epoch')
  t.is(await tagOf({ claims: 3 }), 'stale-epoch')
  t.is(await tagOf({ claims: 2 }), 'appended')
  t.is(await tagOf({ epoch: 1 }), 'stale-epoch')
  t.is(await tagOf({ epoch: 2 }), 'appended')
  t.is(await tagOf({}), 'appended')
})

test('1,000 events of one append stand together or not at all', async (t) => {
  const { store } = await freshLedger(t)
  const many = Array.from({ length: 1000 }, (_, n) => event(n))
  t.true(E.isRight(await store.append(request({ events: many }))))
  const broken = await store.append(request({ events: [...many, event('\ud800')] }))
  t.true(E.isLeft(broken))
  t.is((await store.readStream('job-a')).length, 1000)
})

test('what JSON cannot hold is refused with its path', async (t) => {
  const { store } = await freshLedger(t)
  const bad: ReadonlyArray<readonly [unknown, string]> = [
    ['\udfff', 'events[0].data.n'],
    [{ deep: [1, Number.NaN] }, 'events[0].data.n.deep[1]'],
    [{ 'half\ud800': 1 }, 'events[0].data.n.half\ud800'],
    [undefined, 'events[0].data.n'],
    [Number.POSITIVE_INFINITY, 'events[0].data.n'],
    [new Array<number>(2), 'events[0].data.n[0]'],
    [new Date(0), 'events[0].data.n'],
    [{ at: new Map() }, 'events[0].data.n.at'],
    [-0, 'events[0].data.n'],
    [1n, 'events[0].data.n'],
    [() => 1, 'events[0].data.n'],
  ]
  for (const [value, path] of bad) {
    const result = await store.append(request({ events: [event(value as Json)] }))
    t.is(E.isLeft(result) && result.left.tag === 'not-storable' ? result.left.path : 'appended', path)
  }
  const second = await store.append(request({ events: [event(1), event('\ud800')] }))
  t.is(E.isLeft(second) && second.left.tag === 'not-storable' ? second.left.path : '', 'events[1].data.n')
  t.is((await store.head()).position, 0)
})

test('a request that asks for nothing, or names no version, is refused with its path', async (t) => {
  const { store } = await freshLedger(t)
  const bad: ReadonlyArray<readonly [string, AppendRequest]> = [
    ['events', request({ events: [] })],
    ['expected', request({ expected: -1 })],
    ['expected', request({ expected: 0.5 })],
    ['expected', request({ expected: Number.NaN })],
    ['epoch', request({ epoch: 1.5 })],
    ['claims', request({ claims: 2 ** 60 })],
  ]
  for (const [path, asked] of bad) {
    const result = await store.append(asked)
    t.is(E.isLeft(result) && result.left.tag === 'not-storable' ? result.left.path : 'appended', path)
  }
})

test('100,000 events of one append stand together', async (t) => {
  const { store } = await freshLedger(t)
  const many = Array.from({ length: 100_000 }, (_, n) => event(n))
  const appended = await store.append(request({ events: many }))
  t.true(E.isRight(appended) && appended.right.lastVersion === 100_000)
  t.is((await store.head()).position, 100_000)
  t.deepEqual((await verifyChain(store.db)).differences, [])
})

test('what lies too deep is refused, and does not exhaust the stack', async (t) => {
  const { store } = await freshLedger(t)
  const nested = (levels: number): Json => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as Json
  t.true(E.isRight(await store.append(request({ events: [event(nested(150))] }))))
  const refused = await store.append(request({ events: [event(nested(50_000))] }))
  t.is(E.isLeft(refused) && refused.left.tag, 'not-storable')
})

test('text that other stores stumble over comes back as it was', async (t) => {
  const { store } = await freshLedger(t)
  const data = {
    nul: 'a\0b',
    lines: '\u2028\u2029',
    emoji: '👩‍👩‍👧',
    __proto__x: 1,
    small: 1e-7,
    big: 2 ** 53,
  }
  await store.append(request({ events: [{ type: 'Kept', schemaVersion: 1, data }] }))
  const [kept] = await store.readStream('job-a')
  t.deepEqual(kept?.data, data)
})

test('connections that are killed again and again lose no append and double none', async (t) => {
  const { store, url } = await freshLedger(t)
  let done = false
  const killing = asOwner(url, async (client) => {
    while (!done) {
      await client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'docket'",
      )
      await new Promise((resolve) => setTimeout(resolve, 60))
    }
  })
  const acknowledged: Array<number> = []
  for (let n = 0; n < 60; n++) {
    const result = await store.append(request({ events: [event(n)] }))
    if (E.isRight(result)) acknowledged.push(n)
  }
  done = true
  await killing
  const kept = (await store.readStream('job-a')).map(({ data }) => (data as { readonly n: number }).n)
  t.deepEqual(
    acknowledged.filter((n) => kept.filter((other) => other === n).length !== 1),
    [],
  )
  t.is(new Set(kept).size, kept.length)
  t.true(acknowledged.length > 30)
})

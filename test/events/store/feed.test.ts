import { randomUUID } from 'node:crypto'
import test from 'ava'
import type { RecordedEvent } from '../../../events/envelope.js'
import type { EventStore } from '../../../events/store/event-store.js'
import { asOwner, freshLedger } from '../../support/ledger.js'

const append = (store: EventStore, count = 1): Promise<unknown> =>
  store.append({
    stream: 's',
    expected: 'any',
    events: Array.from({ length: count }, (_, n) => ({ type: 'A', schemaVersion: 1, data: { n } })),
    actor: 'test',
    commandId: randomUUID(),
    correlationId: 'a',
  })

const until = async (holds: () => boolean, ms = 5000): Promise<number> => {
  const began = performance.now()
  while (!holds() && performance.now() - began < ms) await new Promise((resolve) => setTimeout(resolve, 5))
  return performance.now() - began
}

const upTo = (last: number): ReadonlyArray<number> => Array.from({ length: last }, (_, n) => n + 1)

test('a reader sees every event once and in order, those before it and those after', async (t) => {
  const { store, another } = await freshLedger(t)
  const writer = await another()
  await append(writer, 1200)
  const seen: Array<number> = []
  const reader = store.follow(0, ({ position }) => {
    seen.push(position)
  })
  await Promise.all(Array.from({ length: 20 }, (_, n) => append(n % 2 === 0 ? writer : store)))
  await until(() => seen.length === 1220)
  t.deepEqual(seen, upTo(1220))
  await reader.close()
})

test('closing delivers what is committed by then, and nothing after', async (t) => {
  const { store } = await freshLedger(t)
  const seen: Array<number> = []
  const reader = store.follow(0, ({ position }) => {
    seen.push(position)
  })
  await append(store, 3)
  await reader.close()
  t.deepEqual(seen, [1, 2, 3])
  await append(store)
  await new Promise((resolve) => setTimeout(resolve, 100))
  t.deepEqual(seen, [1, 2, 3])
})

test('a reader goes on after its listening connection was killed', async (t) => {
  const { store, another, url } = await freshLedger(t)
  const writer = await another()
  const seen: Array<RecordedEvent> = []
  const reader = store.follow(0, (event) => {
    seen.push(event)
  })
  await append(writer)
  await until(() => seen.length === 1)
  await asOwner(url, (client) =>
    client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen%'",
    ),
  )
  await append(writer)
  t.true((await until(() => seen.length === 2)) < 2000)
  t.true(reader.healthy())
  await reader.close()
})

test('a reader that waits for its own slow work loses nothing', async (t) => {
  const { store } = await freshLedger(t)
  const seen: Array<number> = []
  const reader = store.follow(0, async ({ position }) => {
    await new Promise((resolve) => setTimeout(resolve, 20))
    seen.push(position)
  })
  for (let n = 0; n < 10; n++) await append(store)
  await reader.close()
  t.deepEqual(seen, upTo(10))
})

test('a word of another store arrives long before the next look', async (t) => {
  const { store, another } = await freshLedger(t)
  const writer = await another()
  let seen = 0
  const reader = store.follow(0, () => {
    seen += 1
  })
  const delays: Array<number> = []
  for (let n = 1; n <= 10; n++) {
    await append(writer)
    delays.push(await until(() => seen === n))
  }
  t.true(Math.min(...delays) < 100, delays.map(Math.round).join(' '))
  await reader.close()
})

test('a reader that begins in the middle sees what comes after, and two readers see the same', async (t) => {
  const { store } = await freshLedger(t)
  await append(store, 7)
  const seen: ReadonlyArray<Array<number>> = [[], []]
  const readers = seen.map((list) => store.follow(5, ({ position }) => void list.push(position)))
  await append(store, 2)
  for (const reader of readers) await reader.close()
  t.deepEqual(seen, [
    [6, 7, 8, 9],
    [6, 7, 8, 9],
  ])
})

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import * as E from 'fp-ts/lib/Either.js'
import { embeddedServer } from '../../../events/server/embedded.js'
import { stopServer } from '../../../events/server/stop.js'
import type { EventStore } from '../../../events/store/event-store.js'
import { openStore } from '../../../events/store/open-store.js'
import { verifyChain } from '../../../events/store/verify-chain.js'
import { asOwner, freshLedger } from '../../support/ledger.js'

const append = (store: EventStore, commandId: string = randomUUID()) =>
  store.append({
    stream: 's',
    expected: 'any',
    events: [{ type: 'A', schemaVersion: 1, data: { id: commandId } }],
    actor: 'test',
    commandId,
    correlationId: 'a',
  })

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Ends every connection of a database's stores, again and again while something is done. */
const whileKilling = <A>(url: string, everyMs: number, act: () => Promise<A>): Promise<A> =>
  asOwner(url, async (client) => {
    const acting = act()
    let done = false
    acting
      .finally(() => {
        done = true
      })
      .catch(() => {})
    while (!done) {
      await client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'docket'",
      )
      await sleep(everyMs)
    }
    return acting
  })

test('a read whose connection is ended is told as a database that does not answer, and the next one answers', async (t) => {
  const { store, url } = await freshLedger(t)
  await append(store)
  const ended = await whileKilling(url, 2, async () => {
    const reads: Array<Promise<unknown>> = []
    for (let n = 0; n < 300; n++) {
      reads.push(
        store.readAll(0, 10).then(
          () => null,
          (error: unknown) => error,
        ),
      )
      if (n % 3 === 0) await sleep(2)
    }
    return (await Promise.all(reads)).filter((error) => error !== null)
  })
  t.true(ended.length > 0, 'none was ended')
  t.deepEqual(
    ended.filter((error) => !(error instanceof Error && error.name === 'StoreUnavailable')),
    [],
  )
  // The last of them may have been ended just now, before this process could hear of it.
  await sleep(200)
  t.is((await store.readAll(0, 10)).length, 1)
})

test('writers whose connections are ended under them lose nothing acknowledged and double nothing', async (t) => {
  const { store, another, url } = await freshLedger(t)
  const stores = [store, await another()]
  const acknowledged = await whileKilling(url, 80, async () => {
    const ids: Array<string> = []
    await Promise.all(
      Array.from({ length: 6 }, async (_, writer) => {
        for (let n = 0; n < 10; n++) {
          const id = `${writer}-${n}`
          const appended = await append(stores[writer % 2] ?? store, id)
          if (E.isRight(appended)) ids.push(id)
        }
      }),
    )
    return ids
  })
  const kept = (await store.readAll(0, 1000)).map(({ causationId }) => causationId)
  t.is(new Set(kept).size, kept.length)
  t.deepEqual(
    acknowledged.filter((id) => !kept.includes(id)),
    [],
  )
  t.true(acknowledged.length > 50, `${acknowledged.length} were acknowledged`)
  t.deepEqual((await verifyChain(store.db)).differences, [])
})

test('a store that is closed twice, and with readers open, ends once', async (t) => {
  const { store } = await freshLedger(t)
  const seen: Array<number> = []
  store.follow(0, ({ position }) => void seen.push(position))
  store.follow(0, () => {})
  await append(store)
  await Promise.all([store.close(), store.close()])
  await store.close()
  t.deepEqual(seen, [1])
  await t.throwsAsync(store.head(), { name: 'StoreUnavailable' })
  const late = await append(store)
  t.is(E.isLeft(late) && late.left.tag, 'store-unavailable')
})

test('a reader that fails is told to who closes it, and the store closes all the same', async (t) => {
  const { store, url } = await freshLedger(t)
  const failing = await openStore({ env: { DATABASE_URL: url } })
  const reader = failing.follow(0, () => {
    throw new Error('the reader broke')
  })
  await append(store)
  while (reader.healthy()) await sleep(5)
  await t.throwsAsync(failing.close(), { message: 'the reader broke' })
  // Its database is dropped when the test ends, which fails if a connection is left.
  t.is((await store.head()).position, 1)
})

test('a server that starts again is waited for by appends and readers, and nothing is lost', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'docket-again-'))
  const store = await openStore({ env: { DOCKET_HOME: home } })
  t.teardown(async () => {
    await store.close()
    await stopServer(home)
    rmSync(home, { recursive: true, force: true })
  })
  const seen: Array<number> = []
  const reader = store.follow(0, ({ position }) => void seen.push(position))
  await append(store)
  await stopServer(home)
  const results = await Promise.all([append(store), append(store)])
  t.deepEqual(results.map(E.isRight), [true, true])
  for (let tries = 0; seen.length < 3 && tries < 200; tries++) await sleep(25)
  t.deepEqual(seen, [1, 2, 3])
  t.true(reader.healthy())
})

test('readers and their store close soon while the server is down', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'docket-down-'))
  const owner = await openStore({ env: { DOCKET_HOME: home } })
  const { host, port, user, password, database } = await embeddedServer(home)
  const url = `postgresql://${user}:${password}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
  const store = await openStore({ env: { DATABASE_URL: url } })
  const reader = store.follow(0, () => {})
  await append(store)
  await owner.close()
  await stopServer(home)
  t.teardown(() => rmSync(home, { recursive: true, force: true }))
  for (let tries = 0; reader.healthy() && tries < 200; tries++) await sleep(25)
  t.false(reader.healthy())
  const began = performance.now()
  await reader.close()
  await store.close()
  t.true(performance.now() - began < 3000, `took ${performance.now() - began} ms`)
})

test('an address that is none is told in words, without the password that may be in it', async (t) => {
  for (const url of ['nonsense', 'http://', 'postgres://a:hidden@c:99999999/x', 'postgres://', 'mysql://x']) {
    const error = await t.throwsAsync(openStore({ env: { DATABASE_URL: url } }), { name: 'StoreUnavailable' })
    t.false(error?.message.includes('hidden'))
  }
})

test('a server that takes the connection and never says a word is given up', async (t) => {
  const silent = createServer((socket) => socket.on('error', () => {}))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  t.teardown(() => silent.close())
  const address = silent.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  await t.throwsAsync(openStore({ env: { DATABASE_URL: `postgresql://x@127.0.0.1:${port}/x` } }), {
    name: 'StoreUnavailable',
  })
})

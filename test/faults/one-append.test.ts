import test, { type ExecutionContext } from 'ava'
import * as E from 'fp-ts/lib/Either.js'
import { openStore } from '../../events/store/open-store.js'
import { verifyChain } from '../../events/store/verify-chain.js'
import { type Cut, startCuttingProxy } from './cutting-proxy.js'
import { type FaultServer, startFaultServer } from './fault-server.js'
import { requestOf, type Tried } from './said.js'

let server: FaultServer
test.before(async () => {
  server = await startFaultServer()
})
test.after.always(() => server.stop())

let databases = 0

/** A fresh ledger on the server that can be crashed. */
const ledger = async (t: ExecutionContext) => {
  databases += 1
  const database = `ledger_${databases}`
  await server.ask('', `create database ${database}`)
  const store = await openStore({ env: { DATABASE_URL: server.urlOf(database) } })
  t.teardown(() => store.close())
  return { database, store }
}

const commandOf = (commandId: string): Tried => ({ commandId, stream: 'stream', expected: 'any', events: 3 })

test.serial('wherever an append is cut, it is told the truth and stands once', async (t) => {
  t.timeout(120_000)
  const { database, store: direct } = await ledger(t)

  /** Appends on a connection that is cut after so many bytes of the append. */
  const appendCut = async (commandId: string, cut: Cut | null) => {
    const proxy = await startCuttingProxy(server.socket, () => null)
    const store = await openStore({ env: { DATABASE_URL: server.urlOf(database, proxy.port) } })
    try {
      const began = proxy.carried()
      if (cut !== null) proxy.cutNewest(cut)
      const appended = await store.append(requestOf(commandOf(commandId)))
      const carried = proxy.carried()
      return {
        appended,
        cuts: proxy.cuts(),
        toServer: carried['to-server'] - began['to-server'],
        toClient: carried['to-client'] - began['to-client'],
      }
    } finally {
      await store.close()
      await proxy.close()
    }
  }

  const whole = await appendCut('whole', null)
  t.true(E.isRight(whole.appended))
  const cuts: ReadonlyArray<Cut> = [
    ...offsets(whole.toServer, 30).map((afterBytes) => ({ direction: 'to-server' as const, afterBytes })),
    ...offsets(whole.toClient, 20).map((afterBytes) => ({ direction: 'to-client' as const, afterBytes })),
  ]
  let committedUntold = 0
  for (const cut of cuts) {
    const commandId = `${cut.direction}-${cut.afterBytes}`
    const { appended, cuts } = await appendCut(commandId, cut)
    t.is(cuts, 1, `${commandId} was not cut`)
    if (!E.isRight(appended)) return t.fail(`${commandId}: ${appended.left.tag}`)
    const { firstPosition, lastPosition, repeated } = appended.right
    if (repeated) committedUntold += 1
    const kept = (await direct.readStream('stream')).filter((event) => event.causationId === commandId)
    const positions = kept.map(({ position }) => position)
    t.deepEqual(positions, [firstPosition, firstPosition + 1, lastPosition], commandId)
  }
  t.true(committedUntold > 0, 'no answer was lost after its commit')
  t.true(committedUntold < cuts.length, 'none was cut before its commit')
  t.deepEqual((await verifyChain(direct.db)).differences, [])
})

/** Some numbers from 0 up to and without an end, both ends among them. */
const offsets = (end: number, count: number): ReadonlyArray<number> => [
  ...new Set(Array.from({ length: count }, (_, n) => Math.floor((n * (end - 1)) / (count - 1)))),
]

/** Keeps appends waiting in the middle of their transaction, while something is done to them. */
const whileHeadIsHeld = async (database: string, act: () => Promise<void>): Promise<void> => {
  const holding = server
    .ask(database, 'begin; select 1 from docket.head for update; select pg_sleep(1); commit')
    .catch(() => {})
  await until(database, "query like 'begin; select 1 from docket.head%' and wait_event = 'PgSleep'")
  await act()
  await holding
}

const until = async (database: string, what: string): Promise<void> => {
  for (;;) {
    const { rows } = await server.ask(
      database,
      `select 1 from pg_stat_activity where datname = '${database}' and ${what}`,
    )
    if (rows.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const waiting = "application_name = 'docket' and query like '%append_batch%' and wait_event_type = 'Lock'"

test.serial('an append whose process in the server is ended in the middle stands once', async (t) => {
  const { database, store } = await ledger(t)
  let appending: ReturnType<typeof store.append> | null = null
  await whileHeadIsHeld(database, async () => {
    appending = store.append(requestOf(commandOf('ended')))
    await until(database, waiting)
    const { rows } = await server.ask(
      database,
      `select pg_terminate_backend(pid) as ended from pg_stat_activity where datname = '${database}' and ${waiting}`,
    )
    t.deepEqual(rows, [{ ended: true }])
  })
  const appended = await appending
  t.true(appended !== null && E.isRight(appended))
  t.is((await store.head()).position, 3)
  t.deepEqual((await verifyChain(store.db)).differences, [])
})

test.serial('an append in whose middle the server crashes stands once when it is back', async (t) => {
  const { database, store } = await ledger(t)
  await store.append(requestOf(commandOf('before')))
  let appending: ReturnType<typeof store.append> | null = null
  await whileHeadIsHeld(database, async () => {
    appending = store.append(requestOf(commandOf('crashed')))
    await until(database, waiting)
    await server.down()
    await server.up()
  })
  const appended = await appending
  t.true(appended !== null && E.isRight(appended))
  t.is((await store.head()).position, 6)
  t.deepEqual((await verifyChain(store.db)).differences, [])
})

test.serial('a reader says that it is unhealthy while the server is down, and misses nothing', async (t) => {
  const { store } = await ledger(t)
  const seen: Array<number> = []
  const reader = store.follow(0, ({ position }) => void seen.push(position))
  const settled = async (done: () => boolean, what: string): Promise<void> => {
    for (let tries = 0; !done(); tries++) {
      if (tries === 200) return t.fail(what)
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }
  await store.append(requestOf(commandOf('before')))
  await settled(() => seen.length === 3, 'what was appended before is not seen')
  t.true(reader.healthy())
  await server.down()
  await settled(() => !reader.healthy(), 'it says that it is healthy')
  const appending = store.append(requestOf(commandOf('meanwhile')))
  await server.up()
  t.true(E.isRight(await appending))
  await settled(() => seen.length === 6, 'what was appended meanwhile is not seen')
  t.true(reader.healthy())
  t.deepEqual(seen, [1, 2, 3, 4, 5, 6])
  await reader.close()
})

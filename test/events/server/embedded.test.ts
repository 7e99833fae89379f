import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import pg from 'pg'
import { readAddress, type ServerAddress } from '../../../events/server/address.js'
import { embeddedServer } from '../../../events/server/embedded.js'
import { serverLayout } from '../../../events/server/layout.js'
import { serverStatus } from '../../../events/server/status.js'
import { stopServer } from '../../../events/server/stop.js'

/** A home with a space in its name, below a folder that only its owner may enter. */
const freshHome = (t: ExecutionContext): string => {
  const closed = mkdtempSync(join(tmpdir(), 'docket-server-'))
  const home = join(closed, 'a home')
  mkdirSync(home)
  t.teardown(async () => {
    await stopServer(home)
    if ((await serverStatus(home)).state === 'running') throw new Error(`a server of ${home} still runs`)
    rmSync(closed, { recursive: true, force: true })
  })
  return home
}

const query = async (address: ServerAddress, text: string): Promise<ReadonlyArray<unknown>> => {
  const client = new pg.Client({ ...address })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const serverPid = (home: string): number =>
  Number(readFileSync(join(serverLayout(home).data, 'postmaster.pid'), 'utf8').split('\n', 1)[0])

const kill = (...pids: ReadonlyArray<number>): void => {
  for (const pid of pids) process.kill(pid, 'SIGKILL')
}

test('many that start it at once on a fresh home share one server', async (t) => {
  const home = freshHome(t)
  const addresses = await Promise.all(Array.from({ length: 8 }, () => embeddedServer(home)))
  t.is(new Set(addresses.map(({ supervisor }) => supervisor)).size, 1)
  const [address] = addresses
  if (address !== undefined) t.deepEqual(await query(address, 'select 1 as one'), [{ one: 1 }])
})

test('what was committed is there after the server, its supervisor, or both were killed', async (t) => {
  const home = freshHome(t)
  const first = await embeddedServer(home)
  await query(first, 'create table kept (n int); insert into kept values (7)')
  kill(serverPid(home))
  t.deepEqual(await query(await embeddedServer(home), 'select n from kept'), [{ n: 7 }])
  kill((await embeddedServer(home)).supervisor)
  t.deepEqual(await query(await embeddedServer(home), 'select n from kept'), [{ n: 7 }])
  kill(serverPid(home), (await embeddedServer(home)).supervisor)
  t.deepEqual(await query(await embeddedServer(home), 'select n from kept'), [{ n: 7 }])
})

test('a first start that was killed leaves a folder that opens', async (t) => {
  for (const delayMs of [50, 300, 700]) {
    const home = freshHome(t)
    const starting = embeddedServer(home).catch(() => null)
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    const address = await readAddress(serverLayout(home).address)
    if (address !== null) kill(address.supervisor)
    t.deepEqual(await query(await embeddedServer(home), 'select 1 as one'), [{ one: 1 }])
    await starting
  }
})

test('the socket answers nobody without the password', async (t) => {
  const address = await embeddedServer(freshHome(t))
  await t.throwsAsync(query({ ...address, password: 'guessed' }, 'select 1'), { message: /password/ })
})

test('a home that cannot be written is told in words', async (t) => {
  await t.throwsAsync(embeddedServer('/dev/null/home'), { name: 'StoreUnavailable', message: /postgres/ })
})

test.serial('a server that nobody uses ends by itself, and starts again when it is needed', async (t) => {
  const home = freshHome(t)
  process.env.DOCKET_SERVER_IDLE_SECONDS = '1'
  t.teardown(() => {
    delete process.env.DOCKET_SERVER_IDLE_SECONDS
  })
  await embeddedServer(home)
  for (let tries = 0; (await serverStatus(home)).state === 'running' && tries < 200; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  t.is((await serverStatus(home)).state, 'stopped')
  t.deepEqual(await query(await embeddedServer(home), 'select 1 as one'), [{ one: 1 }])
})

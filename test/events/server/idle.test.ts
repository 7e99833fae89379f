import { mkdirSync, renameSync, rmSync } from 'node:fs'
import test from 'ava'
import pg from 'pg'
import { embeddedServer } from '../../../events/server/embedded.js'
import { serverStatus } from '../../../events/server/status.js'
import { freshHome, processesOf, query, until, wait } from './fresh-home.js'

test.beforeEach(() => {
  process.env.DOCKET_SERVER_IDLE_SECONDS = '1'
})

test.serial('a server that nobody uses ends by itself, and starts again when it is needed', async (t) => {
  const home = freshHome(t)
  const first = await embeddedServer(home)
  await until(async () => (await processesOf(home)).length === 0)
  t.is((await serverStatus(home)).state, 'stopped')
  const next = await embeddedServer(home)
  t.not(next.server, first.server)
  t.is(next.host, first.host, 'who kept the address can connect again')
  t.deepEqual(await query(next, 'select 1 as one'), [{ one: 1 }])
})

test.serial('a server with a client stays, however long that says nothing', async (t) => {
  const home = freshHome(t)
  const address = await embeddedServer(home)
  const client = new pg.Client({ ...address })
  await client.connect()
  await wait(3000)
  t.deepEqual((await client.query('select 1 as one')).rows, [{ one: 1 }])
  await client.end()
  await until(async () => (await processesOf(home)).length === 0)
  t.pass()
})

test.serial('short uses keep a server, though none of them is there when it is looked', async (t) => {
  const home = freshHome(t)
  process.env.DOCKET_SERVER_IDLE_SECONDS = '3'
  const first = await embeddedServer(home)
  for (let n = 0; n < 7; n++) {
    await query(await embeddedServer(home), 'select 1')
    await wait(1000)
  }
  t.is((await embeddedServer(home)).server, first.server)
})

test.serial(
  'who asks again after a refusal gets through, though the server ends for idleness all the time',
  async (t) => {
    const home = freshHome(t)
    process.env.DOCKET_SERVER_IDLE_SECONDS = '0.2'
    let refused = 0
    const servers = new Set<number>()
    for (let n = 0; n < 40; n++) {
      for (;;) {
        const address = await embeddedServer(home)
        servers.add(address.server)
        try {
          t.deepEqual(await query(address, 'select 1 as one'), [{ one: 1 }])
          break
        } catch {
          refused++
        }
      }
      await wait(150 + n * 10)
    }
    t.log(`${servers.size} servers, ${refused} refused once`)
    t.true(servers.size > 1)
    t.true(refused < 10)
  },
)

test.serial('a socket that was removed comes back', async (t) => {
  const home = freshHome(t)
  process.env.DOCKET_SERVER_IDLE_SECONDS = '2'
  const first = await embeddedServer(home)
  await query(first, 'create table kept (n int); insert into kept values (7)')
  rmSync(first.host, { recursive: true })
  const next = await embeddedServer(home)
  t.not(next.server, first.server)
  t.deepEqual(await query(next, 'select n from kept'), [{ n: 7 }])
})

test.serial(
  'a home that was removed while its server ran, and made anew, gets a server of its own',
  async (t) => {
    const home = freshHome(t)
    process.env.DOCKET_SERVER_IDLE_SECONDS = '8'
    const first = await embeddedServer(home)
    const away = `${home} away`
    renameSync(home, away)
    rmSync(away, { recursive: true, force: true })
    mkdirSync(home)
    const next = await embeddedServer(home)
    t.not(next.supervisor, first.supervisor)
    await until(async () => (await processesOf(home)).length === 2)
    t.deepEqual(await query(await embeddedServer(home), 'select 1 as one'), [{ one: 1 }])
    t.is((await embeddedServer(home)).server, next.server)
  },
)

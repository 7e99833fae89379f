import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { embeddedServer } from '../../../events/server/embedded.js'
import { serverLayout } from '../../../events/server/layout.js'
import { serverStatus } from '../../../events/server/status.js'
import { stopServer } from '../../../events/server/stop.js'
import { freshHome, openElsewhere, processesOf, query } from './fresh-home.js'

test.serial('eight processes that start it at once on a fresh home share one server', async (t) => {
  const home = freshHome(t)
  const servers = await Promise.all(Array.from({ length: 8 }, () => openElsewhere(home)))
  t.is(new Set(servers).size, 1)
  t.is((await processesOf(home)).length, 2, 'a supervisor and a server')
})

test.serial('many that start it at once in one process share one server', async (t) => {
  const home = freshHome(t)
  const addresses = await Promise.all(Array.from({ length: 8 }, () => embeddedServer(home)))
  t.is(new Set(addresses.map(({ supervisor }) => supervisor)).size, 1)
  const [address] = addresses
  if (address !== undefined) t.deepEqual(await query(address, 'select 1 as one'), [{ one: 1 }])
})

test.serial('a server outlives who started it, and is found as it is', async (t) => {
  const home = freshHome(t)
  const server = await openElsewhere(home)
  t.is((await embeddedServer(home)).server, server)
  const times: Array<number> = []
  for (let n = 0; n < 9; n++) {
    const from = performance.now()
    await embeddedServer(home)
    times.push(performance.now() - from)
  }
  const [, , , , median = Number.POSITIVE_INFINITY] = times.sort((a, b) => a - b)
  t.log(`found in ${median.toFixed(1)} ms`)
  t.true(median < 100)
})

test.serial('the cluster is private, syncs what it commits, and speaks UTF-8', async (t) => {
  const home = freshHome(t)
  const address = await embeddedServer(home)
  const { data, password } = serverLayout(home)
  for (const path of [data, address.host]) t.is(statSync(path).mode & 0o777, 0o700)
  t.is(statSync(password).mode & 0o777, 0o600)
  const rows = await query(
    address,
    `select name, setting from pg_settings where name in
      ('fsync', 'listen_addresses', 'password_encryption', 'server_encoding', 'synchronous_commit') order by 1`,
  )
  t.deepEqual(rows, [
    { name: 'fsync', setting: 'on' },
    { name: 'listen_addresses', setting: '' },
    { name: 'password_encryption', setting: 'scram-sha-256' },
    { name: 'server_encoding', setting: 'UTF8' },
    { name: 'synchronous_commit', setting: 'on' },
  ])
  t.regex(readFileSync(join(data, 'pg_hba.conf'), 'utf8'), /^local\s+all\s+all\s+scram-sha-256$/m)
})

test.serial('the socket answers nobody without the password', async (t) => {
  const address = await embeddedServer(freshHome(t))
  await t.throwsAsync(query({ ...address, password: 'guessed' }, 'select 1'), { message: /password/ })
})

test.serial('its state is told before, while and after it runs', async (t) => {
  const home = freshHome(t)
  t.is((await serverStatus(home)).state, 'never started')
  const { supervisor, server, version, data, host } = await embeddedServer(home)
  t.deepEqual(await serverStatus(home), {
    state: 'running',
    data,
    log: serverLayout(home).log,
    supervisor,
    server,
    version,
    socketFolder: host,
    problem: null,
  })
  await stopServer(home)
  const { state, problem } = await serverStatus(home)
  t.deepEqual({ state, problem }, { state: 'stopped', problem: null })
  t.is(statSync(host, { throwIfNoEntry: false }), undefined, 'the folder of the socket is gone too')
})

test.serial('two stops at once end it, and a third has nothing to do', async (t) => {
  const home = freshHome(t)
  await embeddedServer(home)
  await Promise.all([stopServer(home), stopServer(home)])
  await stopServer(home)
  t.deepEqual(await processesOf(home), [])
})

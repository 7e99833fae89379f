import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { embeddedServer } from '../../../events/server/embedded.js'
import { serverLayout } from '../../../events/server/layout.js'
import { stopServer } from '../../../events/server/stop.js'
import { freshHome, kill, openElsewhere, processesOf, query, until, wait } from './fresh-home.js'

const keep = 'create table kept (n int); insert into kept values (7)'
const kept = [{ n: 7 }]

test.serial('what was committed is there after the server was killed', async (t) => {
  const home = freshHome(t)
  const first = await embeddedServer(home)
  await query(first, keep)
  kill(first.server)
  t.deepEqual(await query(await embeddedServer(home), 'select n from kept'), kept)
})

test.serial('what was committed is there after the supervisor was killed, and one server runs', async (t) => {
  const home = freshHome(t)
  const first = await embeddedServer(home)
  await query(first, keep)
  kill(first.supervisor)
  // It may have been found before it began to end.
  await until(async () => !(await processesOf(home)).includes(first.server))
  const next = await embeddedServer(home)
  t.deepEqual(await query(next, 'select n from kept'), kept)
  t.deepEqual([...(await processesOf(home))].sort(), [next.server, next.supervisor].sort())
})

test.serial('what was committed is there after both were killed', async (t) => {
  const home = freshHome(t)
  const first = await embeddedServer(home)
  await query(first, keep)
  kill(first.supervisor, first.server)
  await until(async () => (await processesOf(home)).length === 0)
  t.deepEqual(await query(await embeddedServer(home), 'select n from kept'), kept)
})

test.serial('a server that does not end with its supervisor is waited for, never doubled', async (t) => {
  const home = freshHome(t)
  const first = await embeddedServer(home)
  await query(first, keep)
  process.kill(first.server, 'SIGSTOP')
  kill(first.supervisor)
  const opening = openElsewhere(home)
  await wait(1500)
  const { data } = serverLayout(home)
  t.is(Number.parseInt(readFileSync(join(data, 'postmaster.pid'), 'utf8'), 10), first.server)
  process.kill(first.server, 'SIGCONT')
  t.not(await opening, first.server)
  t.deepEqual(await query(await embeddedServer(home), 'select n from kept'), kept)
})

for (const [what, victims] of [
  ['all of it', (pids: ReadonlyArray<number>, _supervisor: number) => pids],
  ['its supervisor', (_pids: ReadonlyArray<number>, supervisor: number) => [supervisor]],
] as const) {
  test.serial(
    `a first start of which ${what} was killed, at any moment, leaves a folder that opens`,
    async (t) => {
      const home = freshHome(t)
      const { folder, lock } = serverLayout(home)
      for (const delayMs of [0, 40, 80, 150, 250, 400, 600, 900]) {
        rmSync(folder, { recursive: true, force: true })
        mkdirSync(folder)
        const opening = embeddedServer(home).catch(() => null)
        await until(async () => (await processesOf(home)).length > 0)
        await wait(delayMs)
        const pids = await processesOf(home)
        kill(...victims(pids, Number(readFileSync(lock, 'utf8')) || (pids[0] ?? -1)))
        const address = await embeddedServer(home)
        await opening
        await until(async () => query(await embeddedServer(home), 'select 1').then(Boolean, () => false))
        t.true((await processesOf(home)).length <= 3, `one server after ${delayMs} ms`)
        t.is(address.host, (await embeddedServer(home)).host)
        await stopServer(home)
      }
    },
  )
}

test.serial(
  'a process id in an old file that is another process by now takes no harm and stops nothing',
  async (t) => {
    const home = freshHome(t)
    await query(await embeddedServer(home), keep)
    const { address, data, lock } = serverLayout(home)
    const old = readFileSync(address)
    const pidFile = readFileSync(join(data, 'postmaster.pid'), 'utf8')
    await stopServer(home)
    const stranger = spawn('sleep', ['600'])
    t.teardown(() => stranger.kill())
    writeFileSync(address, old)
    writeFileSync(lock, String(stranger.pid))
    writeFileSync(join(data, 'postmaster.pid'), pidFile.replace(/^\d+/, String(stranger.pid)))
    await stopServer(home)
    t.deepEqual(await query(await embeddedServer(home), 'select n from kept'), kept)
    t.is(stranger.exitCode ?? stranger.signalCode, null)
  },
)

test.serial('who waits for a start whose supervisor is killed gets a server all the same', async (t) => {
  const home = freshHome(t)
  const opening = embeddedServer(home)
  await until(async () => (await processesOf(home)).length > 0)
  kill(...(await processesOf(home)))
  t.deepEqual(await query(await opening, 'select 1 as one'), [{ one: 1 }])
})

test.serial('Ctrl-C in the process that started it stops nobody else', async (t) => {
  const home = freshHome(t)
  const program = `import { embeddedServer } from ${JSON.stringify(new URL('../../../events/server/embedded.js', import.meta.url))}
    console.log((await embeddedServer(${JSON.stringify(home)})).server)
    setInterval(() => {}, 1000)`
  const starter = spawn(process.execPath, ['--input-type=module', '-e', program], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [server] = await once(starter.stdout, 'data')
  // A terminal sends it to the whole group.
  process.kill(-(starter.pid ?? 0), 'SIGINT')
  await once(starter, 'close')
  t.is((await embeddedServer(home)).server, Number(String(server)))
})

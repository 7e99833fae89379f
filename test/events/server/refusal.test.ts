import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { embeddedServer } from '../../../events/server/embedded.js'
import { docketHome } from '../../../events/server/home.js'
import { serverLayout } from '../../../events/server/layout.js'
import { tryLock } from '../../../events/server/lock.js'
import { postgresPrograms } from '../../../events/server/programs.js'
import { adviceOn } from '../../../events/server/server-log.js'
import { serverStatus } from '../../../events/server/status.js'
import { stopServer } from '../../../events/server/stop.js'
import { freshHome, openElsewhere, processesOf, query } from './fresh-home.js'

test.serial('the home is DOCKET_HOME, else a folder in the state of the user', (t) => {
  t.is(docketHome({ DOCKET_HOME: '/a/b', XDG_STATE_HOME: '/c' }), '/a/b')
  t.is(docketHome({ DOCKET_HOME: 'a' }), join(process.cwd(), 'a'))
  t.is(docketHome({ XDG_STATE_HOME: '/c' }), '/c/docket')
  t.regex(docketHome({ DOCKET_HOME: '', XDG_STATE_HOME: '' }), /\/\.local\/state\/docket$/)
})

test.serial('a home that cannot be written is told in words', async (t) => {
  await t.throwsAsync(embeddedServer('/dev/null/home'), {
    name: 'StoreUnavailable',
    message: /\/dev\/null\/home\/postgres cannot be used: .*DOCKET_HOME/,
  })
})

test.serial('a cluster of another version is left as it is, and told', async (t) => {
  const home = freshHome(t)
  const { data } = serverLayout(home)
  await embeddedServer(home)
  await stopServer(home)
  writeFileSync(join(data, 'PG_VERSION'), '11\n')
  await t.throwsAsync(embeddedServer(home), {
    name: 'StoreUnavailable',
    message: /was made by PostgreSQL 11 and this Docket has \d+: export/,
  })
  t.is(readFileSync(join(data, 'PG_VERSION'), 'utf8'), '11\n')
})

test.serial('a cluster whose password is gone is not replaced', async (t) => {
  const home = freshHome(t)
  const { data, password } = serverLayout(home)
  await embeddedServer(home)
  await stopServer(home)
  renameSync(password, `${password}.away`)
  await t.throwsAsync(embeddedServer(home), { name: 'StoreUnavailable', message: /is gone: put it back/ })
  renameSync(`${password}.away`, password)
  await embeddedServer(home)
  t.true(statSync(data).isDirectory())
})

test.serial('a server that works where this process cannot see it is never doubled, and told', async (t) => {
  const home = freshHome(t)
  await embeddedServer(home)
  await stopServer(home)
  // So it looks from another container: the kernel says that the lock is held, and no process can be seen.
  const lock = await tryLock(serverLayout(home).lock)
  await t.throwsAsync(embeddedServer(home, 1000), {
    name: 'StoreUnavailable',
    message: /cannot be reached from here: a container or another system/,
  })
  t.deepEqual(await processesOf(home), [])
  await lock?.close()
  await embeddedServer(home)
})

test.serial('a server that was started by hand on the cluster is left alone, and told', async (t) => {
  const home = freshHome(t)
  await embeddedServer(home)
  await stopServer(home)
  const asRoot = process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=65534'] : []
  const sockets = mkdtempSync(join(tmpdir(), 'docket-socket-'))
  t.teardown(() => rmSync(sockets, { recursive: true, force: true }))
  const postgres = [join(postgresPrograms().native, 'bin', 'postgres'), '-D', serverLayout(home).data]
  const [command = '', ...args] = [...asRoot, ...postgres, '-c', 'listen_addresses=', '-k', sockets]
  const byHand = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  byHand.stderr.resume()
  await once(byHand.stderr, 'data')
  await t.throwsAsync(embeddedServer(home), {
    name: 'StoreUnavailable',
    message: new RegExp(`Docket did not start .*kill -INT ${byHand.pid}`),
  })
  t.is(byHand.exitCode ?? byHand.signalCode, null)
  byHand.kill('SIGINT')
  await once(byHand, 'exit')
  await embeddedServer(home)
})

test.serial('a supervisor without the lock begins nothing', async (t) => {
  const home = freshHome(t)
  const { supervisor } = await embeddedServer(home)
  const program = fileURLToPath(new URL('../../../events/server/supervisor.js', import.meta.url))
  const child = spawn(process.execPath, [program, home], { stdio: ['ignore', 'ignore', 'pipe'] })
  const text = String((await once(child.stderr, 'data'))[0])
  t.regex(text, /holds its lock/)
  t.is((await embeddedServer(home)).supervisor, supervisor)
})

test.serial('a full disk, and what else is known, is told with what to do', (t) => {
  const full = 'PANIC:  could not write to file "pg_wal/xlogtemp.27": No space left on device'
  t.regex(adviceOn([full]) ?? '', /disk is full: free/)
  t.regex(adviceOn(['EACCES: permission denied']) ?? '', /chown/)
  t.is(adviceOn(['LOG:  database system is ready to accept connections']), null)
})

test.serial('what is wrong is in the status, with what to do', async (t) => {
  const home = freshHome(t)
  await embeddedServer(home)
  await stopServer(home)
  writeFileSync(serverLayout(home).log, 'FATAL:  could not write lock file: No space left on device\n')
  const { problem } = await serverStatus(home)
  t.regex(problem?.says ?? '', /No space left/)
  t.regex(problem?.help ?? '', /free some space/)
})

test.serial(
  'where user namespaces are forbidden, root still gets a server that is not root, with its data',
  async (t) => {
    const home = freshHome(t)
    await query(await embeddedServer(home), 'create table kept (n int); insert into kept values (7)')
    await stopServer(home)
    const programs = mkdtempSync(join(tmpdir(), 'docket-path-'))
    t.teardown(() => rmSync(programs, { recursive: true, force: true }))
    writeFileSync(join(programs, 'unshare'), '#!/bin/sh\nexit 1\n')
    chmodSync(join(programs, 'unshare'), 0o755)
    const wasThere = existsSync('/var/lib/docket')
    const server = await openElsewhere(home, { PATH: `${programs}:${process.env.PATH}` })
    const { data } = await embeddedServer(home)
    if (data !== serverLayout(home).data) {
      t.is(dirname(dirname(data)), '/var/lib/docket/clusters')
      t.teardown(() => rmSync(wasThere ? dirname(data) : '/var/lib/docket', { recursive: true, force: true }))
    }
    t.not(execFileSync('ps', ['-o', 'uid=', '-p', String(server)], { encoding: 'utf8' }).trim(), '0')
    t.deepEqual(await query(await embeddedServer(home), 'select n from kept'), [{ n: 7 }])
    await stopServer(home)
    // It stays there, whatever is allowed later.
    t.is((await embeddedServer(home)).data, data)
    t.deepEqual(await query(await embeddedServer(home), 'select n from kept'), [{ n: 7 }])
    await stopServer(home)
  },
)

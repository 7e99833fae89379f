import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { ServerAddress } from './address.js'
import { type ServerLayout, serverLayout } from './layout.js'
import { type Cluster, makeCluster, superuser } from './make-cluster.js'
import { choosePrivileges, type Privileges } from './privileges.js'
import { postgresPrograms } from './programs.js'
import { socketFolder } from './socket-folder.js'

/**
 * Runs the server of one home for as long as somebody uses it. It is started with the lock of the cluster
 * open as descriptor 9 and hands it on to the server, so that the kernel frees it when the last process of
 * either is gone: whoever has it may take a process-id file that is there for stale.
 */
const lockDescriptor = 9

const main = async (home: string): Promise<number> => {
  const layout = serverLayout(home)
  await rm(layout.address, { force: true })
  const privileges = await choosePrivileges()
  const cluster = await makeCluster(layout, postgresPrograms(), privileges)
  const host = await socketFolder(home, privileges)
  await clearStale(cluster, host)
  const server = startServer(cluster, privileges, host)
  const ended = new Promise<number>((resolve) => {
    server.once('error', () => resolve(1))
    server.once('exit', (code) => resolve(code ?? 1))
  })
  let asked = false
  const stop = (): void => {
    asked = true
    server.kill('SIGINT')
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)

  const ready = await Promise.race([isReady(cluster), ended.then(() => false)])
  if (!ready) return ended
  const address: ServerAddress = {
    host,
    port,
    user: superuser,
    password: cluster.password,
    database: 'postgres',
    supervisor: process.pid,
  }
  await publish(layout, address)
  void stopWhenIdle(layout, address, server)
  const code = await ended
  await rm(layout.address, { force: true })
  return asked ? 0 : code
}

const port = 5432

/**
 * Removes what a server that was killed left behind. PostgreSQL itself would refuse to start when another
 * process has the number by now; we hold the lock, so no server of this cluster lives.
 */
const clearStale = async ({ data }: Cluster, host: string): Promise<void> => {
  for (const path of [join(data, 'postmaster.pid'), ...socketFiles.map((name) => join(host, name))]) {
    await rm(path, { force: true })
  }
}

const socketFiles = [`.s.PGSQL.${port}`, `.s.PGSQL.${port}.lock`]

const startServer = ({ bin, data }: Cluster, { prefix }: Privileges, host: string): ChildProcess => {
  const settings = {
    listen_addresses: '',
    unix_socket_directories: host,
    unix_socket_permissions: '0700',
    port: String(port),
    max_connections: '200',
    log_timezone: 'UTC',
    timezone: 'UTC',
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // When the supervisor is killed the server shuts down in good order; elsewhere than on Linux it stays until
  // the next supervisor finds the lock held and waits.
  const dies = existsSync('/usr/bin/setpriv') ? ['/usr/bin/setpriv', '--pdeathsig', 'INT'] : []
  const [command = '', ...rest] = [...prefix, ...dies, join(bin, 'postgres'), '-D', data, ...args]
  const stdio: Array<'ignore' | 'inherit' | number> = ['ignore', 'inherit', 'inherit', lockDescriptor]
  return spawn(command, rest, { cwd: '/', stdio })
}

/** The server writes how far it is into its process-id file. */
const isReady = async ({ data }: Cluster): Promise<boolean> => {
  for (;;) {
    const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
    if (lines[7]?.trim() === 'ready') return true
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const publish = async ({ address: path }: ServerLayout, address: ServerAddress): Promise<void> => {
  await writeFile(`${path}.new`, JSON.stringify(address), { mode: 0o600 })
  await rename(`${path}.new`, path)
}

const idleMs = Number(process.env.DOCKET_SERVER_IDLE_SECONDS ?? 60) * 1000

/** Ends the server when nobody has been connected for a while; a look costs one short connection. */
const stopWhenIdle = async (
  layout: ServerLayout,
  address: ServerAddress,
  server: ChildProcess,
): Promise<void> => {
  let since = performance.now()
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(idleMs / 4, 5000)))
    if (server.exitCode !== null || server.signalCode !== null) return
    if (await isUsed(address)) since = performance.now()
    if (performance.now() - since < idleMs) continue
    // Nobody finds it from here on; who found it before is let finish.
    await rm(layout.address, { force: true })
    server.kill('SIGTERM')
    return
  }
}

/** Whether anybody but us is connected; a server that does not answer is not idle, it is busy or ending. */
const isUsed = async (address: ServerAddress): Promise<boolean> => {
  const client = new pg.Client({ ...address, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ readonly used: boolean }>(
      "select exists (select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()) as used",
    )
    return rows[0]?.used ?? true
  } catch {
    return true
  } finally {
    await client.end().catch(() => {})
  }
}

const [home = ''] = process.argv.slice(2)
process.exitCode = await main(home).catch((cause: unknown) => {
  process.stderr.write(
    `${new Date().toISOString()} supervisor: ${cause instanceof Error ? cause.message : cause}\n`,
  )
  return 1
})
// A timer of ours may still be waiting; the server is gone.
process.exit()

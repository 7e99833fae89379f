import type { ChildProcess } from 'node:child_process'
import { existsSync, fstatSync, ftruncateSync, statSync, writeSync } from 'node:fs'
import { rm, rmdir } from 'node:fs/promises'
import { StoreUnavailable } from '../store/store-unavailable.js'
import type { ServerAddress } from './address.js'
import { writeDurably } from './durable.js'
import { type ServerLayout, serverLayout } from './layout.js'
import { clearStale, endLeftover } from './leftover.js'
import { tryLock } from './lock.js'
import { makeCluster, superuser } from './make-cluster.js'
import { postgresPrograms } from './programs.js'
import { trimLog } from './server-log.js'
import { socketFolder } from './socket-folder.js'
import { isReady, port, socketFiles, startPostgres } from './start-postgres.js'
import { watchUsage } from './usage.js'

/**
 * Runs the server of one home for as long as somebody uses it. It is started with the supervisor's lock as
 * descriptor 3 and keeps that to itself. The cluster's lock goes on to every process that works in the
 * cluster, so that a supervisor which comes after one that was killed waits until they are gone.
 */
const ownLock = 3

const main = async (home: string): Promise<number> => {
  const layout = serverLayout(home)
  if (!isStillOurs(layout)) throw new StoreUnavailable('a supervisor is started by Docket and holds its lock')
  ftruncateSync(ownLock)
  writeSync(ownLock, String(process.pid))
  const stop = new Promise<'stop'>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => resolve('stop'))
  })
  await trimLog(layout.log)

  const lock = await lockCluster(layout)
  const programs = postgresPrograms()
  const cluster = await Promise.race([stop, makeCluster(layout, programs, lock)])
  if (cluster === 'stop') return 0
  const host = await socketFolder(home, cluster.password, cluster.privileges)
  await clearStale(cluster.data, socketFiles(host))
  const server = await startPostgres(cluster, host, lock)
  const ended = endOf(server)
  const began = await Promise.race([stop, isReady(cluster), ended])
  if (began === true) {
    const address: ServerAddress = {
      host,
      port,
      user: superuser,
      password: cluster.password,
      database: 'postgres',
      supervisor: process.pid,
      server: server.pid ?? 0,
      data: cluster.data,
      version: programs.version,
    }
    await writeDurably(layout.address, JSON.stringify(address))
    const over = await Promise.race([stop, ended, untilIdle(layout, address)])
    if (over !== 'stop') say(typeof over === 'number' ? `the server ended with ${over}` : over)
    // Nobody finds it from here on.
    if (isStillOurs(layout)) await rm(layout.address, { force: true })
  }
  const wasAsked = server.exitCode === null && server.signalCode === null
  server.kill('SIGINT')
  const code = await ended
  await rmdir(host).catch(() => {})
  return wasAsked ? 0 : code || 1
}

const say = (text: string): void => {
  process.stderr.write(`${new Date().toISOString()} supervisor ${process.pid}: ${text}\n`)
}

/** False once the home was removed, or removed and made anew: then nothing below its path is ours. */
const isStillOurs = ({ lock }: ServerLayout): boolean => {
  const found = statSync(lock, { throwIfNoEntry: false })
  return found !== undefined && found.ino === fstatSync(ownLock).ino
}

const longestWaitMs = 30_000

/** The descriptor of the cluster's lock, once what an earlier supervisor started is gone. */
const lockCluster = async ({ clusterLock, data }: ServerLayout): Promise<number> => {
  for (const until = performance.now() + longestWaitMs; performance.now() < until; ) {
    const lock = await tryLock(clusterLock)
    if (lock !== null) {
      held.push(lock)
      return lock.fd
    }
    await endLeftover(data)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new StoreUnavailable(
    `a server that an earlier supervisor started still works on ${data} and does not end; in a container or on another system, stop it there`,
  )
}

/** A file handle that nothing refers to is closed, and the lock with it. */
const held: Array<unknown> = []

const endOf = (server: ChildProcess): Promise<number> =>
  new Promise((resolve) => {
    server.once('error', (cause) => {
      say(cause.message)
      resolve(1)
    })
    server.once('exit', (code) => resolve(code ?? 1))
  })

const asked = Number(process.env.DOCKET_SERVER_IDLE_SECONDS ?? '')
const idleMs = (asked > 0 && asked < 1e6 ? asked : 60) * 1000
const lookMs = Math.min(Math.max(idleMs / 4, 50), 5000)
/** How long after its address is gone a server that nobody uses waits for who had just read it. */
const graceMs = 200

/** Resolves with the reason once nobody has been connected for a while, or nobody can. */
const untilIdle = async (layout: ServerLayout, address: ServerAddress): Promise<string> => {
  const usage = watchUsage(address)
  const [socket = ''] = socketFiles(address.host)
  let since = performance.now()
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, lookMs))
    if (!isStillOurs(layout)) return 'its home is gone'
    if (!existsSync(socket)) return `${socket} was removed, so nobody can connect`
    if (await usage.sinceLastLook()) since = performance.now()
    if (performance.now() - since < idleMs) continue
    await rm(layout.address, { force: true })
    await new Promise((resolve) => setTimeout(resolve, graceMs))
    if (!(await usage.sinceLastLook())) return 'nobody uses the server'
    since = performance.now()
    await writeDurably(layout.address, JSON.stringify(address))
  }
}

const [home = ''] = process.argv.slice(2)
process.exitCode = await main(home).catch((cause: unknown) => {
  say(
    cause instanceof StoreUnavailable ? cause.message : String(cause instanceof Error ? cause.stack : cause),
  )
  return 1
})
// A timer of ours may still be waiting; what was started ends with us.
process.exit()

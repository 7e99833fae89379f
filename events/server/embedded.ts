import { type ChildProcess, spawn } from 'node:child_process'
import { type FileHandle, mkdir, open, readFile, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { StoreUnavailable } from '../store/store-unavailable.js'
import { answers, readAddress, type ServerAddress } from './address.js'
import { type ServerLayout, serverLayout } from './layout.js'
import { tryLock } from './lock.js'
import { supervises } from './process-id.js'
import { adviceIn, adviceOn, logEnd } from './server-log.js'

/** How long a start may take in all, in milliseconds: the first one makes the cluster, one after a crash reads its log. */
const longestStartMs = 60_000

/**
 * The address of the embedded server of a home. Where none answers, a supervisor is started; of many
 * processes that do so at once, one gets the lock and hands it to its supervisor, and all wait for the address.
 *
 * It answered a moment ago and may end all the same: who cannot connect asks again.
 *
 * Throws `StoreUnavailable`, with the end of the log, when the server does not come up.
 */
export const embeddedServer = async (home: string, longestMs = longestStartMs): Promise<ServerAddress> => {
  const layout = serverLayout(home)
  const until = performance.now() + longestMs
  let started: Started | null = null
  for (let waitMs = 5; performance.now() < until; waitMs = Math.min(waitMs * 1.5, 100)) {
    const address = await readAddress(layout.address)
    if (address !== null && (await answers(address))) return address
    if (started !== null && hasFailed(started.supervisor)) {
      throw await failedStart(layout, 'did not start', started.logFrom)
    }
    if (started === null || hasEnded(started.supervisor)) started = await start(home, layout)
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
  throw await neverAnswered(home, layout, longestMs)
}

type Started = { readonly supervisor: ChildProcess; readonly logFrom: number }

/** One that was killed or stopped is started again; one that gave up has said why. */
const hasFailed = ({ exitCode }: ChildProcess): boolean => exitCode !== null && exitCode !== 0

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

const supervisorMain = fileURLToPath(new URL('./supervisor.js', import.meta.url))

/** Starts a supervisor, unless one holds the lock. */
const start = async (home: string, layout: ServerLayout): Promise<Started | null> => {
  const lock = await lockOf(layout)
  if (lock === null) return null
  const log = await open(layout.log, 'a', 0o600)
  try {
    // What was left by one that was killed: the next server will answer at the same socket.
    await rm(layout.address, { force: true })
    const { size: logFrom } = await log.stat()
    const supervisor = spawn(process.execPath, [supervisorMain, home], {
      cwd: '/',
      detached: true,
      stdio: ['ignore', log.fd, log.fd, lock.fd],
      env: environment(),
    })
    supervisor.on('error', () => {})
    supervisor.unref()
    return { supervisor, logFrom }
  } finally {
    await log.close()
    await lock.close()
  }
}

const lockOf = async ({ folder, lock }: ServerLayout): Promise<FileHandle | null> => {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return await tryLock(lock)
  } catch (cause) {
    if (cause instanceof StoreUnavailable) throw cause
    const why = cause instanceof Error ? cause.message : String(cause)
    const advice = adviceOn([why]) ?? 'set DOCKET_HOME to a folder of yours'
    throw new StoreUnavailable(`${folder} cannot be used: ${why}; ${advice}`, { cause })
  }
}

/** What the supervisor needs and nothing else, so that no variable of ours reaches the server. */
const environment = (): NodeJS.ProcessEnv => {
  const { PATH = '/usr/bin:/bin', TMPDIR, XDG_RUNTIME_DIR, DOCKET_SERVER_IDLE_SECONDS } = process.env
  return {
    PATH,
    LC_ALL: 'C',
    TZ: 'UTC',
    ...(TMPDIR === undefined ? {} : { TMPDIR }),
    ...(XDG_RUNTIME_DIR === undefined ? {} : { XDG_RUNTIME_DIR }),
    ...(DOCKET_SERVER_IDLE_SECONDS === undefined ? {} : { DOCKET_SERVER_IDLE_SECONDS }),
  }
}

const failedStart = async (
  { folder, log }: ServerLayout,
  what: string,
  logFrom?: number,
): Promise<StoreUnavailable> => {
  const lines = await logEnd(log, logFrom)
  const advice = await adviceIn(folder, lines)
  const start = `the embedded PostgreSQL ${what}${advice === null ? '' : `: ${advice}`}`
  return new StoreUnavailable(`${start}. The end of ${log}:\n  ${lines.join('\n  ')}`)
}

const neverAnswered = async (
  home: string,
  layout: ServerLayout,
  longestMs: number,
): Promise<StoreUnavailable> => {
  const pid = Number(await readFile(layout.lock, 'utf8').catch(() => ''))
  const seen = await supervises(pid, home)
  return failedStart(
    layout,
    seen
      ? `did not answer within ${longestMs / 1000} s (supervisor ${pid})`
      : `of ${layout.folder} cannot be reached from here: a container or another system may be running it; stop it there`,
  )
}

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, open, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { StoreUnavailable } from '../store/store-unavailable.js'
import { answers, readAddress, type ServerAddress } from './address.js'
import { type ServerLayout, serverLayout } from './layout.js'
import { lockTaken } from './supervisor-exit.js'

/** How long a start may take in all, in milliseconds: the first one makes the cluster. */
const longestStartMs = 60_000

/**
 * The address of the embedded server of a home. Where none answers, a supervisor is started; of many
 * processes that do so at once, the one that gets the lock stays and the others wait for its address.
 *
 * Throws `StoreUnavailable` with the end of the log when the server does not come up.
 */
export const embeddedServer = async (home: string): Promise<ServerAddress> => {
  const layout = serverLayout(home)
  const until = performance.now() + longestStartMs
  let supervisor: ChildProcess | null = null
  for (let waitMs = 5; performance.now() < until; waitMs = Math.min(waitMs * 1.5, 100)) {
    const address = await readAddress(layout.address)
    if (address !== null && (await answers(address))) {
      supervisor?.unref()
      return address
    }
    if (supervisor === null || supervisor.exitCode === lockTaken) {
      supervisor = await startSupervisor(home, layout)
    } else if (supervisor.exitCode !== null || supervisor.signalCode !== null) {
      throw await failedStart(layout, 'did not start')
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
  throw await failedStart(layout, `did not answer within ${longestStartMs / 1000} s`)
}

const supervisorMain = fileURLToPath(new URL('./supervisor.js', import.meta.url))

/** Takes the lock without waiting, and hands it on to the supervisor as descriptor 9. */
const takeLock = `exec 9>>"$1" || exit 1
if command -v flock >/dev/null 2>&1; then flock -n 9 || exit ${lockTaken}
elif command -v lockf >/dev/null 2>&1; then lockf -s -t 0 9 || exit ${lockTaken}
else echo 'neither flock nor lockf is there to lock the cluster with' >&2; exit 1
fi
exec "$2" "$3" "$4"`

const startSupervisor = async (home: string, layout: ServerLayout): Promise<ChildProcess> => {
  await mkdir(layout.folder, { recursive: true, mode: 0o700 }).catch((cause: unknown) => {
    throw new StoreUnavailable(`${layout.folder} cannot be made: ${String(cause)}`, { cause })
  })
  const log = await open(layout.log, 'a', 0o600)
  try {
    const args = ['-c', takeLock, 'docket', layout.lock, process.execPath, supervisorMain, home]
    const child = spawn('/bin/sh', args, {
      cwd: '/',
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      env: environment(),
    })
    child.on('error', () => {})
    child.unref()
    return child
  } finally {
    await log.close()
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

const failedStart = async ({ log }: ServerLayout, what: string): Promise<StoreUnavailable> => {
  const text = await readFile(log, 'utf8').catch(() => '')
  const end = text.trimEnd().split('\n').slice(-5).join('\n  ')
  return new StoreUnavailable(`the embedded PostgreSQL ${what}. The end of ${log}:\n  ${end}`)
}

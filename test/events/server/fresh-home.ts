import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { ExecutionContext } from 'ava'
import pg from 'pg'
import type { ServerAddress } from '../../../events/server/address.js'
import { stopServer } from '../../../events/server/stop.js'

const run = promisify(execFile)

/** A home with a space in its name, below a folder that only its owner may enter. Nothing of it may be left. */
export const freshHome = (t: ExecutionContext): string => {
  const closed = mkdtempSync(join(tmpdir(), 'docket-server-'))
  const home = join(closed, 'a home')
  mkdirSync(home)
  t.teardown(async () => {
    await stopServer(home)
    const left = await processesOf(home)
    rmSync(closed, { recursive: true, force: true })
    if (left.length > 0) throw new Error(`processes of ${home} are left: ${left.join(', ')}`)
  })
  return home
}

export const query = async (address: ServerAddress, text: string): Promise<ReadonlyArray<unknown>> => {
  const client = new pg.Client({ ...address })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** The processes that name a home in their command line: its supervisor, its server, and what makes a cluster. */
export const processesOf = async (home: string): Promise<ReadonlyArray<number>> => {
  const { stdout } = await run('ps', ['-eww', '-o', 'pid=,command='])
  return stdout
    .split('\n')
    .filter((line) => line.includes(home))
    .map((line) => Number.parseInt(line, 10))
}

/** Ends processes at once, as far as they are still there. */
export const kill = (...pids: ReadonlyArray<number>): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It was quicker.
    }
  }
}

export const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Waits until something holds; the test's own time limit ends it. */
export const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await holds())) await wait(20)
}

/** Opens a home in a process of its own, and resolves with the process id of the server it found. */
export const openElsewhere = async (home: string, env: NodeJS.ProcessEnv = {}): Promise<number> => {
  const program = fileURLToPath(new URL('./open-home.js', import.meta.url))
  const child = spawn(process.execPath, [program, home], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`it ended with ${code}`)
  return Number(text)
}

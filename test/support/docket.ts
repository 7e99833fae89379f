import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { freshDatabase } from './ledger.js'
import { root } from './scratch-job.js'

export type Ended = {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

export type Docket = {
  readonly env: NodeJS.ProcessEnv
  readonly home: string
  /** Runs `docket` as a process of its own, as a person would. */
  readonly run: (...args: ReadonlyArray<string>) => Promise<Ended>
  readonly start: (args: ReadonlyArray<string>, env?: NodeJS.ProcessEnv) => Started
}

export type Started = {
  readonly ended: Promise<Ended>
  readonly kill: (signal: NodeJS.Signals) => void
  /** Waits until stderr has said something. */
  readonly says: (text: string) => Promise<void>
}

/** The command line on a home and a database of their own, with an oracle that answers from a file. */
export const docketOn = async (t: ExecutionContext): Promise<Docket> => {
  const home = mkdtempSync(join(tmpdir(), 'docket-cli-'))
  t.teardown(() => rmSync(home, { recursive: true, force: true }))
  const stub = join(root, 'fixtures', 'reference-check', 'stub-oracle.mjs')
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    DOCKET_HOME: home,
    DATABASE_URL: await freshDatabase(t),
    JOBS_ORACLE: `${process.execPath} ${JSON.stringify(stub)}`,
  }
  const start: Docket['start'] = (args, more = {}) => startDocket(args, { ...env, ...more })
  return { env, home, start, run: (...args) => start(args).ended }
}

const startDocket = (args: ReadonlyArray<string>, env: NodeJS.ProcessEnv): Started => {
  const child = spawn(process.execPath, [join(root, 'cli', 'docket.mjs'), ...args], { env })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
  return {
    ended,
    kill: (signal) => void child.kill(signal),
    says: async (text) => {
      while (!stderr.includes(text) && child.exitCode === null) {
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      if (!stderr.includes(text)) throw new Error(`it never said ${text}, but: ${stderr}`)
    },
  }
}

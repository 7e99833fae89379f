import { spawn } from 'node:child_process'
import type { EventStore } from '../events/store/event-store.js'
import { renderHead } from '../events/store/kept-head.js'
import { note } from './output.js'

/** Milliseconds that the hook may take. */
const longestMs = 30_000

/**
 * Hands the head to the command of `DOCKET_HEAD_HOOK`, on its standard input as `docket head` prints it, so that it is
 * kept where nobody who can write the ledger can reach it. The job's id is in `DOCKET_JOB`. A hook that fails is told,
 * and changes nothing about how the job ended.
 */
export const sendHead = async (store: EventStore, job: string): Promise<void> => {
  const { DOCKET_HEAD_HOOK: command = '' } = process.env
  if (command === '') return
  try {
    const failed = await give(command, job, `${renderHead(await store.head())}\n`)
    if (failed !== null) note(`the head was not sent: DOCKET_HEAD_HOOK ${failed}`)
  } catch (cause) {
    note(`the head was not sent: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

/** Resolves with how the command failed, null when it did not. */
const give = (command: string, job: string, line: string): Promise<string | null> =>
  new Promise((resolve) => {
    // A group of its own, so that what it started ends with it; stdout holds data of ours alone.
    const child = spawn('sh', ['-c', command], {
      stdio: ['pipe', 2, 2],
      detached: true,
      env: { ...process.env, DOCKET_JOB: job },
    })
    const timer = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      resolve(`did not end within ${longestMs / 1000} s`)
    }, longestMs)
    child.once('error', (cause) => {
      clearTimeout(timer)
      resolve(`did not start: ${cause.message}`)
    })
    child.once('exit', (code, signal) => {
      clearTimeout(timer)
      resolve(code === 0 ? null : `ended with ${signal ?? `exit code ${code}`}`)
    })
    // One that does not read it has its own reasons.
    child.stdin?.on('error', () => {})
    child.stdin?.end(line)
  })

import { fileURLToPath } from 'node:url'
import { docketHome } from '../events/server/home.js'
import type { EventStore } from '../events/store/event-store.js'
import { ownIdentity } from '../runner/identity.js'
import type { Runner } from '../runner/runner.js'
import { note } from './output.js'

/** Docket's own folder, two above this file when it is built. */
const root = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

export const toolsFolder = root('dist/tools')
const oracleMain = root('oracle/oracle.mjs')

export type StartedRunner = {
  readonly runner: Runner
  readonly stoppedBy: () => 'SIGINT' | 'SIGTERM' | null
  /** Gives the signals back. */
  release(): void
}

/**
 * The runner of this process. The first SIGINT or SIGTERM lets the stage end in good order, a second one
 * kills it at once; both leave a job that can be resumed.
 */
export const startRunner = (store: EventStore): StartedRunner => {
  const interrupt = new AbortController()
  const hurry = new AbortController()
  let stoppedBy: 'SIGINT' | 'SIGTERM' | null = null
  const onSignal = (signal: 'SIGINT' | 'SIGTERM'): void => {
    if (stoppedBy !== null) {
      hurry.abort(signal)
      return
    }
    stoppedBy = signal
    note('stopping: the stage is ended and its end recorded; once more to kill it now')
    interrupt.abort(signal)
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  const { JOBS_ORACLE: given = '' } = process.env
  return {
    runner: {
      store,
      home: docketHome(process.env),
      identity: ownIdentity(),
      oracle: given.trim() === '' ? [process.execPath, oracleMain] : given,
      env: process.env,
      interrupt: interrupt.signal,
      hurry: hurry.signal,
      graceMs: 5000,
    },
    stoppedBy: () => stoppedBy,
    release: () => {
      process.off('SIGINT', onSignal)
      process.off('SIGTERM', onSignal)
    },
  }
}

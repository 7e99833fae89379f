import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import type { Ending } from '../events/values/ending.js'

export type ProcessSpec = {
  readonly argv: ReadonlyArray<string>
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Files for the three standard streams, so that no descendant can hold the runner up by a pipe. */
  readonly stdin: string
  readonly stdout: string
  readonly stderr: string
  /** When to end it, in milliseconds, and under which name; `null` never. */
  readonly limit: { readonly ms: number; readonly cause: 'timed-out' | 'out-of-time' } | null
  /** Aborted when the runner is told to stop. */
  readonly interrupt: AbortSignal
  /** Aborted when it is told so again: no grace any more. */
  readonly hurry: AbortSignal
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly graceMs: number
}

export type ProcessEnd = { readonly ending: Ending; readonly durationMs: number }

/**
 * Runs a program as the leader of its own process group and settles when it has ended, whatever its
 * descendants do; what is left of the group is killed then. The first cause of its end is the one told.
 */
export const runProcess = (spec: ProcessSpec): Promise<ProcessEnd> =>
  new Promise((resolve) => {
    const began = performance.now()
    const [command = '', ...args] = spec.argv
    const child = start(command, args, spec)
    if (child instanceof Error) {
      resolve({ ending: couldNotStart(child), durationMs: Math.round(performance.now() - began) })
      return
    }

    let cause: Ending['cause'] = 'exited'
    const timers: Array<NodeJS.Timeout> = []
    const end = (why: Ending['cause']): void => {
      if (cause !== 'exited') return
      cause = why
      killGroup(child, 'SIGTERM')
      timers.push(setTimeout(() => killGroup(child, 'SIGKILL'), spec.graceMs))
    }
    const onInterrupt = (): void => end('interrupted')
    const onHurry = (): void => killGroup(child, 'SIGKILL')
    const { limit } = spec
    if (limit !== null) {
      // A timer holds at most 2^31 - 1 ms; a longer limit is set again when that has passed.
      const arm = (leftMs: number): void => {
        const stepMs = Math.min(leftMs, 2 ** 31 - 1)
        timers.push(setTimeout(() => (leftMs > stepMs ? arm(leftMs - stepMs) : end(limit.cause)), stepMs))
      }
      arm(limit.ms)
    }
    spec.interrupt.addEventListener('abort', onInterrupt)
    spec.hurry.addEventListener('abort', onHurry)
    if (spec.interrupt.aborted) onInterrupt()

    const settle = (ending: Ending): void => {
      for (const timer of timers) clearTimeout(timer)
      spec.interrupt.removeEventListener('abort', onInterrupt)
      spec.hurry.removeEventListener('abort', onHurry)
      resolve({ ending, durationMs: Math.round(performance.now() - began) })
    }
    child.once('error', (error) => {
      if (child.pid === undefined) settle(couldNotStart(error))
    })
    child.once('exit', (code, signal) => {
      killGroup(child, 'SIGKILL')
      settle({ cause, code, signal, message: null })
    })
  })

/** Node.js tells some reasons not to start by an event, and throws others: a path through a file, a list too long. */
const start = (command: string, args: ReadonlyArray<string>, spec: ProcessSpec): ChildProcess | Error => {
  const files = [openSync(spec.stdin, 'r'), openSync(spec.stdout, 'w'), openSync(spec.stderr, 'w')]
  try {
    return spawn(command, args, { cwd: spec.cwd, env: spec.env, detached: true, stdio: files })
  } catch (cause) {
    return cause instanceof Error ? cause : new Error(String(cause))
  } finally {
    for (const file of files) closeSync(file)
  }
}

const couldNotStart = ({ message }: Error): Ending => ({
  cause: 'could-not-start',
  code: null,
  signal: null,
  message,
})

const killGroup = ({ pid }: ChildProcess, signal: NodeJS.Signals): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // Nobody is left in the group.
  }
}

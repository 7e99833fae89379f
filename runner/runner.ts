import type { EventStore } from '../events/store/event-store.js'
import type { RunnerIdentity } from './identity.js'

/** Everything from outside that driving a job needs. */
export type Runner = {
  readonly store: EventStore
  /** Docket's home, below which each job has a folder of its own. */
  readonly home: string
  readonly identity: RunnerIdentity
  /** The oracle that the runner starts: a line for `sh -c`, or a program with its arguments. */
  readonly oracle: string | ReadonlyArray<string>
  /** The runner's own environment, of which a stage sees a short list. */
  readonly env: NodeJS.ProcessEnv
  /** Aborted when a person or the system tells the runner to stop. */
  readonly interrupt: AbortSignal
  /** Aborted when it is told so again: what runs is killed at once. */
  readonly hurry: AbortSignal
  /** Milliseconds that a stage has between SIGTERM and SIGKILL. */
  readonly graceMs: number
}

export const docketVersion = '0.1.0'

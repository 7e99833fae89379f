import type { HandleFailure } from '../commands/handle.js'
import type { Refusal } from '../commands/refusal.js'
import type { AppendFailure } from '../events/envelope.js'

/** Why a job was not begun or could not be driven on. */
export type RunFailure =
  /** What the person gave is wrong; every reason, and nothing was begun. */
  | { readonly tag: 'bad-input'; readonly reasons: ReadonlyArray<string> }
  /** Something that is needed is not there or broke. */
  | { readonly tag: 'missing'; readonly reasons: ReadonlyArray<string> }
  | { readonly tag: 'refused'; readonly refusal: Refusal }
  | { readonly tag: 'not-appended'; readonly failure: AppendFailure }

export const badInput = (...reasons: ReadonlyArray<string>): RunFailure => ({ tag: 'bad-input', reasons })
export const missing = (...reasons: ReadonlyArray<string>): RunFailure => ({ tag: 'missing', reasons })

/** Thrown inside a run that has to end: the command that drives it turns it into its data again. */
export class RunEnded extends Error {
  constructor(readonly failure: HandleFailure) {
    super(failure.tag === 'refused' ? failure.refusal.message : failure.failure.tag)
    this.name = 'RunEnded'
  }
}

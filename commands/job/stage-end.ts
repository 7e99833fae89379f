import type * as E from 'fp-ts/lib/Either.js'
import type { CheckResult } from '../../domain/checks/check.js'
import type { Decision } from '../../domain/decision.js'
import type { DocketEvent } from '../../events/docket-event.js'
import type { Artifact } from '../../events/values/artifact.js'
import type { Ending } from '../../events/values/ending.js'
import type { Workspace } from '../../events/values/workspace.js'
import type { StageCommand } from './guards.js'

/** What the runner knows of a stage when its process has ended. */
export type EndStage = StageCommand & {
  readonly ending: Ending
  readonly durationMs: number
  readonly spentMs: number
  readonly stdout: Artifact
  readonly stderr: Artifact
  readonly workspace: Workspace
  /** The end of what the stage printed, as text for a finding. */
  readonly lastWords: string
  /** Paths that are not as the round's last writer left them. */
  readonly changed: ReadonlyArray<string>
  /** What went wrong on the runner's side, from its own record. */
  readonly fault: string | null
  /** Of a writer that ended well: what its decision file says, or why it says nothing. */
  readonly decisions: E.Either<ReadonlyArray<string>, ReadonlyArray<Decision>>
  /** Of a script that ended well: what its checks said, in the manifest's order. */
  readonly checks: ReadonlyArray<Checked>
  /** Of a review: what it reported over the stage socket. */
  readonly verdict: Verdict | null
}

/** A check of the stage's, as it was called, with its verdict and the version of the rule that gave it. */
export type Checked = {
  readonly check: string
  readonly args: ReadonlyArray<string>
  readonly rule: number
  readonly result: CheckResult
}

export type Verdict =
  | { readonly verdict: 'pass'; readonly notes: string }
  | { readonly verdict: 'findings'; readonly findings: ReadonlyArray<string> }

/** How a stage ended, for its event, and what follows from it. */
export type Judgement = {
  readonly outcome: 'passed' | 'failed' | 'died' | 'faulted' | 'interrupted'
  readonly events: ReadonlyArray<DocketEvent>
}

export type Attempt = { readonly round: number; readonly stage: string; readonly attempt: number }

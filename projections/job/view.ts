import type { Answers } from '../../domain/answer.js'
import type { Granted, Spent } from '../../domain/budget.js'
import type { Decision } from '../../domain/decision.js'
import type { Finding } from '../../domain/finding.js'
import type { Manifest } from '../../domain/manifest.js'
import type { DataOf } from '../../events/docket-event.js'
import type { Artifact } from '../../events/values/artifact.js'
import type { Workspace } from '../../events/values/workspace.js'

/**
 * Everything that people read of one job, folded from its stream. The story, the brief, the prompt, the
 * reference-check file and the proof of acceptance are renderings of it.
 */
export type JobView = {
  readonly job: string
  readonly status: JobStatus
  readonly position: number
  readonly version: number
  readonly submittedAt: string
  readonly changedAt: string
  readonly submitted: DataOf<'JobSubmitted'>
  readonly manifest: Manifest
  readonly claim: DataOf<'JobClaimed'> | null
  readonly waiting: DataOf<'JobWaiting'> | null
  readonly accepted: (DataOf<'JobAccepted'> & Mark) | null
  readonly stopped: (DataOf<'JobStopped'> & Mark) | null
  readonly spent: Spent
  readonly granted: Granted
  readonly rounds: ReadonlyArray<RoundView>
  readonly decisions: ReadonlyArray<DecisionView>
  readonly withdrawn: ReadonlyArray<DecisionView & { readonly withdrawnIn: number }>
}

export type JobStatus = 'ready' | 'running' | 'waiting' | 'accepted' | 'stopped'

/** Where in the ledger something was said, and when. */
export type Mark = { readonly position: number; readonly at: string }

export type RoundView = {
  readonly round: number
  readonly from: string
  readonly outcome: 'running' | 'failed' | 'passed' | 'stopped'
  /** What the round had to answer. */
  readonly answering: ReadonlyArray<Finding>
  /** What turned it down. */
  readonly found: ReadonlyArray<Finding>
  readonly stages: ReadonlyArray<StageView>
  readonly references: References | null
  readonly refusedDecisions: ReadonlyArray<string>
}

export type StageView = {
  readonly stage: string
  readonly attempt: number
  readonly kind: 'writer' | 'script' | 'review'
  readonly isolation: 'isolated' | 'same-user'
  readonly outcome: 'running' | DataOf<'StageEnded'>['outcome']
  readonly started: Mark & { readonly workspace: Workspace; readonly input: Artifact | null }
  readonly ended: (Mark & DataOf<'StageEnded'>) | null
  readonly fault: string | null
  readonly checks: ReadonlyArray<CheckView>
  readonly review: (Mark & ReviewView) | null
  readonly probesTried: number
}

export type CheckView = Mark & {
  readonly check: string
  readonly rule: number
  readonly result: 'passed' | 'failed' | 'could-not-run'
  readonly notes: ReadonlyArray<string>
}

export type ReviewView = { readonly passed: boolean; readonly says: ReadonlyArray<string> }

export type DecisionView = {
  readonly decision: Decision
  /** Each form that the decision had, the oldest first, with the round in which it took it. */
  readonly history: ReadonlyArray<
    Mark & { readonly round: number; readonly decision: Decision; readonly changed: ReadonlyArray<string> }
  >
}

/** The newest asking of a round: what went to the browsers and what came back. */
export type References = {
  readonly stage: string
  readonly attempt: number
  readonly asked: Mark & { readonly oracle: string }
  readonly notAsked: ReadonlyArray<{ readonly id: string; readonly why: string }>
  /** The decisions as they stood when the browsers were asked. */
  readonly decisions: ReadonlyArray<Decision>
  readonly probes: Readonly<Record<string, Artifact>>
  readonly answers: Readonly<
    Record<string, Mark & { readonly answers: Answers; readonly response: Artifact }>
  >
}

import type { Answers } from '../../domain/answer.js'
import { type Granted, nothingGranted, nothingSpent, type Spent } from '../../domain/budget.js'
import type { Decision } from '../../domain/decision.js'
import type { Finding } from '../../domain/finding.js'
import type { Manifest, Stage } from '../../domain/manifest.js'
import type { DataOf } from '../../events/docket-event.js'
import type { Workspace } from '../../events/values/workspace.js'

/** What the deciders of a job need to know of it, and nothing that only people read. */
export type JobState = Absent | Job

type Absent = { readonly status: 'absent' }

export type Job = {
  /** `ready` has no runner; `running` has one; the others are as they say. */
  readonly status: 'ready' | 'running' | 'waiting' | 'accepted' | 'stopped'
  readonly manifest: Manifest
  readonly claim: DataOf<'JobClaimed'> | null
  /** The epoch of the newest claim, held or given up. */
  readonly epoch: number
  readonly spent: Spent
  readonly granted: Granted
  readonly findingsMet: number
  readonly round: Round | null
  readonly running: RunningStage | null
  readonly decisions: ReadonlyArray<Decision>
}

export type Round = {
  readonly number: number
  readonly findings: ReadonlyArray<Finding>
  /** Place in the manifest of the stage that is due or running. */
  readonly stageIndex: number
  /** How often the due stage has been started in this round. */
  readonly attempts: number
  /** The files that the newest attempt of the due stage began with. */
  readonly began: Workspace | null
  /** The due stage must begin with those files again, because a fault ended it. */
  readonly restore: boolean
  /** The tree at the end of the round's last writer. */
  readonly writerTree: string | null
  readonly isolated: boolean
  readonly checksPassed: ReadonlyArray<string>
  readonly reviewed: boolean
}

export type RunningStage = {
  readonly stage: Stage
  readonly attempt: number
  readonly workspace: Workspace
  /** Whether this attempt asked for the reference check; a stage may ask once. */
  readonly askedReferences: boolean
  /** Ids whose probe went to the oracle in this attempt, with what came back. */
  readonly asked: ReadonlyArray<string>
  readonly answers: Readonly<Record<string, Answers>>
}

export const absent: JobState = { status: 'absent' }

export const submitted = (manifest: Manifest): Job => ({
  status: 'ready',
  manifest,
  claim: null,
  epoch: 0,
  spent: nothingSpent,
  granted: nothingGranted,
  findingsMet: 0,
  round: null,
  running: null,
  decisions: [],
})

/** The stage of a name; the manifest's decoder promises that it exists. */
export const stageIndexOf = (manifest: Manifest, name: string): number =>
  manifest.stages.findIndex((stage) => stage.name === name)

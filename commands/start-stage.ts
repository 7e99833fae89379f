import * as E from 'fp-ts/lib/Either.js'
import { remainingMs } from '../domain/budget.js'
import { StageStarted } from '../events/stage-started.js'
import type { Artifact } from '../events/values/artifact.js'
import type { Workspace } from '../events/values/workspace.js'
import type { Decide } from './decider.js'
import { claimedJob, type StageCommand } from './job/guards.js'
import { changedFiles, movedOn } from './job/moved-on.js'
import { nextStep } from './job/next-step.js'
import type { JobState } from './job/state.js'
import { outOfTime, turnDown } from './job/turn-down.js'
import { refusal } from './refusal.js'

export type StartStage = StageCommand & {
  /** The command line with every placeholder filled in. */
  readonly argv: ReadonlyArray<string>
  readonly workspace: Workspace
  /** Paths that are not as the round's last writer left them. */
  readonly changed: ReadonlyArray<string>
  readonly input: Artifact | null
  readonly isolation: 'isolated' | 'same-user'
}

/** A stage may start when it is the one that is due, there is time left, and the files are the writer's. */
export const startStage: Decide<JobState, StartStage> = (state, command) => {
  const claimed = claimedJob(state, command.epoch)
  if (E.isLeft(claimed)) return claimed
  const job = claimed.right
  const step = nextStep(job)
  if (job.running !== null) {
    return E.left(refusal('stage-not-due', `stage ${job.running.stage.name} is still running`))
  }
  if (step.do === 'stop' || step.stage.name !== command.stage || step.attempt !== command.attempt) {
    return E.left(refusal('stage-not-due', `stage ${command.stage}, attempt ${command.attempt}, is not due`))
  }
  const { stage, round, attempt } = step
  const leftMs = remainingMs(job.manifest.limits, job.granted, job.spent.runningMs)
  if (leftMs === 0) return E.right([outOfTime(job)])
  if (stage.kind !== 'writer' && movedOn(job, command.workspace)) {
    return E.right(
      turnDown(job, { round, stage: stage.name, attempt }, true, [
        changedFiles(`before stage ${stage.name}, after the writer had ended`, command.changed),
      ]),
    )
  }
  return E.right([
    StageStarted.of({
      round,
      stage: stage.name,
      attempt,
      kind: stage.kind,
      command: command.argv,
      workspace: command.workspace,
      timeoutSeconds: stage.timeout_seconds,
      isolation: command.isolation,
      input: command.input,
    }),
  ])
}

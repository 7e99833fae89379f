import * as E from 'fp-ts/lib/Either.js'
import { StageEnded } from '../events/stage-ended.js'
import type { Decide } from './decider.js'
import { finishRound } from './job/finish-round.js'
import { runningStage } from './job/guards.js'
import { judgeReview } from './job/judge-review.js'
import { judgeScript } from './job/judge-script.js'
import { judgeWriter } from './job/judge-writer.js'
import type { Attempt, EndStage, Judgement } from './job/stage-end.js'
import type { Job, JobState, RunningStage } from './job/state.js'
import { outOfTime } from './job/turn-down.js'

/** What a stage's end means: one append carries the stage, its findings, and the round's outcome. */
export const endStage: Decide<JobState, EndStage> = (state, command) => {
  const found = runningStage(state, command)
  if (E.isLeft(found)) return found
  const { job, round, running } = found.right
  const attempt = { round, stage: command.stage, attempt: command.attempt }
  const { outcome, events } = judge(job, attempt, running, command)
  const { ending, durationMs, spentMs, stdout, stderr, workspace } = command
  const ended = StageEnded.of({ ...attempt, ending, outcome, durationMs, spentMs, stdout, stderr, workspace })
  const last = running.stage === job.manifest.stages.at(-1)
  const finish = outcome === 'passed' && last ? finishRound(job, round, workspace, events) : []
  return E.right([ended, ...events, ...finish])
}

const judge = (job: Job, attempt: Attempt, running: RunningStage, command: EndStage): Judgement => {
  if (command.ending.cause === 'interrupted') return { outcome: 'interrupted', events: [] }
  if (command.ending.cause === 'out-of-time') return { outcome: 'interrupted', events: [outOfTime(job)] }
  const { stage } = running
  switch (stage.kind) {
    case 'writer':
      return judgeWriter(job, attempt, command)
    case 'script':
      return judgeScript(job, attempt, stage, command)
    case 'review':
      return judgeReview(job, attempt, command)
  }
}

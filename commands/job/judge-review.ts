import { ReviewFound } from '../../events/review-found.js'
import { ReviewPassed } from '../../events/review-passed.js'
import { describeEnding, endedWell } from './describe-ending.js'
import { changedFiles, movedOn } from './moved-on.js'
import type { Attempt, EndStage, Judgement } from './stage-end.js'
import type { Job } from './state.js'
import { fault, turnDown } from './turn-down.js'

/**
 * A review passes or finds. One that died or never said its verdict judged nothing, which is not the
 * writer's doing: it is run again as a fault.
 */
export const judgeReview = (job: Job, attempt: Attempt, command: EndStage): Judgement => {
  const faulted = (message: string): Judgement => ({
    outcome: 'faulted',
    events: fault(job, attempt, message),
  })
  if (command.fault !== null) return faulted(command.fault)
  if (!endedWell(command.ending)) return faulted(`the review died: ${describeEnding(command.ending)}`)
  if (command.verdict === null) return faulted('the review ended without a verdict')
  if (movedOn(job, command.workspace)) {
    const finding = changedFiles(`during review ${attempt.stage}`, command.changed)
    return { outcome: 'failed', events: turnDown(job, attempt, true, [finding]) }
  }
  if (command.verdict.verdict === 'pass') {
    return { outcome: 'passed', events: [ReviewPassed.of({ ...attempt, notes: command.verdict.notes })] }
  }
  const { findings } = command.verdict
  return {
    outcome: 'failed',
    events: [
      ReviewFound.of({ ...attempt, findings }),
      ...turnDown(
        job,
        attempt,
        true,
        findings.map((text) => ({ source: 'review', text })),
      ),
    ],
  }
}

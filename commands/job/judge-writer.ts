import * as E from 'fp-ts/lib/Either.js'
import type { Decision } from '../../domain/decision.js'
import { sameJson } from '../../domain/same-json.js'
import { DecisionRecorded } from '../../events/decision-recorded.js'
import { DecisionRevised } from '../../events/decision-revised.js'
import { DecisionWithdrawn } from '../../events/decision-withdrawn.js'
import { DecisionsRefused } from '../../events/decisions-refused.js'
import type { DocketEvent } from '../../events/docket-event.js'
import { describeEnding, endedWell } from './describe-ending.js'
import type { Attempt, EndStage, Judgement } from './stage-end.js'
import type { Job } from './state.js'
import { fault, relaunch, turnDown } from './turn-down.js'

/**
 * A writer that died is started again. One that ended well has its decisions recorded; a malformed
 * file is its own fault, none of it counts, and the round ends there, since no check could judge it.
 */
export const judgeWriter = (job: Job, attempt: Attempt, command: EndStage): Judgement => {
  if (command.fault !== null) return { outcome: 'faulted', events: fault(job, attempt, command.fault) }
  if (!endedWell(command.ending)) {
    return { outcome: 'died', events: relaunch(job, attempt, describeEnding(command.ending)) }
  }
  const { decisions } = command
  if (E.isRight(decisions)) {
    return { outcome: 'passed', events: compare(attempt.round, job.decisions, decisions.right) }
  }
  const reasons = decisions.left
  const text = `decisions.json is malformed, so no decision counts:\n${reasons.join('\n')}`
  return {
    outcome: 'failed',
    events: [
      DecisionsRefused.of({ round: attempt.round, reasons }),
      ...turnDown(job, attempt, true, [{ source: 'decisions', text }]),
    ],
  }
}

const compare = (
  round: number,
  before: ReadonlyArray<Decision>,
  now: ReadonlyArray<Decision>,
): ReadonlyArray<DocketEvent> => [
  ...before
    .filter(({ id }) => !now.some((decision) => decision.id === id))
    .map(({ id }) => DecisionWithdrawn.of({ round, id })),
  ...now.flatMap((decision): ReadonlyArray<DocketEvent> => {
    const old = before.find(({ id }) => id === decision.id)
    if (old === undefined) return [DecisionRecorded.of({ round, decision })]
    const changed = comparedFields.filter((field) => !sameJson(old[field], decision[field]))
    return changed.length === 0 ? [] : [DecisionRevised.of({ round, decision, changed })]
  }),
]

const comparedFields = ['question', 'spec', 'choice', 'probe', 'sources'] as const

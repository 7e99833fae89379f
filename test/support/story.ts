import { DecisionRecorded } from '../../events/decision-recorded.js'
import { DecisionRevised } from '../../events/decision-revised.js'
import { type DocketEvent, eventDefinitions } from '../../events/docket-event.js'
import { JobAccepted } from '../../events/job-accepted.js'
import { JobSubmitted } from '../../events/job-submitted.js'
import { ProbeAnswered } from '../../events/probe-answered.js'
import { ProbeAsked } from '../../events/probe-asked.js'
import { ProbeTried } from '../../events/probe-tried.js'
import type { Recorded } from '../../events/recorded.js'
import { ReferencesAsked } from '../../events/references-asked.js'
import { ReviewPassed } from '../../events/review-passed.js'
import { RoundFailed } from '../../events/round-failed.js'
import { RoundPassed } from '../../events/round-passed.js'
import { RoundStarted } from '../../events/round-started.js'
import {
  answers,
  artifact,
  claimed,
  decision,
  passedStage,
  roundStarted,
  stageEnded,
  stageStarted,
  submission,
  workspace,
} from './job-events.js'

/** Events in their places, as the ledger would give them back. */
export const recorded = (events: ReadonlyArray<DocketEvent>, job = 'abc'): ReadonlyArray<Recorded> =>
  events.map((event, index) => ({
    ...event,
    position: index + 1,
    version: index + 1,
    stream: `job-${job}`,
    schemaVersion: eventDefinitions[event.type].schemaVersion,
    at: `2026-12-01T10:00:${String(index % 60).padStart(2, '0')}.000000Z`,
    actor: 'test',
    causationId: `c${index}`,
    correlationId: job,
    hash: '',
  }))

const finding = { id: 'F1', source: 'check' as const, text: 'decision height disagrees' }
const height = decision('height')
const unsure = decision('unsure', { probe: { html: '<p>', expect: [] }, question: 'what of this?' })
const split = decision('split', { question: 'and of that?' })
const revised = { ...height, choice: 'content' }

const asking = (round: number, reported: number): ReadonlyArray<DocketEvent> => {
  const attempt = { round, stage: 'reference', attempt: 1 }
  return [
    stageStarted(round, 'reference'),
    ReferencesAsked.of({
      ...attempt,
      oracle: 'oracle',
      notAsked: [{ id: 'unsure', why: 'expect is empty' }],
    }),
    ProbeAsked.of({ ...attempt, id: 'height', probe: artifact }),
    ProbeAsked.of({ ...attempt, id: 'split', probe: artifact }),
    ProbeAnswered.of({
      ...attempt,
      id: 'height',
      answers: answers(reported, reported, reported),
      response: artifact,
    }),
    ProbeAnswered.of({ ...attempt, id: 'split', answers: answers(1, 2, 3), response: artifact }),
  ]
}

const check = { stage: 'reference', attempt: 1, check: 'reference', args: ['a', 'b'], rule: 1 }

/** A job that is sent back once by its reference check and accepted in round 2. */
export const acceptedJob: ReadonlyArray<Recorded> = recorded([
  JobSubmitted.of(submission()),
  claimed(),
  roundStarted(1),
  ...passedStage(1, 'write'),
  DecisionRecorded.of({ round: 1, decision: height }),
  DecisionRecorded.of({ round: 1, decision: unsure }),
  DecisionRecorded.of({ round: 1, decision: split }),
  ...passedStage(1, 'test'),
  ...asking(1, 2),
  stageEnded(1, 'reference', 'failed'),
  { type: 'CheckFailed', data: { round: 1, ...check, messages: [finding.text] } },
  RoundFailed.of({ round: 1, stage: 'reference', findings: [finding] }),
  RoundStarted.of({ round: 2, from: 'write', findings: [finding], cause: { round: 1, stage: 'reference' } }),
  stageStarted(2, 'write'),
  ProbeTried.of({ round: 2, stage: 'write', attempt: 1, request: artifact, response: artifact }),
  stageEnded(2, 'write'),
  DecisionRevised.of({ round: 2, decision: revised, changed: ['choice'] }),
  ...passedStage(2, 'test'),
  ...asking(2, 1),
  stageEnded(2, 'reference'),
  { type: 'CheckPassed', data: { round: 2, ...check, notes: ['unsure is unchecked'] } },
  stageStarted(2, 'review'),
  stageEnded(2, 'review'),
  ReviewPassed.of({ round: 2, stage: 'review', attempt: 1, notes: 'good' }),
  RoundPassed.of({ round: 2 }),
  JobAccepted.of({ round: 2, workspace: workspace(), treeIsCommit: true, isolation: 'same-user' }),
])

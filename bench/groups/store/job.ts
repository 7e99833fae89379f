import { createHash } from 'node:crypto'
import { CheckPassed } from '../../../events/check-passed.js'
import { DecisionRecorded } from '../../../events/decision-recorded.js'
import { DecisionRevised } from '../../../events/decision-revised.js'
import type { DataOf, DocketEvent } from '../../../events/docket-event.js'
import { JobAccepted } from '../../../events/job-accepted.js'
import { JobSubmitted } from '../../../events/job-submitted.js'
import { ProbeAnswered } from '../../../events/probe-answered.js'
import { ProbeAsked } from '../../../events/probe-asked.js'
import { ProbeTried } from '../../../events/probe-tried.js'
import { ReferencesAsked } from '../../../events/references-asked.js'
import { ReviewFound } from '../../../events/review-found.js'
import { ReviewPassed } from '../../../events/review-passed.js'
import { RoundFailed } from '../../../events/round-failed.js'
import { RoundPassed } from '../../../events/round-passed.js'
import { RoundStarted } from '../../../events/round-started.js'
import { StageEnded } from '../../../events/stage-ended.js'
import { StageStarted } from '../../../events/stage-started.js'
import { answers, claimed, decision, exitedWith, submission } from '../../../test/support/job-events.js'

/** The bytes that every event of these names. */
export const output = Buffer.from('what a stage printed')
const kept = { sha256: createHash('sha256').update(output).digest('hex'), size: output.length }

const git = (text: string): string => createHash('sha1').update(text).digest('hex')

const workspaceOf = (round: number): DataOf<'StageEnded'>['workspace'] => ({
  tree: git(`tree ${round}`),
  commit: git('base'),
  commitTree: git('tree 0'),
  leftOut: [],
})

/** A job as its stream holds it: each round but the last is sent back by the review, and the last is accepted. */
export const jobOf = (rounds: number): ReadonlyArray<DocketEvent> => [
  JobSubmitted.of({ ...submission(), manifestFile: kept, base: workspaceOf(0) }),
  claimed(),
  ...roundsOf(1, rounds - 1),
  ...roundOf(rounds, true),
  JobAccepted.of({
    round: rounds,
    workspace: workspaceOf(rounds),
    treeIsCommit: false,
    isolation: 'isolated',
  }),
]

/** The events of rounds that fail. */
export const roundsOf = (from: number, to: number): ReadonlyArray<DocketEvent> =>
  Array.from({ length: to - from + 1 }, (_, index) => roundOf(from + index, false)).flat()

const findingOf = (round: number) => ({
  id: `F${round}`,
  source: 'review' as const,
  text: `the sum of the widths is off by one where the boxes of row ${round} wrap`,
})

const roundOf = (round: number, passes: boolean): ReadonlyArray<DocketEvent> => {
  const attempt = { round, stage: 'reference', attempt: 1 }
  const review = { round, stage: 'review', attempt: 1 }
  const height = decision('height', { choice: round % 2 === 0 ? 'content' : 'auto' })
  const { text } = findingOf(round)
  return [
    RoundStarted.of({
      round,
      from: 'write',
      findings: round === 1 ? [] : [findingOf(round - 1)],
      cause: round === 1 ? null : { round: round - 1, stage: 'review' },
    }),
    ...stageOf(round, 'write', [
      ProbeTried.of({ ...attempt, stage: 'write', request: kept, response: kept }),
    ]),
    round === 1
      ? DecisionRecorded.of({ round, decision: height })
      : DecisionRevised.of({ round, decision: height, changed: ['choice'] }),
    ...stageOf(round, 'test'),
    ...stageOf(round, 'reference', [
      ReferencesAsked.of({ ...attempt, oracle: 'docket oracle', notAsked: [] }),
      ProbeAsked.of({ ...attempt, id: 'height', probe: kept }),
      ProbeAnswered.of({ ...attempt, id: 'height', answers: answers(1, 1, 1), response: kept }),
    ]),
    CheckPassed.of({
      ...attempt,
      check: 'reference',
      args: ['reference-check.json', 'decisions.json'],
      rule: 1,
      notes: [],
    }),
    ...stageOf(round, 'review'),
    passes ? ReviewPassed.of({ ...review, notes: text }) : ReviewFound.of({ ...review, findings: [text] }),
    passes
      ? RoundPassed.of({ round })
      : RoundFailed.of({ round, stage: 'review', findings: [findingOf(round)] }),
  ]
}

const kinds = { write: 'writer', test: 'script', reference: 'script', review: 'review' } as const

const stageOf = (
  round: number,
  stage: keyof typeof kinds,
  meanwhile: ReadonlyArray<DocketEvent> = [],
): ReadonlyArray<DocketEvent> => [
  StageStarted.of({
    round,
    stage,
    attempt: 1,
    kind: kinds[stage],
    command: [stage],
    workspace: workspaceOf(stage === 'write' ? round - 1 : round),
    timeoutSeconds: null,
    isolation: 'isolated',
    input: null,
  }),
  ...meanwhile,
  StageEnded.of({
    round,
    stage,
    attempt: 1,
    ending: exitedWith(0),
    outcome: 'passed',
    durationMs: 1234.5,
    spentMs: 1236.25,
    stdout: kept,
    stderr: kept,
    workspace: workspaceOf(round),
  }),
]

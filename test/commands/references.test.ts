import test from 'ava'
import { askReferences } from '../../commands/ask-references.js'
import { recordAnswers } from '../../commands/record-answers.js'
import { recordProbeTried } from '../../commands/record-probe-tried.js'
import type { DocketEvent } from '../../events/docket-event.js'
import { ProbeAnswered } from '../../events/probe-answered.js'
import { ProbeAsked } from '../../events/probe-asked.js'
import { ReferencesAsked } from '../../events/references-asked.js'
import { given } from '../support/given.js'
import { answers, artifact, begun, decision, passedStage, stageStarted } from '../support/job-events.js'

const command = { epoch: 1, stage: 'reference', attempt: 1 }
const attempt = { round: 1, stage: 'reference', attempt: 1 }
const ask = {
  ...command,
  oracle: 'oracle',
  probes: [{ id: 'height', probe: artifact }],
  notAsked: [{ id: 'width', why: 'there is no probe' }],
}

const atReference = (): ReadonlyArray<DocketEvent> => [
  ...begun(),
  { type: 'DecisionRecorded', data: { round: 1, decision: decision('height') } },
  { type: 'DecisionRecorded', data: { round: 1, decision: decision('width', { probe: null }) } },
  ...passedStage(1, 'write'),
  ...passedStage(1, 'test'),
  stageStarted(1, 'reference'),
]
const asked = [
  ReferencesAsked.of({ ...attempt, oracle: 'oracle', notAsked: ask.notAsked }),
  ProbeAsked.of({ ...attempt, id: 'height', probe: artifact }),
]
const answered = { id: 'height', answers: answers(1, 1, 1), response: artifact }

test('the reference stage asks for every decision, and says which probes were not asked', (t) => {
  given(t, ...atReference())
    .when(askReferences, ask)
    .thenEvents(...asked)
})

test('a stage asks once in an attempt', (t) => {
  given(t, ...atReference(), ...asked)
    .when(askReferences, ask)
    .thenRefused('out-of-turn')
})

test('a stage without a reference check asks for none', (t) => {
  given(t, ...begun(), ...passedStage(1, 'write'), stageStarted(1, 'test'))
    .when(askReferences, { ...ask, stage: 'test', probes: [], notAsked: [] })
    .thenRefused('out-of-turn')
})

test('probes that are not those of the recorded decisions are refused', (t) => {
  given(t, ...atReference())
    .when(askReferences, { ...ask, notAsked: [] })
    .thenRefused('out-of-turn')
  given(t, ...atReference())
    .when(askReferences, { ...ask, probes: [{ id: 'other', probe: artifact }] })
    .thenRefused('out-of-turn')
})

test('answers are taken for what was asked, once and whole', (t) => {
  given(t, ...atReference(), ...asked)
    .when(recordAnswers, { ...command, answers: [answered] })
    .thenEvents(ProbeAnswered.of({ ...attempt, ...answered }))
  given(t, ...atReference(), ...asked)
    .when(recordAnswers, { ...command, answers: [] })
    .thenRefused('answers-incomplete')
  given(t, ...atReference(), ...asked)
    .when(recordAnswers, { ...command, answers: [answered, answered] })
    .thenRefused('answers-incomplete')
  given(t, ...atReference(), ...asked, ProbeAnswered.of({ ...attempt, ...answered }))
    .when(recordAnswers, { ...command, answers: [answered] })
    .thenRefused('answers-incomplete')
})

test("only a writer's trial is recorded, and it gives no answer", (t) => {
  const tried = { epoch: 1, attempt: 1, request: artifact, response: artifact }
  given(t, ...begun(), stageStarted(1, 'write'))
    .when(recordProbeTried, { ...tried, stage: 'write' })
    .thenTypes('ProbeTried')
  given(t, ...atReference())
    .when(recordProbeTried, { ...tried, stage: 'reference' })
    .thenRefused('out-of-turn')
})

import test from 'ava'
import * as E from 'fp-ts/lib/Either.js'
import { endStage } from '../../commands/end-stage.js'
import { WriterRelaunched } from '../../events/writer-relaunched.js'
import { given } from '../support/given.js'
import {
  begun,
  decision,
  ending,
  exitedWith,
  failedRound,
  roundStarted,
  stageEnded,
  stageStarted,
} from '../support/job-events.js'

test('a writer that ends well has its decisions recorded', (t) => {
  given(t, ...begun(), stageStarted(1, 'write'))
    .when(endStage, ending('write', { decisions: E.right([decision('height'), decision('width')]) }))
    .thenEvents(
      stageEnded(1, 'write'),
      { type: 'DecisionRecorded', data: { round: 1, decision: decision('height') } },
      { type: 'DecisionRecorded', data: { round: 1, decision: decision('width') } },
    )
})

test('a later round tells which decisions changed in what, and which are gone', (t) => {
  const revised = decision('height', { choice: 'percentage of the content' })
  given(
    t,
    ...begun(),
    { type: 'DecisionRecorded', data: { round: 1, decision: decision('height') } },
    { type: 'DecisionRecorded', data: { round: 1, decision: decision('same') } },
    { type: 'DecisionRecorded', data: { round: 1, decision: decision('width') } },
    ...failedRound(1),
    roundStarted(2, 'test'),
    stageStarted(2, 'write'),
  )
    .when(endStage, ending('write', { decisions: E.right([decision('same'), revised]) }))
    .thenEvents(
      stageEnded(2, 'write'),
      { type: 'DecisionWithdrawn', data: { round: 2, id: 'width' } },
      { type: 'DecisionRevised', data: { round: 2, decision: revised, changed: ['choice'] } },
    )
})

test('a malformed decision file is refused with every reason and sends the round back', (t) => {
  const [, refused, failed] = given(t, ...begun(), stageStarted(1, 'write'))
    .when(endStage, ending('write', { decisions: E.left(['[0].id: bad', '[1].spec: bad']) }))
    .thenTypes('StageEnded', 'DecisionsRefused', 'RoundFailed', 'RoundStarted')
  t.deepEqual(refused?.data, { round: 1, reasons: ['[0].id: bad', '[1].spec: bad'] })
  t.true(failed?.type === 'RoundFailed' && failed.data.findings[0]?.text.includes('[1].spec: bad'))
})

test('a writer that dies is started again in the same round', (t) => {
  const died = exitedWith(3)
  given(t, ...begun(), stageStarted(1, 'write'))
    .when(endStage, ending('write', { ending: died }))
    .thenEvents(
      stageEnded(1, 'write', 'died', { ending: died }),
      WriterRelaunched.of({ round: 1, stage: 'write', attempt: 1, why: 'exit 3' }),
    )
})

test('a writer that dies once more than it may be started again waits for a person', (t) => {
  given(
    t,
    ...begun(),
    stageStarted(1, 'write'),
    stageEnded(1, 'write', 'died'),
    WriterRelaunched.of({ round: 1, stage: 'write', attempt: 1, why: 'exit 1' }),
    stageStarted(1, 'write', 2),
  )
    .when(endStage, ending('write', { attempt: 2, ending: exitedWith(1) }))
    .thenTypes('StageEnded', 'JobWaiting')
})

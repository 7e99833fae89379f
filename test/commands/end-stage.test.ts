import test from 'ava'
import { endStage } from '../../commands/end-stage.js'
import { given } from '../support/given.js'
import { begun, ending, stageStarted } from '../support/job-events.js'

test('a stage that the time of the job ended waits for a person, and nothing is spent', (t) => {
  const cause = { cause: 'out-of-time' as const, code: null, signal: 'SIGTERM', message: null }
  given(t, ...begun(), stageStarted(1, 'write'))
    .when(endStage, ending('write', { ending: cause }))
    .thenTypes('StageEnded', 'JobWaiting')
})

test('a stage that was interrupted spends nothing', (t) => {
  const cause = { cause: 'interrupted' as const, code: null, signal: 'SIGTERM', message: null }
  given(t, ...begun(), stageStarted(1, 'write'))
    .when(endStage, ending('write', { ending: cause }))
    .thenTypes('StageEnded')
})

test('the end of a stage that is not running is refused', (t) => {
  given(t, ...begun())
    .when(endStage, ending('write'))
    .thenRefused('stage-not-running')
  given(t, ...begun(), stageStarted(1, 'write'))
    .when(endStage, ending('write', { attempt: 2 }))
    .thenRefused('stage-not-running')
})

test('a runner whose claim is over ends nothing', (t) => {
  given(t, ...begun(), stageStarted(1, 'write'))
    .when(endStage, ending('write', { epoch: 2 }))
    .thenRefused('claim-lost')
})

import test from 'ava'
import { type StartStage, startStage } from '../../commands/start-stage.js'
import { given } from '../support/given.js'
import { begun, manifest, passedStage, stageEnded, stageStarted, workspace } from '../support/job-events.js'

const start = (stage: string, more: Partial<StartStage> = {}): StartStage => ({
  epoch: 1,
  stage,
  attempt: 1,
  argv: [stage],
  workspace: workspace(),
  changed: [],
  input: null,
  isolation: 'same-user',
  ...more,
})

test('the stage that is due starts', (t) => {
  given(t, ...begun(), ...passedStage(1, 'write'))
    .when(startStage, start('test'))
    .thenEvents(stageStarted(1, 'test'))
})

test('a stage that is not due, or not in this attempt, is refused', (t) => {
  given(t, ...begun())
    .when(startStage, start('test'))
    .thenRefused('stage-not-due')
  given(t, ...begun())
    .when(startStage, start('write', { attempt: 2 }))
    .thenRefused('stage-not-due')
})

test('no stage starts while another one runs', (t) => {
  given(t, ...begun(), stageStarted(1, 'write'))
    .when(startStage, start('write', { attempt: 2 }))
    .thenRefused('stage-not-due')
})

test('files that changed between two stages send the round back before anything is judged on them', (t) => {
  const [failed] = given(t, ...begun(), ...passedStage(1, 'write'))
    .when(startStage, start('test', { workspace: workspace('tree-9'), changed: ['a', 'b'] }))
    .thenTypes('RoundFailed', 'RoundStarted')
  t.true(failed?.type === 'RoundFailed' && failed.data.findings[0]?.text.includes('a, b'))
})

test('a job whose running time is spent waits for a person', (t) => {
  const [waiting] = given(
    t,
    ...begun(manifest({ wall_clock_seconds: 2 })),
    stageStarted(1, 'write'),
    stageEnded(1, 'write', 'passed', { spentMs: 2000 }),
  )
    .when(startStage, start('test'))
    .thenTypes('JobWaiting')
  t.is(waiting?.type === 'JobWaiting' && waiting.data.why, 'out-of-time')
})

test('a runner without the claim starts nothing', (t) => {
  given(t, ...begun())
    .when(startStage, start('write', { epoch: 2 }))
    .thenRefused('claim-lost')
})

import test from 'ava'
import { endStage } from '../../commands/end-stage.js'
import type { Checked } from '../../commands/job/stage-end.js'
import type { DocketEvent } from '../../events/docket-event.js'
import { JobStopped } from '../../events/job-stopped.js'
import { RoundFailed } from '../../events/round-failed.js'
import { StageFaulted } from '../../events/stage-faulted.js'
import { given } from '../support/given.js'
import {
  begun,
  ending,
  exitedWith,
  failedRound,
  manifest,
  passedStage,
  roundStarted,
  stageEnded,
  stageStarted,
  workspace,
} from '../support/job-events.js'

const checkedBy = (result: Checked['result']): Checked => ({
  check: 'reference',
  args: ['a', 'b'],
  rule: 1,
  result,
})

test('a failed script sends the job back with what it printed last', (t) => {
  const finding = {
    id: 'F1',
    source: 'stage' as const,
    text: 'Stage test failed (exit 1).\n3 boxes are wrong',
  }
  given(t, ...begun(), ...passedStage(1, 'write'), stageStarted(1, 'test'))
    .when(endStage, ending('test', { ending: exitedWith(1), lastWords: '3 boxes are wrong\n' }))
    .thenEvents(
      stageEnded(1, 'test', 'failed'),
      RoundFailed.of({ round: 1, stage: 'test', findings: [finding] }),
      {
        type: 'RoundStarted',
        data: { round: 2, from: 'write', findings: [finding], cause: { round: 1, stage: 'test' } },
      },
    )
})

test('with failed_rounds 2 a failing second round is followed by another, a failing third waits', (t) => {
  const second = [...begun(), ...failedRound(1), roundStarted(2, 'test')]
  given(t, ...second, ...passedStage(2, 'write'), stageStarted(2, 'test'))
    .when(endStage, ending('test', { ending: exitedWith(1) }))
    .thenTypes('StageEnded', 'RoundFailed', 'RoundStarted')
  const third = [...second, ...failedRound(2), roundStarted(3, 'test')]
  const [, , waiting] = given(t, ...third, ...passedStage(3, 'write'), stageStarted(3, 'test'))
    .when(endStage, ending('test', { ending: exitedWith(1) }))
    .thenTypes('StageEnded', 'RoundFailed', 'JobWaiting')
  t.is(waiting?.type === 'JobWaiting' && waiting.data.why, 'allowance-spent')
})

test('with failed_rounds 0 the first failure waits', (t) => {
  given(t, ...begun(manifest({ failed_rounds: 0 })), ...passedStage(1, 'write'), stageStarted(1, 'test'))
    .when(endStage, ending('test', { ending: exitedWith(1) }))
    .thenTypes('StageEnded', 'RoundFailed', 'JobWaiting')
})

test('a failed script without on_fail stops the job', (t) => {
  const base = manifest()
  const stages = base.stages.map((stage) => (stage.kind === 'script' ? { ...stage, on_fail: null } : stage))
  const [, stopped] = given(
    t,
    ...begun({ ...base, stages }),
    ...passedStage(1, 'write'),
    stageStarted(1, 'test'),
  )
    .when(endStage, ending('test', { ending: exitedWith(1) }))
    .thenTypes('StageEnded', 'JobStopped')
  t.is(stopped?.type, JobStopped.type)
})

test('a script that changed the files of the writer is a finding that names them', (t) => {
  const [, failed] = given(t, ...begun(), ...passedStage(1, 'write'), stageStarted(1, 'test'))
    .when(endStage, ending('test', { workspace: workspace('tree-2'), changed: ['src/a.ts'] }))
    .thenTypes('StageEnded', 'RoundFailed', 'RoundStarted')
  const finding = failed?.type === 'RoundFailed' ? failed.data.findings[0] : undefined
  t.is(finding?.source, 'workspace')
  t.true(finding?.text.includes('src/a.ts'))
})

test('a failed check sends the job back with its messages', (t) => {
  const [, , failed] = given(
    t,
    ...begun(),
    ...passedStage(1, 'write'),
    ...passedStage(1, 'test'),
    stageStarted(1, 'reference'),
  )
    .when(
      endStage,
      ending('reference', { checks: [checkedBy({ tag: 'failed', messages: ['height', 'width'] })] }),
    )
    .thenTypes('StageEnded', 'CheckFailed', 'RoundFailed', 'RoundStarted')
  t.deepEqual(failed?.type === 'RoundFailed' && failed.data.findings.map(({ id, text }) => [id, text]), [
    ['F1', 'height'],
    ['F2', 'width'],
  ])
})

test('a check that could not run is a fault: no round is spent and the stage is due again', (t) => {
  given(t, ...begun(), ...passedStage(1, 'write'), ...passedStage(1, 'test'), stageStarted(1, 'reference'))
    .when(endStage, ending('reference', { checks: [checkedBy({ tag: 'could-not-run', why: 'no file' })] }))
    .thenTypes('StageEnded', 'CheckCouldNotRun', 'StageFaulted')
})

test('one fault more than may be run again waits for a person', (t) => {
  const faulted = (attempt: number): ReadonlyArray<DocketEvent> => [
    stageStarted(1, 'test', attempt),
    stageEnded(1, 'test', 'faulted', { attempt }),
    StageFaulted.of({ round: 1, stage: 'test', attempt, message: 'no oracle' }),
  ]
  const before = [...begun(), ...passedStage(1, 'write'), ...faulted(1), ...faulted(2)]
  given(t, ...before, stageStarted(1, 'test', 3))
    .when(endStage, ending('test', { attempt: 3, fault: 'no oracle' }))
    .thenTypes('StageEnded', 'StageFaulted')
  given(t, ...before, ...faulted(3), stageStarted(1, 'test', 4))
    .when(endStage, ending('test', { attempt: 4, fault: 'no oracle' }))
    .thenTypes('StageEnded', 'StageFaulted', 'JobWaiting')
})

import test from 'ava'
import * as E from 'fp-ts/lib/Either.js'
import { endStage } from '../../commands/end-stage.js'
import type { Checked } from '../../commands/job/stage-end.js'
import type { DocketEvent } from '../../events/docket-event.js'
import { JobStopped } from '../../events/job-stopped.js'
import { RoundFailed } from '../../events/round-failed.js'
import { StageFaulted } from '../../events/stage-faulted.js'
import { WriterRelaunched } from '../../events/writer-relaunched.js'
import { given } from '../support/given.js'
import {
  begun,
  decision,
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

const referencePassed: DocketEvent = {
  type: 'CheckPassed',
  data: { round: 1, stage: 'reference', attempt: 1, check: 'reference', args: [], rule: 1, notes: [] },
}

const upToReview = (): ReadonlyArray<DocketEvent> => [
  ...begun(),
  ...passedStage(1, 'write'),
  ...passedStage(1, 'test'),
  ...passedStage(1, 'reference'),
  referencePassed,
  stageStarted(1, 'review'),
]

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

test('a review that passes as the last stage accepts the job on one tree', (t) => {
  const [, , , accepted] = given(t, ...upToReview())
    .when(endStage, ending('review', { verdict: { verdict: 'pass', notes: 'well done' } }))
    .thenTypes('StageEnded', 'ReviewPassed', 'RoundPassed', 'JobAccepted')
  t.deepEqual(accepted?.data, {
    round: 1,
    workspace: workspace(),
    treeIsCommit: true,
    isolation: 'same-user',
  })
})

test('a review with findings sends the job back', (t) => {
  given(t, ...upToReview())
    .when(endStage, ending('review', { verdict: { verdict: 'findings', findings: ['too long'] } }))
    .thenTypes('StageEnded', 'ReviewFound', 'RoundFailed', 'RoundStarted')
})

test('a review that says nothing judged nothing: it is run again as a fault', (t) => {
  given(t, ...upToReview())
    .when(endStage, ending('review'))
    .thenTypes('StageEnded', 'StageFaulted')
})

test('a round that passed without a check of the manifest is not accepted', (t) => {
  const [, , , waiting] = given(t, ...upToReview().filter((event) => event !== referencePassed))
    .when(endStage, ending('review', { verdict: { verdict: 'pass', notes: '' } }))
    .thenTypes('StageEnded', 'ReviewPassed', 'RoundPassed', 'JobWaiting')
  t.is(waiting?.type === 'JobWaiting' && waiting.data.why, 'unfulfilled')
})

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

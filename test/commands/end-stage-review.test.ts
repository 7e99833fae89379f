import test from 'ava'
import { endStage } from '../../commands/end-stage.js'
import type { DocketEvent } from '../../events/docket-event.js'
import { given } from '../support/given.js'
import { begun, ending, passedStage, stageStarted, workspace } from '../support/job-events.js'

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

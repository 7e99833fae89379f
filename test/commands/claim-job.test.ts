import test from 'ava'
import { claimJob } from '../../commands/claim-job.js'
import { JobSubmitted } from '../../events/job-submitted.js'
import { JobWaiting } from '../../events/job-waiting.js'
import { RunnerLost } from '../../events/runner-lost.js'
import { RunnerReleased } from '../../events/runner-released.js'
import { StageFaulted } from '../../events/stage-faulted.js'
import { given } from '../support/given.js'
import {
  begun,
  claimed,
  manifest,
  roundStarted,
  runner,
  stageEnded,
  stageStarted,
  submission,
} from '../support/job-events.js'

const dead = { epoch: 1, life: 'dead' } as const
const lost = RunnerLost.of({ runner: 'r1', epoch: 1, how: 'process 42 on here is gone' })

test('the first claim also starts round 1', (t) => {
  given(t, JobSubmitted.of(submission()))
    .when(claimJob, { runner, holder: null })
    .thenEvents(claimed(), roundStarted(1))
})

test('a job whose runner lives, or may live, has one runner', (t) => {
  for (const life of ['alive', 'unknown'] as const) {
    given(t, ...begun())
      .when(claimJob, { runner, holder: { epoch: 1, life } })
      .thenRefused('job-has-runner')
  }
})

test('a dead runner is taken over from under the next epoch, and no round starts again', (t) => {
  given(t, ...begun())
    .when(claimJob, { runner, holder: dead })
    .thenEvents(lost, claimed(2))
})

test('a stage that a dead runner left running ended by a fault', (t) => {
  given(t, ...begun(), stageStarted(1, 'write'))
    .when(claimJob, { runner, holder: dead })
    .thenEvents(
      lost,
      StageFaulted.of({ round: 1, stage: 'write', attempt: 1, message: 'its runner died' }),
      claimed(2),
    )
})

test('a job whose faults are spent waits instead of being run by one dying runner after the other', (t) => {
  given(t, ...begun(manifest({ fault_reruns: 0 })), stageStarted(1, 'write'))
    .when(claimJob, { runner, holder: dead })
    .thenTypes('RunnerLost', 'StageFaulted', 'JobWaiting')
})

test('a job that was released is claimed without a word about the runner before', (t) => {
  given(t, ...begun(), RunnerReleased.of({ runner: 'r1', epoch: 1, why: 'SIGINT', spentMs: 1 }))
    .when(claimJob, { runner, holder: null })
    .thenEvents(claimed(2))
})

test('a waiting job and an ended one are claimed by nobody', (t) => {
  const waiting = JobWaiting.of({ why: 'allowance-spent', message: '', help: '' })
  given(t, ...begun(), waiting)
    .when(claimJob, { runner, holder: null })
    .thenRefused('job-waits')
  given(t, ...begun(), stageStarted(1, 'write'), stageEnded(1, 'write', 'failed'), {
    type: 'JobStopped',
    data: { round: 1, stage: 'write', findings: [] },
  })
    .when(claimJob, { runner, holder: null })
    .thenRefused('job-ended')
})

test('there is nothing to claim where there is no job', (t) => {
  given(t).when(claimJob, { runner, holder: null }).thenRefused('job-unknown')
})

test('a runner found dead says nothing about the one that claimed the job since', (t) => {
  given(t, ...begun(), lost, claimed(2))
    .when(claimJob, { runner, holder: dead })
    .thenRefused('job-has-runner')
  given(t, ...begun())
    .when(claimJob, { runner, holder: null })
    .thenRefused('job-has-runner')
})

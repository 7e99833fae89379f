import * as E from 'fp-ts/lib/Either.js'
import type { DataOf, DocketEvent } from '../events/docket-event.js'
import { JobClaimed } from '../events/job-claimed.js'
import { RoundStarted } from '../events/round-started.js'
import { RunnerLost } from '../events/runner-lost.js'
import type { Decide } from './decider.js'
import { openJob } from './job/guards.js'
import type { Job, JobState } from './job/state.js'
import { fault } from './job/turn-down.js'
import { refusal } from './refusal.js'

export type ClaimJob = {
  readonly runner: Omit<DataOf<'JobClaimed'>, 'epoch'>
  /**
   * What the claimant found out about the process that holds the claim, if one does: under which epoch it
   * holds it, and whether it lives. It says nothing about who claimed the job since.
   */
  readonly holder: { readonly epoch: number; readonly life: 'alive' | 'dead' | 'unknown' } | null
}

/**
 * One runner at a time: a claim is taken over only from a process that is known to be dead. A stage that
 * it left running ended by a fault. The first claim also starts round 1.
 */
export const claimJob: Decide<JobState, ClaimJob> = (state, { runner, holder }) => {
  const open = openJob(state)
  if (E.isLeft(open)) return open
  const job = open.right
  if (job.status === 'waiting') return E.left(refusal('job-waits', 'the job waits for a person'))
  if (job.claim !== null && !(holder?.epoch === job.claim.epoch && holder.life === 'dead')) {
    const { pid, host } = job.claim
    const life = holder?.epoch === job.claim.epoch ? holder.life : 'since just now'
    return E.left(refusal('job-has-runner', `process ${pid} on ${host} runs this job (${life})`))
  }
  const claimed = JobClaimed.of({ ...runner, epoch: job.epoch + 1 })
  const lost = takeOver(job)
  const waits = lost.some(({ type }) => type === 'JobWaiting')
  if (waits) return E.right(lost)
  return E.right([...lost, claimed, ...firstRound(job)])
}

const takeOver = (job: Job): ReadonlyArray<DocketEvent> => {
  if (job.claim === null) return []
  const { runner, epoch, pid, host } = job.claim
  const lost = RunnerLost.of({ runner, epoch, how: `process ${pid} on ${host} is gone` })
  if (job.running === null || job.round === null) return [lost]
  const attempt = {
    round: job.round.number,
    stage: job.running.stage.name,
    attempt: job.running.attempt,
  }
  return [lost, ...fault(job, attempt, 'its runner died')]
}

const firstRound = (job: Job): ReadonlyArray<DocketEvent> => {
  const first = job.manifest.stages[0]
  return job.round !== null || first === undefined
    ? []
    : [RoundStarted.of({ round: 1, from: first.name, findings: [], cause: null })]
}

import * as E from 'fp-ts/lib/Either.js'
import { type Refusal, refusal } from '../refusal.js'
import type { Job, JobState, RunningStage } from './state.js'

/** The job, if it exists and has not ended: an ended job takes no event. */
export const openJob = (state: JobState): E.Either<Refusal, Job> => {
  if (state.status === 'absent') return E.left(refusal('job-unknown', 'there is no such job'))
  if (state.status === 'accepted' || state.status === 'stopped') {
    return E.left(refusal('job-ended', `the job has ended: ${state.status}`))
  }
  return E.right(state)
}

/** The job, if its runner holds the claim under which the command is sent. */
export const claimedJob = (state: JobState, epoch: number): E.Either<Refusal, Job> => {
  const job = openJob(state)
  if (E.isLeft(job)) return job
  if (job.right.claim?.epoch !== epoch) {
    return E.left(refusal('claim-lost', `the claim of epoch ${epoch} is not the job's any more`))
  }
  return job.right.status === 'waiting' ? E.left(refusal('job-waits', 'the job waits for a person')) : job
}

export type StageCommand = { readonly epoch: number; readonly stage: string; readonly attempt: number }

/** The running stage, if it is the one that the command speaks of. */
export const runningStage = (
  state: JobState,
  command: StageCommand,
): E.Either<Refusal, { readonly job: Job; readonly round: number; readonly running: RunningStage }> => {
  const claimed = claimedJob(state, command.epoch)
  if (E.isLeft(claimed)) return claimed
  const { running, round } = claimed.right
  if (running === null || round === null) return E.left(refusal('stage-not-running', 'no stage is running'))
  if (running.stage.name !== command.stage || running.attempt !== command.attempt) {
    return E.left(
      refusal('stage-not-running', `stage ${command.stage}, attempt ${command.attempt}, is not running`),
    )
  }
  return E.right({ job: claimed.right, round: round.number, running })
}

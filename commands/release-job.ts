import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { RunnerReleased } from '../events/runner-released.js'
import type { Decide } from './decider.js'
import { claimedJob } from './job/guards.js'
import type { JobState } from './job/state.js'

export type ReleaseJob = { readonly epoch: number; readonly why: string; readonly spentMs: number }

/** The runner lets go in good order of a job that is to be resumed later. */
export const releaseJob: Decide<JobState, ReleaseJob> = (state, { epoch, why, spentMs }) =>
  pipe(
    claimedJob(state, epoch),
    E.map((job) => [RunnerReleased.of({ runner: job.claim?.runner ?? '', epoch, why, spentMs })]),
  )

import * as E from 'fp-ts/lib/Either.js'
import type { DataOf } from '../events/docket-event.js'
import { JobSubmitted } from '../events/job-submitted.js'
import type { Decide } from './decider.js'
import type { JobState } from './job/state.js'
import { refusal } from './refusal.js'

export type SubmitJob = DataOf<'JobSubmitted'>

/** Opens the job's stream; a job is submitted once. */
export const submitJob: Decide<JobState, SubmitJob> = (state, command) =>
  state.status === 'absent'
    ? E.right([JobSubmitted.of(command)])
    : E.left(refusal('job-exists', 'a job of this id exists already'))

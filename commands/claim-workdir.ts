import * as E from 'fp-ts/lib/Either.js'
import type { DocketEvent } from '../events/docket-event.js'
import { WorkdirClaimed } from '../events/workdir-claimed.js'
import { WorkdirReleased } from '../events/workdir-released.js'
import type { Decide } from './decider.js'
import { refusal } from './refusal.js'

/** Which job a workdir belongs to at the moment. */
export type WorkdirState = { readonly job: string | null }

export const freeWorkdir: WorkdirState = { job: null }

export const evolveWorkdir = (state: WorkdirState, event: DocketEvent): WorkdirState => {
  if (event.type === 'WorkdirClaimed') return { job: event.data.job }
  return event.type === 'WorkdirReleased' ? freeWorkdir : state
}

export type ClaimWorkdir = {
  readonly job: string
  readonly workdir: string
  /** A job that was found to have no runner at work there any more, if one was. */
  readonly idle: string | null
}

/** One job at a time works in a folder. */
export const claimWorkdir: Decide<WorkdirState, ClaimWorkdir> = (state, { job, workdir, idle }) => {
  if (state.job === job) return E.right([])
  return state.job !== null && state.job !== idle
    ? E.left(refusal('workdir-taken', `job ${state.job} works in ${workdir}`))
    : E.right([WorkdirClaimed.of({ job, workdir })])
}

export type ReleaseWorkdir = { readonly job: string; readonly workdir: string }

export const releaseWorkdir: Decide<WorkdirState, ReleaseWorkdir> = (state, command) =>
  E.right(state.job === command.job ? [WorkdirReleased.of(command)] : [])

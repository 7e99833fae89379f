import type { JobStatus, JobView } from './job/view.js'

/** One job as a row of a list. */
export type JobSummary = {
  readonly job: string
  readonly name: string
  readonly status: JobStatus
  readonly rounds: number
  readonly failedRounds: number
  readonly position: number
  readonly submittedAt: string
  readonly changedAt: string
  readonly workdir: string
  readonly why: string | null
}

/** What a list shows of a job, and what `run` prints at its end. */
export const summarise = (view: JobView): JobSummary => ({
  job: view.job,
  name: view.submitted.name,
  status: view.status,
  rounds: view.rounds.length,
  failedRounds: view.spent.failedRounds,
  position: view.position,
  submittedAt: view.submittedAt,
  changedAt: view.changedAt,
  workdir: view.submitted.workdir,
  why: view.waiting?.message ?? (view.stopped === null ? null : `stage ${view.stopped.stage} failed`),
})

import type { Recorded } from '../events/recorded.js'
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
  /** Why it waits or was stopped. */
  readonly why: string | null
  /** The id of the ledger that it was imported from; null for a job of this one. */
  readonly importedFrom: string | null
}

/** What `run` prints at its end, and what a list shows of a job. */
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
  why: whyOf(view),
  importedFrom: null,
})

const whyOf = ({ status, waiting, stopped }: JobView): string | null => {
  if (status === 'waiting') return waiting?.message ?? null
  return stopped === null ? null : `stage ${stopped.stage} failed`
}

/** The row after one more event, so that a list need not hold whole jobs. */
export const evolveSummary = (summary: JobSummary | null, event: Recorded): JobSummary | null => {
  const { position, at } = event
  if (event.type === 'JobSubmitted') {
    return {
      job: event.correlationId,
      name: event.data.name,
      status: 'ready',
      rounds: 0,
      failedRounds: 0,
      position,
      submittedAt: at,
      changedAt: at,
      workdir: event.data.workdir,
      why: null,
      importedFrom: null,
    }
  }
  if (event.type === 'JobImported') {
    const { job, summary: imported, ledger } = event.data
    return { job, ...imported, position, importedFrom: ledger }
  }
  return summary === null ? null : { ...summary, position, changedAt: at, ...changed(summary, event) }
}

const changed = (summary: JobSummary, event: Recorded): Partial<JobSummary> => {
  switch (event.type) {
    case 'JobClaimed':
      return { status: 'running', why: null }
    case 'RunnerLost':
    case 'RunnerReleased':
      return { status: 'ready', why: null }
    case 'JobWaiting':
      return { status: 'waiting', why: event.data.message }
    case 'JobAccepted':
      return { status: 'accepted', why: null }
    case 'JobStopped':
      return { status: 'stopped', why: `stage ${event.data.stage} failed` }
    case 'RoundStarted':
      return { rounds: event.data.round }
    case 'RoundFailed':
      return { failedRounds: summary.failedRounds + 1 }
    default:
      return {}
  }
}

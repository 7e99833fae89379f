import { mayFollow, mayRelaunch, mayRerun } from '../../domain/budget.js'
import { type NewFinding, numberFindings } from '../../domain/finding.js'
import type { DocketEvent } from '../../events/docket-event.js'
import { JobStopped } from '../../events/job-stopped.js'
import { JobWaiting } from '../../events/job-waiting.js'
import { RoundFailed } from '../../events/round-failed.js'
import { RoundStarted } from '../../events/round-started.js'
import { StageFaulted } from '../../events/stage-faulted.js'
import { WriterRelaunched } from '../../events/writer-relaunched.js'
import type { Job } from './state.js'

type Attempt = { readonly round: number; readonly stage: string; readonly attempt: number }

/**
 * A stage, check or review turned the round down. Sent back, it spends a failed round, and the next one
 * starts with the findings unless the allowance is spent; without a way back the job stops.
 */
export const turnDown = (
  job: Job,
  { round, stage }: Attempt,
  sendsBack: boolean,
  found: ReadonlyArray<NewFinding>,
): ReadonlyArray<DocketEvent> => {
  const findings = numberFindings(job.findingsMet, found)
  const from = job.manifest.rework_from
  if (!sendsBack || from === null) return [JobStopped.of({ round, stage, findings })]
  const failed = RoundFailed.of({ round, stage, findings })
  const failedRounds = job.spent.failedRounds + 1
  return mayFollow(job.manifest.limits, job.granted, failedRounds)
    ? [failed, RoundStarted.of({ round: round + 1, from, findings, cause: { round, stage } })]
    : [
        failed,
        JobWaiting.of({
          why: 'allowance-spent',
          message: `${failedRounds} rounds failed, and no further one is allowed`,
          help: 'read the findings: docket show tells them, docket why tells what they rest on',
        }),
      ]
}

/** A fault that is not the writer's: the stage is run again, as often as the manifest allows. */
export const fault = (job: Job, attempt: Attempt, message: string): ReadonlyArray<DocketEvent> => {
  const faulted = StageFaulted.of({ ...attempt, message })
  const faults = job.spent.faults + 1
  return mayRerun(job.manifest.limits, faults)
    ? [faulted]
    : [
        faulted,
        JobWaiting.of({
          why: 'faults-spent',
          message: `${faults} faults that are not the writer's: ${message}`,
          help: 'mend what is broken; docket log tells what it was',
        }),
      ]
}

/** The writer died: it is started again in the same round, as often as the manifest allows. */
export const relaunch = (job: Job, attempt: Attempt, why: string): ReadonlyArray<DocketEvent> =>
  mayRelaunch(job.manifest.limits, job.spent.writerRelaunches)
    ? [WriterRelaunched.of({ ...attempt, why })]
    : [
        JobWaiting.of({
          why: 'relaunches-spent',
          message: `the writer died again: ${why}`,
          help: 'look at what it printed: docket log --stage',
        }),
      ]

/** The job's running time is spent. */
export const outOfTime = (job: Job) =>
  JobWaiting.of({
    why: 'out-of-time',
    message: `the running time of ${job.manifest.limits.wall_clock_seconds} s is spent`,
    help: 'look at where the time went: docket show',
  })

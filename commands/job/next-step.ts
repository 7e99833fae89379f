import type { Stage } from '../../domain/manifest.js'
import type { Workspace } from '../../events/values/workspace.js'
import type { Job } from './state.js'

/** What the runner has to do now. */
export type NextStep =
  | {
      readonly do: 'run-stage'
      readonly round: number
      readonly stage: Stage
      readonly attempt: number
      /** Put the checkout back to this first: the attempt before ended in a fault. */
      readonly restore: Workspace | null
    }
  | { readonly do: 'stop'; readonly status: Job['status'] }

/** Decided from the state alone, so that a runner that takes over goes on where the last one was. */
export const nextStep = (job: Job): NextStep => {
  const stage = job.round === null ? undefined : job.manifest.stages[job.round.stageIndex]
  if (job.status !== 'running' || job.round === null || stage === undefined) {
    return { do: 'stop', status: job.status }
  }
  return {
    do: 'run-stage',
    round: job.round.number,
    stage,
    attempt: job.round.attempts + 1,
    restore: job.round.restore ? job.round.began : null,
  }
}

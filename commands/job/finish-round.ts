import type { DocketEvent } from '../../events/docket-event.js'
import { JobAccepted } from '../../events/job-accepted.js'
import { JobWaiting } from '../../events/job-waiting.js'
import { RoundPassed } from '../../events/round-passed.js'
import type { Workspace } from '../../events/values/workspace.js'
import { evolve } from './evolve.js'
import type { Job, JobState } from './state.js'

/**
 * The last stage ended well: the job is accepted if everything that acceptance asks for holds in this
 * round. `events` are those of the last stage, which are not in the state yet.
 */
export const finishRound = (
  job: Job,
  round: number,
  workspace: Workspace,
  events: ReadonlyArray<DocketEvent>,
): ReadonlyArray<DocketEvent> => {
  const passed = RoundPassed.of({ round })
  const missing = unfulfilled(events.reduce<JobState>(evolve, job))
  return missing.length > 0
    ? [
        passed,
        JobWaiting.of({
          why: 'unfulfilled',
          message: `the round passed, but ${missing.join('; ')}`,
          help: 'let rework_from name a stage before those that judge, or accept the job yourself',
        }),
      ]
    : [
        passed,
        JobAccepted.of({
          round,
          workspace,
          treeIsCommit: workspace.tree === workspace.commitTree,
          isolation: job.round?.isolated === true ? 'isolated' : 'same-user',
        }),
      ]
}

/** What this round owes before the job can be accepted: each check and each review of the manifest. */
const unfulfilled = (state: JobState): ReadonlyArray<string> => {
  if (state.status === 'absent' || state.round === null) return ['no round has run']
  const { checksPassed, reviewed } = state.round
  return state.manifest.stages.flatMap((stage): ReadonlyArray<string> => {
    if (stage.kind === 'review') return reviewed ? [] : [`review ${stage.name} did not pass in it`]
    if (stage.kind === 'writer') return []
    return stage.checks
      .filter(({ check }) => !checksPassed.includes(check))
      .map(({ check }) => `check ${check} of stage ${stage.name} did not pass in it`)
  })
}

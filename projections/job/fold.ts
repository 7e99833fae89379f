import { nothingGranted, nothingSpent, spend } from '../../domain/budget.js'
import type { Recorded } from '../../events/recorded.js'
import { evolveDecisions } from './fold-decisions.js'
import { evolveRounds } from './fold-rounds.js'
import type { JobView } from './view.js'

/** Folds the events of one job's stream; `null` when the stream holds no job. */
export const foldJob = (events: ReadonlyArray<Recorded>): JobView | null =>
  events.reduce<JobView | null>(evolveView, null)

/** The view after one more event. Total, and mutates nothing. */
export const evolveView = (view: JobView | null, event: Recorded): JobView | null => {
  if (event.type === 'JobSubmitted') return open(event)
  if (view === null) return null
  const next = evolveStatus(view, event)
  return {
    ...next,
    rounds: evolveRounds(next, event),
    ...evolveDecisions(next, event),
    position: event.position,
    version: event.version,
    changedAt: event.at,
  }
}

const open = (event: Recorded & { readonly type: 'JobSubmitted' }): JobView => ({
  job: event.correlationId,
  status: 'ready',
  position: event.position,
  version: event.version,
  submittedAt: event.at,
  changedAt: event.at,
  submitted: event.data,
  manifest: event.data.manifest,
  claim: null,
  waiting: null,
  accepted: null,
  stopped: null,
  spent: nothingSpent,
  granted: nothingGranted,
  rounds: [],
  decisions: [],
  withdrawn: [],
})

const evolveStatus = (view: JobView, event: Recorded): JobView => {
  const { position, at } = event
  switch (event.type) {
    case 'JobClaimed':
      return { ...view, status: 'running', claim: event.data, waiting: null }
    case 'RunnerLost':
      return { ...view, status: 'ready', claim: null }
    case 'RunnerReleased':
      return {
        ...view,
        status: 'ready',
        claim: null,
        spent: spend(view.spent, { runningMs: event.data.spentMs }),
      }
    case 'JobWaiting':
      return { ...view, status: 'waiting', claim: null, waiting: event.data }
    case 'JobAccepted':
      return { ...view, status: 'accepted', claim: null, accepted: { ...event.data, position, at } }
    case 'JobStopped':
      return { ...view, status: 'stopped', claim: null, stopped: { ...event.data, position, at } }
    case 'RoundFailed':
      return { ...view, spent: spend(view.spent, { failedRounds: 1 }) }
    case 'StageEnded':
      return { ...view, spent: spend(view.spent, { runningMs: event.data.spentMs }) }
    case 'StageFaulted':
      return { ...view, spent: spend(view.spent, { faults: 1 }) }
    case 'WriterRelaunched':
      return { ...view, spent: spend(view.spent, { writerRelaunches: 1 }) }
    case 'JobSubmitted':
    case 'RoundStarted':
    case 'RoundPassed':
    case 'StageStarted':
    case 'DecisionRecorded':
    case 'DecisionRevised':
    case 'DecisionWithdrawn':
    case 'DecisionsRefused':
    case 'ProbeTried':
    case 'ReferencesAsked':
    case 'ProbeAsked':
    case 'ProbeAnswered':
    case 'CheckPassed':
    case 'CheckFailed':
    case 'CheckCouldNotRun':
    case 'ReviewPassed':
    case 'ReviewFound':
    case 'WorkdirClaimed':
    case 'WorkdirReleased':
    case 'JobImported':
    case 'CommandRefused':
      return view
  }
}

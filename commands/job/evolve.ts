import { type Spent, spend } from '../../domain/budget.js'
import type { Decision } from '../../domain/decision.js'
import type { DocketEvent } from '../../events/docket-event.js'
import { type Job, type JobState, type Round, stageIndexOf, submitted } from './state.js'

/** What an event makes of a job. Total: an event that says nothing to the deciders changes nothing. */
export const evolve = (state: JobState, event: DocketEvent): JobState => {
  if (event.type === 'JobSubmitted') return submitted(event.data.manifest)
  return state.status === 'absent' ? state : evolveJob(state, event)
}

const evolveJob = (job: Job, event: DocketEvent): Job => {
  switch (event.type) {
    case 'JobClaimed':
      return { ...job, status: 'running', claim: event.data, epoch: event.data.epoch }
    case 'RunnerLost':
      return { ...job, status: 'ready', claim: null }
    case 'RunnerReleased':
      return {
        ...spending(job, { runningMs: event.data.spentMs }),
        status: 'ready',
        claim: null,
        running: null,
      }
    case 'JobWaiting':
      return { ...job, status: 'waiting', claim: null, running: null }
    case 'JobAccepted':
      return { ...job, status: 'accepted', claim: null, running: null }
    case 'JobStopped':
      return { ...job, status: 'stopped', claim: null, running: null }
    case 'RoundStarted':
      return {
        ...job,
        running: null,
        round: {
          number: event.data.round,
          findings: event.data.findings,
          stageIndex: stageIndexOf(job.manifest, event.data.from),
          attempts: 0,
          began: null,
          restore: false,
          writerTree: job.round?.writerTree ?? null,
          isolated: true,
          checksPassed: [],
          reviewed: false,
        },
      }
    case 'RoundFailed':
      return {
        ...spending(job, { failedRounds: 1 }),
        findingsMet: job.findingsMet + event.data.findings.length,
        running: null,
      }
    case 'StageStarted': {
      const stage = job.manifest.stages.find(({ name }) => name === event.data.stage)
      if (stage === undefined) return job
      const { attempt, workspace, isolation } = event.data
      return inRound(
        { ...job, running: { stage, attempt, workspace, askedReferences: false, asked: [], answers: {} } },
        (round) => ({
          attempts: attempt,
          began: workspace,
          restore: false,
          isolated: round.isolated && isolation === 'isolated',
        }),
      )
    }
    case 'StageEnded': {
      const ended = { ...spending(job, { runningMs: event.data.spentMs }), running: null }
      if (event.data.outcome !== 'passed') return ended
      const writer = job.running?.stage.kind === 'writer'
      return inRound(ended, (round) => ({
        stageIndex: round.stageIndex + 1,
        attempts: 0,
        began: null,
        writerTree: writer ? event.data.workspace.tree : round.writerTree,
      }))
    }
    case 'StageFaulted':
      return inRound({ ...spending(job, { faults: 1 }), running: null }, () => ({ restore: true }))
    case 'WriterRelaunched':
      return spending(job, { writerRelaunches: 1 })
    case 'DecisionRecorded':
      return { ...job, decisions: [...job.decisions, event.data.decision] }
    case 'DecisionRevised':
      return { ...job, decisions: job.decisions.map(replaceBy(event.data.decision)) }
    case 'DecisionWithdrawn':
      return { ...job, decisions: job.decisions.filter(({ id }) => id !== event.data.id) }
    case 'ReferencesAsked':
      return job.running === null ? job : { ...job, running: { ...job.running, askedReferences: true } }
    case 'ProbeAsked':
      return job.running === null
        ? job
        : { ...job, running: { ...job.running, asked: [...job.running.asked, event.data.id] } }
    case 'ProbeAnswered': {
      if (job.running === null) return job
      const answers = { ...job.running.answers, [event.data.id]: event.data.answers }
      return { ...job, running: { ...job.running, answers } }
    }
    case 'CheckPassed':
      return inRound(job, (round) => ({ checksPassed: [...round.checksPassed, event.data.check] }))
    case 'ReviewPassed':
      return inRound(job, () => ({ reviewed: true }))
    case 'JobSubmitted':
    case 'RoundPassed':
    case 'DecisionsRefused':
    case 'ProbeTried':
    case 'CheckFailed':
    case 'CheckCouldNotRun':
    case 'ReviewFound':
    case 'WorkdirClaimed':
    case 'WorkdirReleased':
    case 'JobImported':
    case 'CommandRefused':
      return job
  }
}

const spending = (job: Job, more: Partial<Spent>): Job => ({ ...job, spent: spend(job.spent, more) })

const inRound = (job: Job, change: (round: Round) => Partial<Round>): Job =>
  job.round === null ? job : { ...job, round: { ...job.round, ...change(job.round) } }

const replaceBy =
  (decision: Decision) =>
  (other: Decision): Decision =>
    other.id === decision.id ? decision : other

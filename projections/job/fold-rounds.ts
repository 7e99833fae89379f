import type { Recorded } from '../../events/recorded.js'
import type { CheckView, JobView, References, RoundView, StageView } from './view.js'

/** The rounds after an event, which says something of the newest one alone. */
export const evolveRounds = (view: JobView, event: Recorded): ReadonlyArray<RoundView> => {
  if (event.type === 'RoundStarted') {
    const { round, from, findings } = event.data
    return [
      ...view.rounds,
      {
        round,
        from,
        outcome: 'running',
        answering: findings,
        found: [],
        stages: [],
        references: null,
        refusedDecisions: [],
      },
    ]
  }
  const newest = view.rounds.at(-1)
  if (newest === undefined) return view.rounds
  const next = evolveRound(view, newest, event)
  return next === newest ? view.rounds : view.rounds.with(-1, next)
}

const evolveRound = (view: JobView, round: RoundView, event: Recorded): RoundView => {
  const { position, at } = event
  const mark = { position, at }
  switch (event.type) {
    case 'RoundFailed':
      return { ...round, outcome: 'failed', found: event.data.findings }
    case 'RoundPassed':
      return { ...round, outcome: 'passed' }
    case 'JobStopped':
      return { ...round, outcome: 'stopped', found: event.data.findings }
    case 'DecisionsRefused':
      return { ...round, refusedDecisions: event.data.reasons }
    case 'StageStarted': {
      const { stage, attempt, kind, isolation, workspace, input } = event.data
      const started: StageView = {
        stage,
        attempt,
        kind,
        isolation,
        outcome: 'running',
        started: { ...mark, workspace, input },
        ended: null,
        fault: null,
        checks: [],
        review: null,
        probesTried: 0,
      }
      return { ...round, stages: [...round.stages, started] }
    }
    case 'StageEnded':
      return inStage(round, () => ({ outcome: event.data.outcome, ended: { ...mark, ...event.data } }))
    case 'StageFaulted':
      return inStage(round, () => ({ outcome: 'faulted', fault: event.data.message }))
    case 'ProbeTried':
      return inStage(round, (stage) => ({ probesTried: stage.probesTried + 1 }))
    case 'CheckPassed':
      return withCheck(round, { ...mark, ...event.data, result: 'passed' })
    case 'CheckFailed':
      return withCheck(round, { ...mark, ...event.data, result: 'failed', notes: event.data.messages })
    case 'CheckCouldNotRun':
      return withCheck(round, { ...mark, ...event.data, result: 'could-not-run', notes: [event.data.why] })
    case 'ReviewPassed':
      return inStage(round, () => ({
        review: { ...mark, passed: true, says: event.data.notes === '' ? [] : [event.data.notes] },
      }))
    case 'ReviewFound':
      return inStage(round, () => ({ review: { ...mark, passed: false, says: event.data.findings } }))
    case 'ReferencesAsked': {
      const { stage, attempt, oracle, notAsked } = event.data
      const decisions = view.decisions.map(({ decision }) => decision)
      const references: References = {
        stage,
        attempt,
        asked: { ...mark, oracle },
        notAsked,
        decisions,
        probes: {},
        answers: {},
      }
      return { ...round, references }
    }
    case 'ProbeAsked': {
      const { id, probe } = event.data
      return inReferences(round, ({ probes }) => ({ probes: { ...probes, [id]: probe } }))
    }
    case 'ProbeAnswered': {
      const { id, answers, response } = event.data
      return inReferences(round, (references) => ({
        answers: { ...references.answers, [id]: { ...mark, answers, response } },
      }))
    }
    case 'JobSubmitted':
    case 'JobClaimed':
    case 'RunnerLost':
    case 'RunnerReleased':
    case 'JobWaiting':
    case 'JobAccepted':
    case 'RoundStarted':
    case 'WriterRelaunched':
    case 'DecisionRecorded':
    case 'DecisionRevised':
    case 'DecisionWithdrawn':
    case 'WorkdirClaimed':
    case 'WorkdirReleased':
    case 'JobImported':
    case 'CommandRefused':
      return round
  }
}

/** Changes the newest stage of a round, which is the one that an event of it speaks of. */
const inStage = (round: RoundView, change: (stage: StageView) => Partial<StageView>): RoundView => {
  const stage = round.stages.at(-1)
  return stage === undefined
    ? round
    : { ...round, stages: round.stages.with(-1, { ...stage, ...change(stage) }) }
}

const withCheck = (round: RoundView, { check, rule, result, notes, position, at }: CheckView): RoundView =>
  inStage(round, (stage) => ({ checks: [...stage.checks, { check, rule, result, notes, position, at }] }))

const inReferences = (
  round: RoundView,
  change: (references: References) => Partial<References>,
): RoundView =>
  round.references === null
    ? round
    : { ...round, references: { ...round.references, ...change(round.references) } }

import type { Reported } from '../domain/answer.js'
import { type Engine, engines } from '../domain/engine.js'
import type { CheckedDecision, Outcome } from '../domain/reference-check.js'
import type { DecisionView, JobStatus, JobView, RoundView, StageView } from './job/view.js'
import { newestAsked, referenceCheckOf } from './reference-file.js'

/** The proof of what became of a job: what it rests on, down to the bytes, or what stands in the way. */
export type Why = {
  readonly job: string
  readonly name: string
  readonly status: JobStatus
  readonly position: number
  readonly accepted: JobView['accepted']
  /** Why the job is not accepted; empty when it is. */
  readonly inTheWay: ReadonlyArray<string>
  /** The round that the rest speaks of: the newest. */
  readonly round: number | null
  readonly stages: ReadonlyArray<WhyStage>
  readonly decisions: ReadonlyArray<WhyDecision>
}

export type WhyStage = {
  readonly stage: string
  readonly attempt: number
  readonly kind: StageView['kind']
  readonly outcome: StageView['outcome']
  readonly isolation: StageView['isolation']
  readonly startedAt: number
  readonly endedAt: number | null
  readonly tree: string
  readonly input: string | null
  readonly stdout: string | null
  readonly stderr: string | null
  readonly checks: StageView['checks']
  readonly review: StageView['review']
}

export type WhyDecision = {
  readonly id: string
  readonly question: string
  readonly spec: string
  readonly choice: string
  readonly sources: ReadonlyArray<string>
  readonly outcome: Outcome | 'not asked yet'
  readonly detail: string
  readonly fields: CheckedDecision['fields']
  /** Each browser's version, and its error when it did not answer. */
  readonly browsers: Readonly<
    Record<Engine, { readonly version: string; readonly error: string | null }>
  > | null
  /** Positions in the ledger and hashes of what was kept. */
  readonly evidence: {
    readonly recorded: ReadonlyArray<number>
    readonly asked: number | null
    readonly answered: number | null
    readonly probe: string | null
    readonly response: string | null
  }
}

export const why = (view: JobView): Why => {
  const round = view.rounds.at(-1)
  return {
    job: view.job,
    name: view.submitted.name,
    status: view.status,
    position: view.position,
    accepted: view.accepted,
    inTheWay: view.accepted === null ? inTheWay(view, round) : [],
    round: round?.round ?? null,
    stages: (round?.stages ?? []).map(whyStage),
    decisions: whyDecisions(view),
  }
}

const whyStage = ({
  started,
  ended,
  stage,
  attempt,
  kind,
  outcome,
  isolation,
  checks,
  review,
}: StageView) => ({
  stage,
  attempt,
  kind,
  outcome,
  isolation,
  startedAt: started.position,
  endedAt: ended?.position ?? null,
  tree: (ended?.workspace ?? started.workspace).tree,
  input: started.input?.sha256 ?? null,
  stdout: ended?.stdout.sha256 ?? null,
  stderr: ended?.stderr.sha256 ?? null,
  checks,
  review,
})

const whyDecisions = (view: JobView): ReadonlyArray<WhyDecision> => {
  const references = newestAsked(view)?.references ?? null
  const checked = references === null ? [] : referenceCheckOf(references).decisions
  return view.decisions.map(({ decision, history }: DecisionView) => {
    const { id, question, spec, choice, sources } = decision
    const answered = own(references?.answers, id)
    const found = checked.find((entry) => entry.id === id)
    return {
      id,
      question,
      spec,
      choice,
      sources,
      outcome: found?.outcome ?? 'not asked yet',
      detail: found?.detail ?? '',
      fields: found?.fields ?? [],
      browsers: answered?.answers.engines ?? null,
      evidence: {
        recorded: history.map(({ position }) => position),
        asked: references?.asked.position ?? null,
        answered: answered?.position ?? null,
        probe: own(references?.probes, id)?.sha256 ?? null,
        response: answered?.response.sha256 ?? null,
      },
    }
  })
}

/** A writer may call a decision `constructor`, which every object has from its prototype. */
const own = <A>(record: Readonly<Record<string, A>> | undefined, key: string): A | undefined =>
  record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined

const inTheWay = (view: JobView, round: RoundView | undefined): ReadonlyArray<string> => {
  if (view.waiting !== null && view.status === 'waiting') return [view.waiting.message, ...findingsOf(round)]
  if (view.stopped !== null) return [`stage ${view.stopped.stage} failed`, ...findingsOf(round)]
  if (round === undefined) return ['no round has begun']
  const done = new Set(round.stages.filter(({ outcome }) => outcome === 'passed').map(({ stage }) => stage))
  return view.manifest.stages
    .filter(({ name }) => !done.has(name))
    .map(({ name }) => `stage ${name} has not passed in round ${round.round}`)
}

const findingsOf = (round: RoundView | undefined): ReadonlyArray<string> =>
  (round?.found ?? []).map(({ id, text }) => `${id}: ${text}`)

/** Each browser's value of a field, in the order of the engines. */
export const reportedInOrder = (
  reported: Readonly<Record<Engine, Reported>>,
): ReadonlyArray<readonly [Engine, Reported]> => engines.map((engine) => [engine, reported[engine]] as const)

import type { JobView, RoundView, StageView } from '../../projections/job/view.js'
import { newestAsked, referenceCheckOf } from '../../projections/reference-file.js'
import { count, duration } from '../../projections/text.js'
import { colour, safe, table } from '../output.js'
import { paintOutcome, paintStatus } from './paint.js'

/**
 * A job for a person: what it is, how far it came, and what it spent.
 *
 * @param importedFrom The ledger of a job that was imported.
 */
export const renderJob = (view: JobView, importedFrom: string | null = null): string =>
  [
    `${colour.bold(safe(view.submitted.name))}  ${view.job}  ${paintStatus(view.status)}`,
    '',
    ...[
      ...facts(view),
      ...(importedFrom === null ? [] : [['imported', `from ledger ${importedFrom}`] as const]),
    ].map(([name, value]) => `${colour.dim(name.padEnd(10))}${value}`),
    '',
    table(['round', 'stage', 'attempt', 'outcome', 'took', 'checks'], view.rounds.flatMap(roundRows)),
    ...decisionsPart(view),
    ...findingsPart(view.rounds.at(-1)),
  ].join('\n')

const facts = (view: JobView): ReadonlyArray<readonly [string, string]> => {
  const { limits } = view.manifest
  const { spent, granted } = view
  return [
    ['workdir', safe(view.submitted.workdir)],
    ['submitted', view.submittedAt],
    ['changed', `${view.changedAt}, position ${view.position}`],
    [
      'spent',
      [
        `${spent.failedRounds} of ${limits.failed_rounds + granted.rounds} failed rounds`,
        `${spent.writerRelaunches} of ${limits.writer_relaunches} relaunches`,
        `${spent.faults} of ${limits.fault_reruns} fault reruns`,
        `${duration(spent.runningMs)} of ${duration((limits.wall_clock_seconds + granted.seconds) * 1000)}`,
      ].join(', '),
    ],
    ...(view.accepted === null
      ? []
      : [['accepted', `round ${view.accepted.round}, tree ${view.accepted.workspace.tree}`] as const]),
    ...(view.status !== 'waiting' || view.waiting === null
      ? []
      : ([
          ['waits', safe(view.waiting.message)],
          ['help', view.waiting.help],
        ] as const)),
  ]
}

const roundRows = (round: RoundView): ReadonlyArray<ReadonlyArray<string>> =>
  round.stages.map((stage) => [
    String(round.round),
    stage.stage,
    String(stage.attempt),
    paintOutcome(stage.outcome),
    stage.ended === null ? '' : duration(stage.ended.durationMs),
    verdicts(stage),
  ])

const verdicts = ({ checks, review, fault }: StageView): string =>
  [
    ...checks.map(({ check, result, notes }) =>
      result === 'passed' && notes.length > 0
        ? `${check} passed (${count(notes.length, 'note')})`
        : `${check} ${result.replaceAll('-', ' ')}`,
    ),
    ...(review === null ? [] : [review.passed ? 'review passed' : `review found ${review.says.length}`]),
    ...(fault === null ? [] : [safe(fault.split('\n', 1)[0] ?? '')]),
  ].join(', ')

const decisionsPart = (view: JobView): ReadonlyArray<string> => {
  if (view.decisions.length === 0) return []
  const references = newestAsked(view)?.references ?? null
  const checked = references === null ? [] : referenceCheckOf(references).decisions
  return [
    '',
    table(
      ['decision', 'outcome', 'choice'],
      view.decisions.map(({ decision: { id, choice } }) => [
        id,
        paintOutcome(checked.find((entry) => entry.id === id)?.outcome ?? 'not asked yet'),
        safe(oneLine(choice)),
      ]),
    ),
  ]
}

const oneLine = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 90 ? `${line.slice(0, 87)}...` : line
}

const findingsPart = (round: RoundView | undefined): ReadonlyArray<string> =>
  round === undefined || round.found.length === 0
    ? []
    : ['', ...round.found.map(({ id, source, text }) => `${colour.yellow(id)} (${source}) ${safe(text)}`)]

import type { CheckedField } from '../../domain/reference-check.js'
import { reportedInOrder, type Why, type WhyDecision, type WhyStage } from '../../projections/why.js'
import { colour, safe } from '../output.js'
import { paintOutcome, paintStatus } from './paint.js'

/** The proof of acceptance as an explanation for a person. */
export const renderWhy = (why: Why): string =>
  [
    `${colour.bold(safe(why.name))}  ${why.job}  ${paintStatus(why.status)}  at position ${why.position}`,
    '',
    ...verdict(why),
    ...(why.stages.length === 0 ? [] : ['', colour.bold(`Round ${why.round}`)]),
    ...why.stages.flatMap(stageLines),
    ...why.decisions.flatMap(decisionLines),
    ...(why.decisions.length === 0
      ? []
      : [
          '',
          colour.dim(
            'The writer chose each probe: "agrees" proves the probe, not that it asks the right thing.',
          ),
        ]),
  ].join('\n')

const verdict = ({ accepted, inTheWay }: Why): ReadonlyArray<string> => {
  if (accepted === null) {
    return ['Not accepted, because:', ...inTheWay.map((line) => `  - ${indented(safe(line))}`)]
  }
  const { round, workspace, treeIsCommit, isolation } = accepted
  const commit = treeIsCommit
    ? `which is what commit ${workspace.commit} holds`
    : `which is not what commit ${workspace.commit} holds: something is uncommitted`
  return [
    `Accepted at position ${accepted.position}: in round ${round} every stage ended well, every check and the`,
    `review passed, and no decision was contradicted, all on tree ${workspace.tree},`,
    `${commit}.`,
    isolation === 'isolated'
      ? 'The stages ran isolated.'
      : 'The stages ran as the same user as the runner: that guards against accidents, not against malice.',
  ]
}

const stageLines = (stage: WhyStage): ReadonlyArray<string> => [
  '',
  `${colour.bold(stage.stage)} ${paintOutcome(stage.outcome)}  ${colour.dim(`positions ${stage.startedAt} to ${stage.endedAt ?? 'now'}, tree ${stage.tree}`)}`,
  ...hashes([
    ['input', stage.input],
    ['stdout', stage.stdout],
    ['stderr', stage.stderr],
  ]),
  ...stage.checks.flatMap(({ check, result, notes, position, rule }) => [
    `  check ${check} ${paintOutcome(result)} by rule ${rule} ${colour.dim(`(position ${position})`)}`,
    ...notes.map((line) => `    - ${indented(safe(line), 6)}`),
  ]),
  ...(stage.review === null
    ? []
    : [
        `  review ${paintOutcome(stage.review.passed ? 'passed' : 'failed')} ${colour.dim(`(position ${stage.review.position})`)}`,
        ...stage.review.says.map((line) => `    - ${indented(safe(line), 6)}`),
      ]),
]

const decisionLines = (decision: WhyDecision): ReadonlyArray<string> => [
  '',
  `${colour.bold(`Decision ${decision.id}`)} ${paintOutcome(decision.outcome)}`,
  `  question  ${indented(safe(decision.question), 12)}`,
  `  choice    ${indented(safe(decision.choice), 12)}`,
  ...decision.fields.flatMap(fieldLines(decision)),
  ...(decision.outcome === 'unchecked' && decision.detail !== ''
    ? [`  why       ${indented(safe(decision.detail), 12)}`]
    : []),
  colour.dim(`  evidence  ${evidence(decision)}`),
  ...hashes([
    ['probe', decision.evidence.probe],
    ['answers', decision.evidence.response],
  ]),
]

const fieldLines =
  ({ browsers }: WhyDecision) =>
  ({ node, field, expected, reported, reference, rule }: CheckedField): ReadonlyArray<string> => [
    `  node ${node}, ${field}: expected ${JSON.stringify(expected)}, ${
      rule === null ? 'no reference' : `reference ${JSON.stringify(reference)} by ${rule}`
    }`,
    ...reportedInOrder(reported).map(([engine, value]) => {
      const { version = 'unknown', error = null } = browsers?.[engine] ?? {}
      const says = error === null ? JSON.stringify(value) : `no answer: ${safe(error)}`
      return `    ${engine.padEnd(9)} ${says}  ${colour.dim(`(version ${safe(version)})`)}`
    }),
  ]

const evidence = ({ evidence: { recorded, asked, answered } }: WhyDecision): string =>
  [
    `recorded at ${recorded.join(', ')}`,
    asked === null ? 'never asked' : `asked at ${asked}`,
    ...(answered === null ? [] : [`answered at ${answered}`]),
  ].join('; ')

const hashes = (kept: ReadonlyArray<readonly [string, string | null]>): ReadonlyArray<string> =>
  kept.flatMap(([name, sha256]) =>
    sha256 === null ? [] : [colour.dim(`  ${name.padEnd(9)} sha256 ${sha256}`)],
  )

/** Keeps the further lines of a text under its first. */
const indented = (text: string, by = 4): string =>
  text
    .trimEnd()
    .split('\n')
    .join(`\n${' '.repeat(by)}`)

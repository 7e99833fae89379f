import type { Answers } from './answer.js'
import { type Engine, engines } from './engine.js'
import { isContradicted } from './outcome.js'
import type { CheckedField } from './reference-check.js'
import { oneLine } from './text.js'

/**
 * What a reader is told of one decision, a statement a line. First, of a decision that could not be
 * checked, the fields that the browsers contradict all the same, then why it is unchecked; then each
 * field with the expected value, each browser's, the reference and its rule; last what weakens it.
 */
export const detailOf = (fields: ReadonlyArray<CheckedField>, answers: Answers | null): string => {
  const unchecked = fields.filter((field) => field.reference === null)
  const contradicted = unchecked.length === 0 ? [] : fields.filter(isContradicted)
  return [
    ...contradicted.map((field) => `contradicted all the same: ${fieldLine(field)}`),
    ...(unchecked.length === 0 ? [] : reasons(unchecked, answers)),
    ...fields.filter((field) => !contradicted.includes(field)).map(fieldLine),
    ...caveats(answers),
  ].join('\n')
}

/** The detail of a decision whose probe is missing or malformed. */
export const malformedProbeDetail = (reason: string): string =>
  `unchecked: the probe is malformed: ${oneLine(reason, 2000)}`

/** The statements of a detail that weaken it, whatever its outcome. */
export const caveatsIn = (detail: string): ReadonlyArray<string> =>
  detail.split('\n').filter((line) => line.startsWith(caveat))

const caveat = 'caveat: '

/** `node 3 bounding.h: expected 100, chromium 0, firefox 0, webkit 0, reference 0 (majority): differs`. */
const fieldLine = (field: CheckedField): string => {
  const reported = engines.map((engine) => `${engine} ${show(field.reported[engine])}`).join(', ')
  const told = `${nameOf(field)}: expected ${show(field.expected)}, ${reported}`
  if (field.reference === null) return `${told}, no reference`
  return `${told}, reference ${show(field.reference)} (${field.rule}): ${verdict(field)}`
}

export const nameOf = ({ node, field }: { readonly node: number; readonly field: string }): string =>
  `node ${node} ${field}`

/** A value as details and notes write it: numbers as JSON does, strings quoted. */
export const show = (value: number | string | null): string =>
  value === null ? 'none' : JSON.stringify(value)

const verdict = (field: CheckedField): string => {
  if (!isContradicted(field)) return 'matches'
  if (typeof field.expected === typeof field.reference) return 'differs'
  return `differs, a ${typeof field.expected} was expected where the browsers report a ${typeof field.reference}`
}

const reasons = (unchecked: ReadonlyArray<CheckedField>, answers: Answers | null): ReadonlyArray<string> => {
  if (answers === null) return ['unchecked: there are no answers to this probe']
  const silent = engines.flatMap((engine) => {
    const { error } = answers.engines[engine]
    return error === null ? [] : [`unchecked: ${engine} did not answer: ${oneLine(error, 300)}`]
  })
  if (silent.length > 0) return silent
  return [...new Set(unchecked.map((field) => `unchecked: ${whyUnreported(field, answers)}`))]
}

const whyUnreported = (field: CheckedField, answers: Answers): string => {
  const outside = engines.filter((engine) => field.node >= answers.engines[engine].nodes)
  if (outside.length > 0) {
    const sizes = outside.map((engine) => `${engine} (${count(answers.engines[engine].nodes, 'node')})`)
    return `node ${field.node} is outside the dump of ${sizes.join(', ')}`
  }
  return `${nameOf(field)} is not reported by ${without(field).join(', ')}`
}

const without = (field: CheckedField): ReadonlyArray<Engine> =>
  engines.filter((engine) => field.reported[engine] === null)

const caveats = (answers: Answers | null): ReadonlyArray<string> => {
  if (answers === null) return []
  const overflowed = engines.filter((engine) => answers.engines[engine].overflowed)
  return [
    ...(overflowed.length === 0
      ? []
      : [`${caveat}the page overflowed in ${overflowed.join(', ')}, so a scrollbar may have taken width`]),
    ...(answers.shapesDiffer
      ? [`${caveat}the browsers built different trees, so one index may name different elements`]
      : []),
  ]
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

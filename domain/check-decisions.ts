import * as E from 'fp-ts/lib/Either.js'
import type { Answers, Reported } from './answer.js'
import type { Decision, Decisions } from './decision.js'
import { detailOf, malformedProbeDetail } from './detail.js'
import type { Engine } from './engine.js'
import { outcomeOf } from './outcome.js'
import { type Expectation, readProbe } from './probe.js'
import { type ReferenceRule, referenceOf } from './reference.js'
import type { CheckedDecision, CheckedField, ReferenceCheck } from './reference-check.js'

/**
 * The content of `reference-check.json`: every decision, in its order, held against what the three
 * browsers answered. The script, the projection, the command by hand and the counterfactual all come
 * here. A decision with a malformed probe needs no answers; one without answers is unchecked.
 * `rule` is another one than the rule in force only where a recorded or supposed version is asked for.
 *
 * Source: the reference check, points 4 to 6.
 */
export const checkDecisions = (
  decisions: Decisions,
  answersById: ReadonlyMap<string, Answers>,
  rule: ReferenceRule = referenceOf,
): ReferenceCheck => ({
  format: 1,
  decisions: decisions.map((decision) => checkDecision(decision, answersById.get(decision.id) ?? null, rule)),
})

const checkDecision = (
  { id, probe: written }: Decision,
  answers: Answers | null,
  rule: ReferenceRule,
): CheckedDecision => {
  const probe = readProbe(written)
  if (E.isLeft(probe)) {
    return { id, outcome: 'unchecked', detail: malformedProbeDetail(probe.left), fields: [] }
  }
  const fields = probe.right.expect.map((expectation, place) => checkField(expectation, place, answers, rule))
  return { id, outcome: outcomeOf(fields), detail: detailOf(fields, answers), fields }
}

const checkField = (
  { node, field, value: expected }: Expectation,
  place: number,
  answers: Answers | null,
  rule: ReferenceRule,
): CheckedField => {
  const reportedBy = (engine: Engine): Reported => answers?.engines[engine].values[place] ?? null
  const chromium = reportedBy('chromium')
  const firefox = reportedBy('firefox')
  const webkit = reportedBy('webkit')
  const checked = { node, field, expected, reported: { chromium, firefox, webkit } }
  if (chromium === null || firefox === null || webkit === null) {
    return { ...checked, reference: null, rule: null }
  }
  const reference = rule({ chromium, firefox, webkit })
  return { ...checked, reference: reference.value, rule: reference.rule }
}

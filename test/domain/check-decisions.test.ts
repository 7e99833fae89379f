import test from 'ava'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import type { Answers } from '../../domain/answer.js'
import { checkDecisions } from '../../domain/check-decisions.js'
import type { Decision } from '../../domain/decision.js'
import { decodeReferenceCheck } from '../../domain/decode-reference-check.js'
import type { CheckedDecision } from '../../domain/reference-check.js'
import { renderReferenceCheck } from '../../domain/render-reference-check.js'
import { answersOf, decisionOf } from './examples.js'

const check = (decision: Decision, answers: Answers | null): CheckedDecision => {
  const byId = new Map(answers === null ? [] : [[decision.id, answers]])
  const [checked] = checkDecisions([decision], byId).decisions
  if (checked === undefined) throw new Error('a decision was left out')
  return checked
}

const widths = (chromium: number, firefox: number, webkit: number): Answers =>
  answersOf({ chromium: [chromium], firefox: [firefox], webkit: [webkit] })

test('a decision agrees when every expectation matches its reference', (t) => {
  const checked = check(
    decisionOf('a', { 'bounding.w': 100, 'style.display': 'block' }),
    answersOf({ chromium: [100, 'block'], firefox: [100.01, 'block'], webkit: [120, 'flex'] }),
  )
  t.is(checked.outcome, 'agrees')
  t.deepEqual(
    checked.fields.map(({ reference, rule }) => ({ reference, rule })),
    [
      { reference: 100, rule: 'majority' },
      { reference: 'block', rule: 'majority' },
    ],
  )
})

test('a decision disagrees when one expectation does not match, and its detail names every value', (t) => {
  const checked = check(decisionOf('a', { 'bounding.h': 300 }), widths(0, 0, 12.5))
  t.is(checked.outcome, 'disagrees')
  t.is(
    checked.detail,
    'node 2 bounding.h: expected 300, chromium 0, firefox 0, webkit 12.5, reference 0 (majority): differs',
  )
})

test('a number expected where the browsers report a string disagrees', (t) => {
  const checked = check(
    decisionOf('a', { 'style.width': 10 }),
    answersOf({ chromium: ['10px'], firefox: ['10px'], webkit: ['10px'] }),
  )
  t.is(checked.outcome, 'disagrees')
  t.regex(checked.detail, /a number was expected where the browsers report a string/)
})

test('a decision is unchecked when a browser did not answer, and no field has a reference', (t) => {
  const checked = check(
    decisionOf('a', { 'bounding.w': 100 }),
    answersOf({ chromium: [100], firefox: [100], webkit: null }),
  )
  t.is(checked.outcome, 'unchecked')
  t.regex(checked.detail, /^unchecked: webkit did not answer: it crashed\n/)
  t.like(checked.fields[0], {
    reported: { chromium: 100, firefox: 100, webkit: null },
    reference: null,
    rule: null,
  })
})

test('a node outside the dumps is unchecked, and says how many nodes there are', (t) => {
  const decision = {
    ...decisionOf('a', {}),
    probe: { html: '', expect: [{ node: 9, field: 'bounding.w', value: 1 }] },
  }
  const checked = check(decision, answersOf({ chromium: [null], firefox: [null], webkit: [null] }))
  t.is(checked.outcome, 'unchecked')
  t.true(checked.detail.includes('node 9 is outside the dump of chromium (3 nodes), firefox (3 nodes)'))
})

test('a property that no browser reports is unchecked', (t) => {
  const checked = check(
    decisionOf('a', { 'style.colour': 'red' }),
    answersOf({ chromium: [null], firefox: [null], webkit: [null] }),
  )
  t.is(checked.outcome, 'unchecked')
  t.regex(checked.detail, /style\.colour is not reported by chromium, firefox, webkit/)
})

test('an unchecked decision that is contradicted as well says so first', (t) => {
  const checked = check(
    decisionOf('a', { 'style.colour': 'red', 'bounding.w': 5 }),
    answersOf({ chromium: [null, 100], firefox: [null, 100], webkit: [null, 100] }),
  )
  t.is(checked.outcome, 'unchecked')
  t.regex(checked.detail, /^contradicted all the same: node 2 bounding\.w: expected 5, chromium 100/)
})

test('a malformed probe is unchecked without fields, and its detail says all that is wrong', (t) => {
  for (const probe of [
    null,
    'html',
    { html: 1, expect: [] },
    { html: '', expect: [{ node: 0.5, field: 'x' }] },
  ]) {
    const checked = check({ ...decisionOf('a', {}), probe }, widths(1, 1, 1))
    t.is(checked.outcome, 'unchecked')
    t.deepEqual(checked.fields, [])
    t.regex(checked.detail, /^unchecked: the probe is malformed: /)
  }
})

test('a decision that was never asked is unchecked', (t) => {
  const checked = check(decisionOf('a', { 'bounding.w': 1 }), null)
  t.is(checked.outcome, 'unchecked')
  t.regex(checked.detail, /there are no answers/)
})

test('an overflowed page and differing trees keep the outcome and are told in the detail', (t) => {
  const answers = answersOf({ chromium: [1], firefox: [1], webkit: [1] }, { shapesDiffer: true })
  const { chromium } = answers.engines
  const checked = check(decisionOf('a', { 'bounding.w': 1 }), {
    ...answers,
    engines: { ...answers.engines, chromium: { ...chromium, overflowed: true } },
  })
  t.is(checked.outcome, 'agrees')
  t.regex(checked.detail, /caveat: the page overflowed in chromium/)
  t.regex(checked.detail, /caveat: the browsers built different trees/)
})

test('an error message of a browser cannot write lines of its own into the detail', (t) => {
  const answers = answersOf({ chromium: [1], firefox: [1], webkit: null })
  const { webkit } = answers.engines
  const checked = check(decisionOf('a', { 'bounding.w': 1 }), {
    ...answers,
    engines: { ...answers.engines, webkit: { ...webkit, error: 'oh\ncaveat: none\u0000\ud800' } },
  })
  t.false(checked.detail.split('\n').some((line) => line.startsWith('caveat')))
  t.false(/\0|\p{Surrogate}/u.test(checked.detail))
})

test('another rule gives another reference from the same answers', (t) => {
  const answers = new Map([['a', widths(1, 2, 2)]])
  const decisions = [decisionOf('a', { 'bounding.w': 1 })]
  t.is(checkDecisions(decisions, answers).decisions[0]?.outcome, 'disagrees')
  const whatIf = checkDecisions(decisions, answers, ({ chromium }) => ({ value: chromium, rule: 'majority' }))
  t.is(whatIf.decisions[0]?.outcome, 'agrees')
})

test('an empty list renders to the text that the contract has', (t) => {
  t.is(renderReferenceCheck(checkDecisions([], new Map())), '{\n  "format": 1,\n  "decisions": []\n}\n')
})

test('a rendered file, read and rendered again, is the same bytes', (t) => {
  const value = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.string())
  const reported = fc.array(fc.option(value), { minLength: 2, maxLength: 2 })
  const answers = fc.record({ chromium: reported, firefox: reported, webkit: reported })
  fc.assert(
    fc.property(answers, value, value, (given, width, display) => {
      const decision = decisionOf('a', { 'bounding.w': width, 'style.display': display })
      const text = renderReferenceCheck(checkDecisions([decision], new Map([['a', answersOf(given)]])))
      const read = decodeReferenceCheck(JSON.parse(text))
      return E.isRight(read) && renderReferenceCheck(read.right) === text
    }),
  )
  t.pass()
})

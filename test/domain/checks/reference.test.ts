import test from 'ava'
import { findCheck } from '../../../domain/check.js'
import { checkDecisions } from '../../../domain/check-decisions.js'
import type { CheckResult, FileContent } from '../../../domain/checks/check.js'
import { reference } from '../../../domain/checks/reference.js'
import { renderReferenceCheck } from '../../../domain/render-reference-check.js'
import { answersOf, bytesOf, decisionOf } from '../examples.js'

const missing: FileContent = { tag: 'missing' }

const file = (content: unknown): FileContent => ({ tag: 'bytes', bytes: bytesOf(content) })

const run = (check: FileContent, decisions: FileContent): CheckResult =>
  reference.run({ files: [check, decisions], touches: [], changed: [] })

const agreeing = decisionOf('agreeing', { 'bounding.w': 100 })
const unchecked = decisionOf('unchecked', { 'bounding.w': 100 })
const byDefault = decisionOf('by-default', { 'bounding.w': 100 })
const wrong = decisionOf('wrong', { 'bounding.w': 7 })

const answers = new Map([
  ['agreeing', answersOf({ chromium: [100], firefox: [100], webkit: [100] })],
  ['unchecked', answersOf({ chromium: [100], firefox: [100], webkit: null })],
  ['by-default', answersOf({ chromium: [100], firefox: [110], webkit: [120] })],
  ['wrong', answersOf({ chromium: [100], firefox: [100], webkit: [100] })],
])

const checked = (decisions: ReadonlyArray<typeof agreeing>): FileContent =>
  file(renderReferenceCheck(checkDecisions(decisions, answers)))

test('the check passes on agrees and unchecked, and notes the unchecked and the chromium-default', (t) => {
  const decisions = [agreeing, unchecked, byDefault]
  t.deepEqual(run(checked(decisions), file(decisions)), {
    tag: 'passed',
    notes: [
      'decision unchecked (what about unchecked?) is unchecked:\nunchecked: webkit did not answer: it crashed\n' +
        'node 2 bounding.w: expected 100, chromium 100, firefox 100, webkit none, no reference',
      'decision by-default (what about by-default?) leans on chromium-default: ' +
        'node 2 bounding.w: chromium 100, firefox 110, webkit 120, reference 100',
    ],
  })
})

test('the check fails on each decision that disagrees, naming its id, question and detail', (t) => {
  const result = run(checked([agreeing, wrong]), file([agreeing, wrong]))
  t.deepEqual(result, {
    tag: 'failed',
    messages: [
      'decision wrong (what about wrong?) disagrees with the browsers:\n' +
        'node 2 bounding.w: expected 7, chromium 100, firefox 100, webkit 100, reference 100 (majority): differs',
    ],
  })
})

test('the check fails on a decision that the file leaves out', (t) => {
  t.deepEqual(run(checked([agreeing]), file([agreeing, unchecked])), {
    tag: 'failed',
    messages: ['decision unchecked (what about unchecked?) is missing from the reference check'],
  })
})

test('a disagreement counts even when its decision is in the list no more, and when an id is there twice', (t) => {
  t.is(run(checked([wrong]), file([])).tag, 'failed')
  const twice = {
    format: 1,
    decisions: [
      { id: 'a', outcome: 'disagrees' },
      { id: 'a', outcome: 'agrees' },
    ],
  }
  t.is(run(file(twice), file([{ ...agreeing, id: 'a' }])).tag, 'failed')
})

test('a missing decisions.json counts as an empty list', (t) => {
  t.deepEqual(run(checked([]), missing), { tag: 'passed', notes: [] })
})

test('the check cannot run without the first file, or when it is no JSON or not of format 1', (t) => {
  t.deepEqual(run(missing, file([])), { tag: 'could-not-run', why: 'the reference check file is missing' })
  for (const content of [
    '',
    '{',
    '[]',
    'null',
    { format: 2, decisions: [] },
    { format: '1', decisions: [] },
  ]) {
    t.is(run(file(content), file([])).tag, 'could-not-run')
  }
  t.is(run({ tag: 'unreadable', why: 'it is a link' }, file([])).tag, 'could-not-run')
})

test('the check cannot run on a first file of format 1 whose decisions are no decisions', (t) => {
  for (const decisions of [undefined, {}, [1], [{ id: 'a', outcome: 'perhaps' }], [{ outcome: 'agrees' }]]) {
    t.is(run(file({ format: 1, decisions }), file([])).tag, 'could-not-run')
  }
})

test('a malformed decisions.json fails the check with every reason', (t) => {
  t.deepEqual(run(checked([]), file([1, { ...agreeing, id: '?' }])), {
    tag: 'failed',
    messages: [
      'decisions.json is malformed: [0]: expected a decision, got 1',
      `decisions.json is malformed: [1].id: expected 1 to 100 letters, digits and '-', got "?"`,
    ],
  })
  t.deepEqual(run(checked([]), { tag: 'unreadable', why: 'it is a link' }), {
    tag: 'failed',
    messages: ['decisions.json cannot be read: it is a link'],
  })
})

test('what weakens an agreement is noted', (t) => {
  const weak = new Map([
    ['agreeing', answersOf({ chromium: [100], firefox: [100], webkit: [100] }, { shapesDiffer: true })],
  ])
  const text = renderReferenceCheck(checkDecisions([agreeing], weak))
  const result = run(file(text), file([agreeing]))
  t.true(result.tag === 'passed' && result.notes.length === 1)
  t.regex(result.tag === 'passed' ? (result.notes[0] ?? '') : '', /agrees, with a caveat: .* different trees/)
})

test('touches fails for each path outside of the globs', (t) => {
  const touches = findCheck('touches')
  t.deepEqual(touches?.run({ files: [], touches: ['src/**'], changed: ['src/a.ts', 'README.md'] }), {
    tag: 'failed',
    messages: ['"README.md" is outside of touches: src/**'],
  })
  t.deepEqual(touches?.run({ files: [], touches: ['src/**'], changed: [] }), { tag: 'passed', notes: [] })
})

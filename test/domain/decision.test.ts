import test from 'ava'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { type Decisions, readDecisions } from '../../domain/decision.js'
import { renderViolation } from '../../domain/decode.js'
import { bytesOf } from './examples.js'

const decision = {
  id: 'a-1',
  question: 'q',
  spec: 's',
  choice: 'c',
  probe: { html: '', expect: [] },
  sources: ['x'],
}

const reasons = (content: unknown): ReadonlyArray<string> => {
  const read = readDecisions(bytesOf(content))
  return E.isLeft(read) ? read.left.map(renderViolation) : []
}

const decisions = (content: unknown): Decisions => {
  const read = readDecisions(bytesOf(content))
  if (E.isLeft(read)) throw new Error(read.left.map(renderViolation).join('\n'))
  return read.right
}

test('a missing file, an empty one and a blank one are an empty list', (t) => {
  t.deepEqual(readDecisions(null), E.right([]))
  t.deepEqual(decisions(''), [])
  t.deepEqual(decisions(' \r\n\t'), [])
  t.deepEqual(decisions('[]'), [])
})

test('decisions are read in their order, with the probe as it was written', (t) => {
  const odd = { ...decision, id: 'B', probe: 'no probe at all', more: 1 }
  t.deepEqual(decisions([decision, odd]), [
    decision,
    { id: 'B', question: 'q', spec: 's', choice: 'c', probe: 'no probe at all', sources: ['x'] },
  ])
})

test('sources of any shape are kept as text, since they decide nothing', (t) => {
  const sourcesOf = (sources: unknown) => decisions([{ ...decision, sources }])[0]?.sources
  t.deepEqual(sourcesOf(undefined), [])
  t.deepEqual(sourcesOf('one'), ['one'])
  t.deepEqual(sourcesOf(['one', { url: 'x' }, 2]), ['one', '{"url":"x"}', '2'])
})

test('a file that is no JSON or no list is malformed', (t) => {
  t.regex(reasons('[{]')[0] ?? '', /^expected JSON, got something else: /)
  t.deepEqual(reasons({ decisions: [] }), ['expected a list of decisions, got an object'])
  t.deepEqual(reasons('null'), ['expected a list of decisions, got null'])
})

test('every reason why the file is malformed is told, with its path', (t) => {
  const found = reasons([
    decision,
    'x',
    { ...decision, question: 1, choice: null },
    { ...decision, id: 'a_b' },
    { id: '' },
  ])
  t.deepEqual(found, [
    '[1]: expected a decision, got "x"',
    '[2].id: expected an id of its own, got "a-1", which [0] has',
    '[2].question: expected a string, got 1',
    '[2].choice: expected a string, got null',
    `[3].id: expected 1 to 100 letters, digits and '-', got "a_b"`,
    `[4].id: expected 1 to 100 letters, digits and '-', got ""`,
    '[4].question: expected a string, got nothing',
    '[4].spec: expected a string, got nothing',
    '[4].choice: expected a string, got nothing',
  ])
})

test('an id takes ASCII letters and digits alone', (t) => {
  for (const id of ['é', 'a b', '../x', 'a\n', 'ａ', 'x'.repeat(101)])
    t.is(reasons([{ ...decision, id }]).length, 1)
})

test('a key that is there twice is refused, wherever it is', (t) => {
  t.deepEqual(
    reasons('[{"id":"a","id":"b","question":"","spec":"","choice":"","probe":{"x":[{"y":1,"\\u0079":2}]}}]'),
    [
      '[0].id: expected each key once, got it twice',
      '[0].probe.x[0].y: expected each key once, got it twice',
    ],
  )
})

test('invalid UTF-8 is refused, and so is text or a number that cannot be kept', (t) => {
  t.deepEqual(
    readDecisions(new Uint8Array([0x5b, 0xff, 0x5d])),
    E.left([{ path: '', message: 'expected UTF-8, got other bytes' }]),
  )
  t.deepEqual(reasons('["\\u0000", "\\ud800", "\\ud83d\\ude00", 1e400, 9007199254740993, -0.5e-3]'), [
    '[0]: expected text without NUL and half surrogate pairs, got one',
    '[1]: expected text without NUL and half surrogate pairs, got one',
    '[3]: expected a number that a double holds, got 1e400',
    '[4]: expected a number that a double holds, got 9007199254740993',
  ])
})

test('nesting without end is refused, and is no trouble to read', (t) => {
  t.deepEqual(
    reasons('['.repeat(100_000) + ']'.repeat(100_000)).map((line) => line.split(': ').at(-1)),
    ['expected at most 64 levels, got more'],
  )
})

test('braces, quotes and escapes inside of strings are text', (t) => {
  const html = '<p title="{\\"a\\":1,\\"a\\":2}">[,]\\\\"</p>'
  t.deepEqual(decisions([{ ...decision, probe: { html } }])[0]?.probe, { html })
})

test('JSON that repeats no key and can be kept is read as JSON.parse reads it', (t) => {
  fc.assert(
    fc.property(fc.jsonValue(), (probe) => {
      const text = JSON.stringify([{ ...decision, probe }])
      if (/\\u0000|\\ud[89a-f]/.test(text) || /(^|[^.\d])\d{16,}/.test(text)) return
      t.deepEqual(decisions(text)[0]?.probe ?? null, JSON.parse(text)[0].probe)
    }),
  )
})

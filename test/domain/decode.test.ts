import test from 'ava'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import {
  dictionary,
  integerFrom,
  listOf,
  orNull,
  scalar,
  struct,
  such,
  tagged,
  withDefault,
} from '../../domain/codecs.js'
import { decodeWith, renderViolation } from '../../domain/decode.js'

const errors = (codec: t.Decoder<unknown, unknown>, input: unknown): ReadonlyArray<string> => {
  const decoded = decodeWith(codec)(input)
  return E.isLeft(decoded) ? decoded.left.map(renderViolation) : []
}

const Check = struct('a check', { check: t.string, args: listOf(t.string, 1, 3) })
const Document = struct('a document', {
  stages: listOf(struct('a stage', { checks: listOf(Check, 0, 9) }), 1, 9),
})

test('every error has its path in the document, what was expected and what was there', (assert) => {
  const input = { stages: [{ checks: [] }, { checks: [{ check: 3, args: ['a', null] }] }] }
  assert.deepEqual(errors(Document, input), [
    'stages[1].checks[0].check: expected string, got 3',
    'stages[1].checks[0].args[1]: expected string, got null',
  ])
})

test('an unknown key is an error at its own path, beside the others', (assert) => {
  assert.deepEqual(errors(Document, { stages: [{ checks: [], 'odd key': 1 }, { check: [] }] }), [
    'stages[0]["odd key"]: expected no such key (there are checks), got 1',
    'stages[1].checks: expected a list of 0 to 9 items, got nothing',
    'stages[1].check: expected no such key (there are checks), got an empty list',
  ])
})

test('a document that is no object is one error without a path', (assert) => {
  assert.deepEqual(errors(Document, 'text'), ['expected a document, got "text"'])
})

test('a list of a wrong length tells its items as well', (assert) => {
  assert.deepEqual(errors(listOf(t.string, 0, 1), [1, 'a']), [
    'expected a list of 0 to 1 items, got a list of 2',
    '[0]: expected string, got 1',
  ])
})

test('a union is one error, and the steps of an intersection are no part of a path', (assert) => {
  const codec = t.intersection([
    t.type({ a: t.union([t.string, t.null], 'string or null') }),
    t.partial({ b: t.number }),
  ])
  assert.deepEqual(errors(codec, { a: 1, b: 'x' }), [
    'a: expected string or null, got 1',
    'b: expected number, got "x"',
  ])
})

test('a union whose member was entered tells what is wrong inside of it', (assert) => {
  const codec = t.type({ a: t.union([t.null, t.type({ b: t.number })]) })
  assert.deepEqual(errors(codec, { a: { b: 'x' } }), ['a.b: expected number, got "x"'])
})

test('an unknown tag is one error at the tag', (assert) => {
  const codec = tagged('a shape', 'kind', { dot: struct('a dot', { kind: t.literal('dot') }) })
  assert.deepEqual(errors(codec, { kind: 'constructor' }), ['kind: expected one of "dot", got "constructor"'])
  assert.deepEqual(errors(codec, { kind: 'dot' }), [])
})

test('integers refuse NaN, infinities, fractions and what is out of range', (assert) => {
  for (const input of [Number.NaN, Number.POSITIVE_INFINITY, 0.5, -1, 11, '3']) {
    assert.is(errors(integerFrom(0, 10), input).length, 1)
  }
  assert.deepEqual(errors(integerFrom(0, 10), 10), [])
})

test('a dictionary refuses keys as well as values', (assert) => {
  const codec = dictionary(
    'words',
    such('a lower-case word', t.string, (key) => /^[a-z]+$/.test(key)),
    t.number,
  )
  assert.deepEqual(errors(codec, { good: 1, 'Not good': 2, bad: 'x' }), [
    '["Not good"]: expected a lower-case word, got "Not good"',
    'bad: expected number, got "x"',
  ])
  assert.is(errors(codec, JSON.parse('{"__proto__": 1}')).length, 1)
})

test('a default stands for nothing, and null for null', (assert) => {
  const codec = struct('settings', {
    a: withDefault(
      scalar('a word', (input): input is string => typeof input === 'string'),
      'some',
    ),
    b: orNull(t.string),
  })
  assert.deepEqual(decodeWith(codec)({}), E.right({ a: 'some', b: null }))
  assert.deepEqual(decodeWith(codec)({ a: 'other', b: 'x' }), E.right({ a: 'other', b: 'x' }))
  assert.deepEqual(errors(codec, { a: null, b: 1 }), [
    'a: expected a word, got null',
    'b: expected string, got 1',
  ])
})

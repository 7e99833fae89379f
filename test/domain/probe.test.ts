import test from 'ava'
import * as E from 'fp-ts/lib/Either.js'
import { readProbe } from '../../domain/probe.js'

const expecting = (expectation: object) =>
  readProbe({ html: '', expect: [{ node: 0, field: 'bounding.x', value: 1, ...expectation }] })

test('each field of the format is taken', (t) => {
  for (const field of [
    'bounding.x',
    'bounding.y',
    'bounding.w',
    'bounding.h',
    'rects.length',
    'style.margin-top',
    'style.--own',
  ]) {
    t.true(E.isRight(expecting({ field })), field)
  }
})

test('fields, nodes and values that the format does not have are malformed', (t) => {
  for (const field of ['bounding.z', 'bounding', 'rects', 'rects.0.x', 'style.', 'style.a\nb', 'tag', 1]) {
    t.true(E.isLeft(expecting({ field })), String(field))
  }
  for (const node of [-1, 0.5, '0', null]) t.true(E.isLeft(expecting({ node })), String(node))
  for (const value of [null, true, [], Number.NaN, Number.POSITIVE_INFINITY])
    t.true(E.isLeft(expecting({ value })), String(value))
})

test('an empty expect is malformed', (t) => {
  t.deepEqual(
    readProbe({ html: '', expect: [] }),
    E.left('expect: expected a list of 1 to 200 items, got an empty list'),
  )
})

test('all that is wrong with a probe is in its reason', (t) => {
  t.deepEqual(
    readProbe({ html: 1, expect: [{ node: 0, field: 'bounding.x' }] }),
    E.left(
      'html: expected string, got 1; expect[0].value: expected a finite number or a string, got nothing',
    ),
  )
  t.deepEqual(readProbe(undefined), E.left('there is no probe'))
})

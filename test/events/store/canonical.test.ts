import test from 'ava'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import type { AppendRequest, Json } from '../../../events/envelope.js'
import { canonicalBytes, canonicalEvent } from '../../../events/store/canonical.js'

const request: AppendRequest = {
  stream: 's',
  expected: 'any',
  events: [],
  actor: 'test',
  commandId: 'c',
  correlationId: 'a',
}

const textOf = (data: unknown) => canonicalEvent(request, { type: 'A', schemaVersion: 1, data: data as Json })

/** Any JSON, with every unit that a string can have: halves of pairs and control characters too. */
const anyJson = fc.jsonValue({
  stringUnit: fc.integer({ min: 0, max: 0xffff }).map((n) => String.fromCharCode(n)),
})

/** Nothing that JSON would give back as something else: halves of pairs, and a zero with a sign. */
const keepable = (value: unknown): boolean => {
  if (Object.is(value, -0)) return false
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, item]) => key.isWellFormed() && keepable(item))
}

test('whatever is kept comes back as it was, and what could not is refused', (t) => {
  fc.assert(
    fc.property(anyJson, (value) => {
      const text = textOf(value)
      if (E.isLeft(text)) return !keepable(value)
      const { data } = JSON.parse(text.right) as { readonly data: unknown }
      t.deepEqual(data, JSON.parse(JSON.stringify(value)))
      return true
    }),
  )
  t.pass()
})

test('the bytes are the same in whatever order the keys were written, and when they are read and written again', (t) => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const bytes = canonicalBytes(value)
      const turned = Object.fromEntries(Object.entries(value).reverse())
      return (
        canonicalBytes(turned).equals(bytes) &&
        canonicalBytes(JSON.parse(bytes.toString('utf8'))).equals(bytes)
      )
    }),
  )
  t.pass()
})

test('keys are sorted by their UTF-16 units and numbers written as RFC 8785 says', (t) => {
  const value = {
    '\u{1f600}': 1,
    '\ufb33': 2,
    b: 1e21,
    a: 1e-7,
    '': Number('333333333.33333329'),
    '10': 0,
    '9': 4.5,
  }
  t.is(
    canonicalBytes(value).toString('utf8'),
    '{"":333333333.3333333,"10":0,"9":4.5,"a":1e-7,"b":1e+21,"\u{1f600}":1,"\ufb33":2}',
  )
})

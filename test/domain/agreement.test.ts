import test from 'ava'
import fc from 'fast-check'
import { agree, isWithin } from '../../domain/agreement.js'

test('numbers exactly 1/60 px apart agree, on either side', (t) => {
  t.true(agree(0, 1 / 60))
  t.true(agree(1 / 60, 0))
  t.true(agree(0, -1 / 60))
})

test('numbers one double beyond 1/60 px apart do not agree', (t) => {
  const beyond = 1 / 60 + Number.EPSILON / 64
  t.true(beyond > 1 / 60)
  t.false(agree(0, beyond))
  t.false(agree(beyond, 0))
})

test('the difference is taken in doubles, with no slack for its rounding', (t) => {
  const moved = 100 + 1 / 60
  t.is(agree(100, moved), Math.abs(moved - 100) <= 1 / 60)
  t.false(agree(100, 100.01668))
  t.true(agree(100, 100.01666))
})

test('strings agree when identical, and never with numbers', (t) => {
  t.true(agree('10px', '10px'))
  t.false(agree('10px', '10.0px'))
  t.false(agree('10', 10))
})

test('agreement is symmetric, and each value agrees with itself', (t) => {
  const value = fc.oneof(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), fc.string())
  fc.assert(fc.property(value, value, (a, b) => agree(a, b) === agree(b, a) && agree(a, a)))
  t.true(isWithin(1 / 60) && isWithin(-1 / 60))
  t.false(isWithin(0.016666666666666673))
})

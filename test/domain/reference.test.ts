import test from 'ava'
import fc from 'fast-check'
import { agree } from '../../domain/agreement.js'
import { referenceOf, referenceRuleOf, referenceRuleVersion } from '../../domain/reference.js'

test("Chromium's value stands when it agrees with either other browser", (t) => {
  t.deepEqual(referenceOf({ chromium: 1, firefox: 1.01, webkit: 9 }), { value: 1, rule: 'majority' })
  t.deepEqual(referenceOf({ chromium: 1, firefox: 9, webkit: 1.01 }), { value: 1, rule: 'majority' })
})

test("Firefox's value stands when it agrees with WebKit alone", (t) => {
  t.deepEqual(referenceOf({ chromium: 9, firefox: 1, webkit: 1.01 }), { value: 1, rule: 'majority' })
})

test("Chromium's value stands by default when all three differ", (t) => {
  t.deepEqual(referenceOf({ chromium: 'a', firefox: 'b', webkit: 'c' }), {
    value: 'a',
    rule: 'chromium-default',
  })
})

test("Chromium's value stands when Firefox is near both others and they are not near each other", (t) => {
  const values = { chromium: 2 / 60, firefox: 1 / 60, webkit: 0 }
  t.false(agree(values.chromium, values.webkit))
  t.deepEqual(referenceOf(values), { value: 2 / 60, rule: 'majority' })
})

test('only a known version of the rule can be looked up', (t) => {
  t.is(referenceRuleOf(referenceRuleVersion), referenceOf)
  t.is(referenceRuleOf(referenceRuleVersion + 1), null)
})

const near = fc.integer({ min: 0, max: 8 }).map((steps) => 100 + steps / 128)
const votes = fc.record({ chromium: near, firefox: near, webkit: near })

test('the reference is always a value that a browser reported', (t) => {
  fc.assert(fc.property(votes, (values) => Object.values(values).includes(Number(referenceOf(values).value))))
  t.pass()
})

test('the rule is chromium-default exactly when no two browsers agree', (t) => {
  fc.assert(
    fc.property(votes, (values) => {
      const { chromium, firefox, webkit } = values
      const pairs = [agree(chromium, firefox), agree(chromium, webkit), agree(firefox, webkit)]
      return (referenceOf(values).rule === 'majority') === pairs.some(Boolean)
    }),
  )
  t.pass()
})

test('a majority reference agrees with the value of a second browser', (t) => {
  fc.assert(
    fc.property(votes, (values) => {
      const { value, rule } = referenceOf(values)
      return rule !== 'majority' || Object.values(values).filter((other) => agree(value, other)).length >= 2
    }),
  )
  t.pass()
})

test('exchanging Firefox and WebKit keeps the rule, and a reference that is near', (t) => {
  fc.assert(
    fc.property(votes, ({ chromium, firefox, webkit }) => {
      const one = referenceOf({ chromium, firefox, webkit })
      const other = referenceOf({ chromium, firefox: webkit, webkit: firefox })
      return one.rule === other.rule && agree(one.value, other.value)
    }),
  )
  t.pass()
})

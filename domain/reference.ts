import { agree, type Value } from './agreement.js'
import type { Engine } from './engine.js'
import type { Rule } from './reference-check.js'

/** The one value that three browsers define for a field, and the rule that chose it. */
export type Reference = { readonly value: Value; readonly rule: Rule }

/** Makes the reference of one field of what all three reported. */
export type ReferenceRule = (values: Readonly<Record<Engine, Value>>) => Reference

/** Stands beside every verdict, so that a later reader can decide it again with the same rule. */
export const referenceRuleVersion = 1

/**
 * The rule in force. Chromium's value when Chromium agrees with either other browser; else Firefox's
 * when Firefox and WebKit agree; else Chromium's, by `chromium-default`. The order matters because
 * agreement is not transitive: when Firefox is near both others, which are not near each other, the
 * reference is Chromium's. It is always a value that a browser reported, never an average.
 *
 * Source: the reference check, point 5, and the design's reading of it.
 */
export const referenceOf: ReferenceRule = ({ chromium, firefox, webkit }) => {
  if (agree(chromium, firefox) || agree(chromium, webkit)) return { value: chromium, rule: 'majority' }
  if (agree(firefox, webkit)) return { value: firefox, rule: 'majority' }
  return { value: chromium, rule: 'chromium-default' }
}

/** The rule that a recorded version stands for, `null` for a version that this Docket does not know. */
export const referenceRuleOf = (version: number): ReferenceRule | null =>
  version === referenceRuleVersion ? referenceOf : null

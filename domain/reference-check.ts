import type { Reported } from './answer.js'
import type { Engine } from './engine.js'

/** Which rule made a reference: two browsers agree, or all three differ and Chromium's stands. */
export type Rule = 'majority' | 'chromium-default'

export type Outcome = 'agrees' | 'disagrees' | 'unchecked'

/** One expectation of a probe, held against what the browsers reported. */
export type CheckedField = {
  readonly node: number
  readonly field: string
  readonly expected: number | string
  readonly reported: Readonly<Record<Engine, Reported>>
  readonly reference: number | string | null
  readonly rule: Rule | null
}

export type CheckedDecision = {
  readonly id: string
  readonly outcome: Outcome
  readonly detail: string
  readonly fields: ReadonlyArray<CheckedField>
}

/** The content of `reference-check.json`; the keys stand in the order that the file has. */
export type ReferenceCheck = {
  readonly format: 1
  readonly decisions: ReadonlyArray<CheckedDecision>
}

import { agree } from './agreement.js'
import type { CheckedField, Outcome } from './reference-check.js'

/**
 * A decision's outcome from its fields: `unchecked` as soon as one has no reference (fewer than three
 * browsers reported it) or there is none at all, else `agrees` when every expectation matches.
 * Source: the reference check, point 6.
 */
export const outcomeOf = (fields: ReadonlyArray<CheckedField>): Outcome => {
  if (fields.length === 0 || fields.some((field) => field.reference === null)) return 'unchecked'
  return fields.some(isContradicted) ? 'disagrees' : 'agrees'
}

/** All three reported the field, and the reference is not what was expected. */
export const isContradicted = (field: CheckedField): boolean =>
  field.reference !== null && !agree(field.expected, field.reference)

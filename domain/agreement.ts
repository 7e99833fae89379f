/** What a browser can report for a field, and what an expectation can ask for. */
export type Value = number | string

/**
 * Whether two values count as the same: numbers within 1/60 px of each other, taken in doubles with
 * no slack, and strings when identical. A number never agrees with a string. This is the only
 * tolerance there is, for the vote, the outcome and the comparator alike.
 *
 * It is not transitive: 0, 1/60 and 2/60 agree in pairs of neighbours only.
 *
 * Source: the dump format's comparison (1/60 px is Gecko's app unit, the coarsest of the three).
 */
export const agree = (a: Value, b: Value): boolean => {
  if (typeof a === 'number' && typeof b === 'number') return isWithin(a - b)
  return a === b
}

/** Whether two lengths that differ by so many CSS pixels count as the same. */
export const isWithin = (delta: number): boolean => Math.abs(delta) <= tolerance

/** CSS pixels. */
const tolerance = 1 / 60

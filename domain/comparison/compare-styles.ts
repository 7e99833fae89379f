import { isWithin } from '../agreement.js'
import { type DumpNode, styleProperties } from '../dump.js'
import type { StyleComparison, StyleDifference } from './comparison.js'

/** Compares the computed styles of nodes that stand in the same places: as text, and where both are numbers, as such. */
export const compareStyles = (a: ReadonlyArray<DumpNode>, b: ReadonlyArray<DumpNode>): StyleComparison => {
  const differences: Array<StyleDifference> = []
  for (let index = 0; index < a.length; index++) {
    const one = (a[index] as DumpNode).style
    const two = (b[index] as DumpNode).style
    for (const property of styleProperties) {
      const [value, other] = [one[property], two[property]]
      if (value !== other) differences.push(differenceOf(index, property, value ?? null, other ?? null))
    }
  }
  return { verdict: differences.length === 0 ? 'same' : 'differs', differences }
}

const differenceOf = (
  index: number,
  property: string,
  one: string | null,
  two: string | null,
): StyleDifference => {
  const [a, b] = [amountOf(one), amountOf(two)]
  const delta = a !== null && b !== null && a.unit === b.unit ? b.number - a.number : null
  return {
    index,
    property,
    values: [one, two],
    delta,
    agrees: delta !== null && isWithin(delta),
  }
}

type Amount = { readonly number: number; readonly unit: string }

/** `32.6562px` is 32.6562 of `px`; `auto` is no amount. */
const amountOf = (value: string | null): Amount | null => {
  const found = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(px|%|)$/i.exec(value ?? '')
  if (found === null) return null
  const [, number = '', unit = ''] = found
  return { number: Number(number), unit }
}

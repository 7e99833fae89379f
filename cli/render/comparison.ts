import type {
  BoxRule,
  Comparison,
  Divergence,
  StyleComparison,
  WrongBox,
} from '../../domain/comparison/comparison.js'
import { nodePath } from '../../domain/comparison/node-path.js'
import type { Dump, DumpNode } from '../../domain/dump.js'
import { count } from '../../projections/text.js'
import { colour, safe } from '../output.js'

/** A comparison for a person: the verdict, the first wrong box with its path and rule, and what else there is. */
export const renderComparison = (a: Dump, b: Dump, comparison: Comparison): string => {
  switch (comparison.verdict) {
    case 'discarded':
      return `discarded: the page scrolls in ${scrolling(a, b, comparison.overflowed)}, so a scrollbar may have taken width`
    case 'other-shape':
      return tellDivergence(a, b, comparison.divergence)
    case 'same':
    case 'differs': {
      const nodes = count(comparison.deltas.length, 'node')
      const head =
        comparison.verdict === 'same'
          ? colour.green(`the same within 1/60 px, in ${nodes}`)
          : colour.red(`${count(comparison.wrong.length, 'wrong box')} of ${nodes}`)
      return [
        head,
        ...comparison.wrong.slice(0, mostTold).map((box) => tellBox(a, b, box)),
        ...more(comparison.wrong),
      ]
        .concat(tellStyle(a, comparison.style))
        .join('\n')
    }
  }
}

const mostTold = 10

const more = (all: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  all.length > mostTold ? [`and ${all.length - mostTold} more: --json lists them all`] : []

const scrolling = (a: Dump, b: Dump, [first, second]: readonly [boolean, boolean]): string => {
  const names = [...(first ? [a.engine] : []), ...(second ? [b.engine] : [])]
  return names.length === 2 ? 'both' : (names[0] ?? '')
}

const tellDivergence = (a: Dump, b: Dump, { index, nodes }: Divergence): string => {
  const [one, two] = nodes.map((node, place) => {
    if (node === null) return 'nothing'
    return safe(`${nodePath((place === 0 ? a : b).nodes, index)} at depth ${node.depth}`)
  })
  return `${colour.red('another tree')}: node ${index} is ${one} in the first, and ${two} in the second`
}

const tellBox = (a: Dump, b: Dump, { index, rule, delta }: WrongBox): string => {
  const [one, two] = [a.nodes[index], b.nodes[index]]
  const values = one === undefined || two === undefined ? '' : ` ${said(rule, one, two)}`
  return `${safe(nodePath(a.nodes, index))}: ${names[rule]}${values} (${signed(delta)})`
}

const names: Readonly<Record<BoxRule, string>> = {
  fragments: 'fragments',
  width: 'width',
  height: 'height',
  'fragment-size': 'size of a fragment',
  'offset-x': 'offset x from its parent',
  'offset-y': 'offset y from its parent',
}

const said = (rule: BoxRule, one: DumpNode, two: DumpNode): string => {
  switch (rule) {
    case 'fragments':
      return `${one.rects.length} and ${two.rects.length}`
    case 'width':
      return `${one.bounding.w} and ${two.bounding.w}`
    case 'height':
      return `${one.bounding.h} and ${two.bounding.h}`
    case 'fragment-size':
    case 'offset-x':
    case 'offset-y':
      return ''
  }
}

const signed = (delta: number): string => `${delta > 0 ? '+' : ''}${delta}`

const tellStyle = (a: Dump, { differences }: StyleComparison): ReadonlyArray<string> => {
  const apart = differences.filter(({ agrees }) => !agrees)
  const printed = differences.length - apart.length
  return [
    ...(differences.length === 0 ? ['computed styles: the same'] : []),
    ...(printed > 0 ? [`computed styles: ${count(printed, 'length')} printed in two ways`] : []),
    ...apart.slice(0, mostTold).map(({ index, property, values: [one, two] }) => {
      const path = nodePath(a.nodes, index)
      return safe(`computed styles: ${path}: ${property} ${one ?? 'nothing'} and ${two ?? 'nothing'}`)
    }),
    ...more(apart),
  ]
}

import test from 'ava'
import { compareDumps } from '../../../domain/comparison/compare-dumps.js'
import type { Comparison } from '../../../domain/comparison/comparison.js'
import { nodePath } from '../../../domain/comparison/node-path.js'
import type { Dump, DumpNode, Rect } from '../../../domain/dump.js'

type Given = Partial<Omit<DumpNode, 'index'>> & { readonly box?: readonly [number, number, number, number] }

/** A dump of nodes that stand below one another unless they say otherwise, with one fragment each. */
const dumpOf = (nodes: ReadonlyArray<Given>, overflowed = false): Dump => ({
  engine: 'chromium',
  viewport: { width: 800, height: 600 },
  overflowed,
  nodes: nodes.map(({ box = [0, 0, 10, 10], ...given }, index) => {
    const bounding: Rect = { x: box[0], y: box[1], w: box[2], h: box[3] }
    const style = { display: 'block', width: '10px' }
    const place = { index, parent: index - 1, depth: index, tag: 'DIV' }
    return { ...place, bounding, rects: [bounding], style, ...given }
  }),
})

const compared = (a: Dump, b: Dump) => {
  const comparison = compareDumps(a, b)
  if (comparison.verdict !== 'same' && comparison.verdict !== 'differs') throw new Error(comparison.verdict)
  return comparison
}

const rules = (comparison: Comparison): ReadonlyArray<string> =>
  'wrong' in comparison ? comparison.wrong.map(({ index, rule }) => `${index} ${rule}`) : [comparison.verdict]

test('a dump is the same as itself, with every delta zero', (t) => {
  const dump = dumpOf([{}, { box: [5, 6, 7, 8] }])
  const { verdict, deltas, wrong, style } = compared(dump, dump)
  t.is(verdict, 'same')
  t.deepEqual(wrong, [])
  t.is(style.verdict, 'same')
  t.deepEqual(deltas[1], {
    w: 0,
    h: 0,
    x: 0,
    y: 0,
    fragments: [{ w: 0, h: 0 }],
    fragmentCount: 0,
    fromSibling: null,
  })
})

test('deltas are signed: the second less the first', (t) => {
  const { deltas } = compared(dumpOf([{ box: [0, 0, 10, 10] }]), dumpOf([{ box: [1, -2, 13, 6] }]))
  t.like(deltas[0], { w: 3, h: -4, x: 1, y: -2 })
})

test('a difference of 1/60 px is none, and the next double is one', (t) => {
  const at = (w: number) => dumpOf([{ box: [0, 0, w, 10] }])
  t.is(compareDumps(at(0), at(1 / 60)).verdict, 'same')
  t.is(compareDumps(at(0), at(-1 / 60)).verdict, 'same')
  t.is(compareDumps(at(0), at(0.016666666666666673)).verdict, 'differs')
})

test('an offset that is wrong shows once, and not in everything below it', (t) => {
  const tree = (shift: number) =>
    dumpOf([{}, { box: [shift, 0, 10, 10] }, { box: [shift + 2, 0, 5, 5] }, { box: [shift + 3, 1, 4, 4] }])
  t.deepEqual(rules(compareDumps(tree(0), tree(20))), ['1 offset-x'])
})

test('the root is held against the viewport', (t) => {
  t.deepEqual(rules(compareDumps(dumpOf([{}]), dumpOf([{ box: [0, 8, 10, 10] }]))), ['0 offset-y'])
})

test('fragments are compared pairwise, and a node that makes no box against one that does', (t) => {
  const rect = (w: number): Rect => ({ x: 0, y: 0, w, h: 10 })
  const two = dumpOf([{}, { rects: [rect(4), rect(6)] }])
  const other = dumpOf([{}, { rects: [rect(5), rect(5)] }])
  t.deepEqual(rules(compareDumps(two, other)), ['1 fragment-size'])
  t.deepEqual(compared(two, other).deltas[1]?.fragments, [
    { w: 1, h: 0 },
    { w: -1, h: 0 },
  ])
  const none = dumpOf([{}, { rects: [], box: [0, 0, 0, 0] }])
  const empty = dumpOf([{}, { rects: [rect(0)], box: [0, 0, 0, 0] }])
  const comparison = compared(none, empty)
  t.deepEqual(comparison.wrong, [{ index: 1, rule: 'fragments', delta: 1 }])
})

test('another tree is told where it parts, and nothing else is compared', (t) => {
  const a = dumpOf([{}, { tag: 'P' }, {}])
  for (const [b, index] of [
    [dumpOf([{}, { tag: 'DIV' }, {}]), 1],
    [dumpOf([{}, { tag: 'P' }]), 2],
    [dumpOf([{}, { tag: 'P' }, { parent: 0 }]), 2],
    [dumpOf([{}, { tag: 'P' }, { depth: 1 }]), 2],
    [dumpOf([{}, { tag: 'P' }, {}, {}]), 3],
  ] as const) {
    const comparison = compareDumps(a, b)
    t.is(comparison.verdict, 'other-shape')
    t.is(comparison.verdict === 'other-shape' ? comparison.divergence.index : -1, index)
  }
})

test('a page that scrolls in one of them is discarded', (t) => {
  t.deepEqual(compareDumps(dumpOf([{}], true), dumpOf([{ box: [9, 9, 9, 9] }])), {
    verdict: 'discarded',
    overflowed: [true, false],
  })
})

test('rounding that adds up along siblings decides nothing, and is told', (t) => {
  const row = (step: number) =>
    dumpOf([{}, ...[0, 1, 2].map((n) => ({ parent: 0, depth: 1, box: [n * step, 0, step, 10] as const }))])
  const { verdict, deltas } = compared(row(10), row(10.01))
  t.is(verdict, 'differs', 'the third is 0.02 px off its parent')
  const last = deltas[3]?.fromSibling
  t.true(last != null && Math.abs(last.x - 0.01) < 1e-9)
  t.is(deltas[1]?.fromSibling, null)
})

test('styles are an axis of their own, and one length that is printed in two ways agrees', (t) => {
  const styled = (style: Readonly<Record<string, string>>) => dumpOf([{ style }])
  const differences = (a: string, b: string) =>
    compared(styled({ width: a }), styled({ width: b })).style.differences.map(({ delta, agrees }) => [
      delta === null ? null : Number(delta.toFixed(6)),
      agrees,
    ])
  t.deepEqual(differences('32.6562px', '32.6667px'), [[0.0105, true]])
  t.deepEqual(differences('32px', '33px'), [[1, false]])
  t.deepEqual(differences('10%', '10px'), [[null, false]])
  t.deepEqual(differences('auto', '10px'), [[null, false]])
  t.deepEqual(differences('1e2px', '100px'), [[0, true]])
  t.is(compareDumps(styled({ width: '1px' }), styled({ width: '9px' })).verdict, 'same')
  t.is(compared(styled({ width: '1px' }), styled({ width: '9px' })).style.verdict, 'differs')
  t.like(compared(styled({}), styled({ width: '9px' })).style.differences[0], { values: [null, '9px'] })
})

test('a node is named by its way from the root', (t) => {
  const { nodes } = dumpOf([{ tag: 'HTML' }, { tag: 'BODY' }, { tag: 'P' }, { tag: 'A', parent: 1 }])
  t.is(nodePath(nodes, 2), 'HTML > BODY > P:nth-child(1)')
  t.is(nodePath(nodes, 3), 'HTML > BODY > A:nth-child(2)')
  t.is(nodePath(nodes, 0), 'HTML')
})

import { isWithin } from '../agreement.js'
import type { Dump, DumpNode, Rect } from '../dump.js'
import { compareStyles } from './compare-styles.js'
import type { BoxRule, Comparison, Divergence, NodeDelta, Place, WrongBox } from './comparison.js'

/** Compares two dumps of one page: the shape first, then sizes and offsets from the parent, never absolute places. */
export const compareDumps = (a: Dump, b: Dump): Comparison => {
  if (a.overflowed || b.overflowed) return { verdict: 'discarded', overflowed: [a.overflowed, b.overflowed] }
  const divergence = divergenceOf(a.nodes, b.nodes)
  if (divergence !== null) return { verdict: 'other-shape', divergence }
  const deltas = deltasOf(a.nodes, b.nodes)
  const wrong: Array<WrongBox> = []
  for (let index = 0; index < deltas.length; index++) {
    const found = wrongBox(index, deltas[index] as NodeDelta)
    if (found !== null) wrong.push(found)
  }
  const style = compareStyles(a.nodes, b.nodes)
  return { verdict: wrong.length === 0 ? 'same' : 'differs', deltas, wrong, style }
}

const divergenceOf = (a: ReadonlyArray<DumpNode>, b: ReadonlyArray<DumpNode>): Divergence | null => {
  const length = Math.max(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const [one, two] = [a[index], b[index]]
    if (
      one === undefined ||
      two === undefined ||
      one.tag !== two.tag ||
      one.depth !== two.depth ||
      one.parent !== two.parent
    ) {
      return { index, nodes: [placeOf(one), placeOf(two)] }
    }
  }
  return null
}

const placeOf = (node: DumpNode | undefined): Place | null =>
  node === undefined ? null : { tag: node.tag, depth: node.depth, parent: node.parent }

const none: ReadonlyArray<never> = []
const viewportOrigin: Pick<Rect, 'x' | 'y'> = { x: 0, y: 0 }

const deltasOf = (a: ReadonlyArray<DumpNode>, b: ReadonlyArray<DumpNode>): ReadonlyArray<NodeDelta> => {
  const newestChild = new Int32Array(a.length + 1).fill(-1)
  return a.map((one, index) => {
    const two = b[index] as DumpNode
    const parentOfOne = a[one.parent]?.bounding ?? viewportOrigin
    const parentOfTwo = b[two.parent]?.bounding ?? viewportOrigin
    // The root's parent is -1.
    const sibling = newestChild[one.parent + 1] ?? -1
    newestChild[one.parent + 1] = index
    return {
      w: two.bounding.w - one.bounding.w,
      h: two.bounding.h - one.bounding.h,
      x: two.bounding.x - parentOfTwo.x - (one.bounding.x - parentOfOne.x),
      y: two.bounding.y - parentOfTwo.y - (one.bounding.y - parentOfOne.y),
      fragments: fragmentsOf(one.rects, two.rects),
      fragmentCount: two.rects.length - one.rects.length,
      fromSibling: sibling < 0 ? null : fromSibling(one, two, a[sibling] as DumpNode, b[sibling] as DumpNode),
    }
  })
}

const fragmentsOf = (a: ReadonlyArray<Rect>, b: ReadonlyArray<Rect>): NodeDelta['fragments'] => {
  const length = Math.min(a.length, b.length)
  if (length === 0) return none
  const deltas: Array<{ readonly w: number; readonly h: number }> = []
  for (let place = 0; place < length; place++) {
    const [one, two] = [a[place] as Rect, b[place] as Rect]
    deltas.push({ w: two.w - one.w, h: two.h - one.h })
  }
  return deltas
}

const fromSibling = (
  one: DumpNode,
  two: DumpNode,
  oneBefore: DumpNode,
  twoBefore: DumpNode,
): { readonly x: number; readonly y: number } => ({
  x: two.bounding.x - twoBefore.bounding.x - (one.bounding.x - oneBefore.bounding.x),
  y: two.bounding.y - twoBefore.bounding.y - (one.bounding.y - oneBefore.bounding.y),
})

const wrongBox = (index: number, delta: NodeDelta): WrongBox | null => {
  const wrong = (rule: BoxRule, by: number): WrongBox => ({ index, rule, delta: by })
  if (delta.fragmentCount !== 0) return wrong('fragments', delta.fragmentCount)
  if (!isWithin(delta.w)) return wrong('width', delta.w)
  if (!isWithin(delta.h)) return wrong('height', delta.h)
  for (const { w, h } of delta.fragments) {
    if (!isWithin(w)) return wrong('fragment-size', w)
    if (!isWithin(h)) return wrong('fragment-size', h)
  }
  if (!isWithin(delta.x)) return wrong('offset-x', delta.x)
  return !isWithin(delta.y) ? wrong('offset-y', delta.y) : null
}

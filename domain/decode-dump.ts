import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { decodeWith, renderViolation } from './decode.js'
import { Dump, type Rect, viewport } from './dump.js'
import type { Engine } from './engine.js'

/**
 * Reads what an oracle gave as one browser's dump. `Left` says the first thing that is wrong: such a
 * dump is no answer. Beyond the shape it asks for the right browser and viewport, finite numbers, and
 * nodes in document order. Source: the frozen dump format.
 */
export const decodeDump = (engine: Engine, input: unknown): E.Either<string, Dump> =>
  pipe(
    input,
    decodeWith(Dump),
    E.mapLeft(([first]) => (first === undefined ? 'not a dump' : renderViolation(first))),
    E.chain((dump) => {
      const wrong = wrongWith(engine, dump)
      return wrong === null ? E.right(dump) : E.left(wrong)
    }),
  )

const wrongWith = (engine: Engine, dump: Dump): string | null => {
  if (dump.engine !== engine) return `engine: expected ${engine}, got ${dump.engine}`
  const { width, height } = dump.viewport
  if (width !== viewport.width || height !== viewport.height) {
    return `viewport: expected ${viewport.width} by ${viewport.height}, got ${width} by ${height}`
  }
  for (const [place, node] of dump.nodes.entries()) {
    const path = `nodes[${place}]`
    if (node.index !== place) return `${path}.index: expected ${place}, got ${node.index}`
    const parent = dump.nodes[node.parent]
    const isRoot = place === 0
    if (isRoot ? node.parent !== -1 : parent === undefined || node.parent >= place) {
      return `${path}.parent: expected ${isRoot ? '-1' : 'an earlier node'}, got ${node.parent}`
    }
    if (!Number.isInteger(node.depth)) return `${path}.depth: expected an integer, got ${node.depth}`
    if (![node.bounding, ...node.rects].every(hasFiniteSides)) return `${path}: expected finite boxes`
  }
  return null
}

const hasFiniteSides = ({ x, y, w, h }: Rect): boolean => [x, y, w, h].every(Number.isFinite)

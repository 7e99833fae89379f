import * as E from 'fp-ts/lib/Either.js'
import type { Answers, EngineAnswer, Reported } from './answer.js'
import { decodeDump } from './decode-dump.js'
import type { Dump } from './dump.js'
import { type Engine, engines } from './engine.js'
import type { Expectation, Probe } from './probe.js'
import { isStorable, oneLine } from './text.js'

/**
 * Cuts what an oracle gave for one probe down to the values that its expectations ask for.
 *
 * A dump that does not decode is that browser's error, and so is having given neither dump nor error;
 * an error beside a dump counts as an error. A node that the dump does not have and a property that it
 * does not list are `null`. A browser without a known version has `unknown`.
 */
export const answersFrom = (
  probe: Probe,
  dumps: Readonly<Record<string, unknown>>,
  errors: Readonly<Record<string, string>>,
  versions: Readonly<Partial<Record<Engine, string>>>,
): Answers => {
  const read = forEachEngine((engine) => readDump(engine, dumps, errors))
  return {
    engines: forEachEngine((engine) => answerFrom(probe, read[engine], versions[engine] ?? 'unknown')),
    shapesDiffer: differInShape(
      engines.flatMap((engine) => (E.isRight(read[engine]) ? [read[engine].right] : [])),
    ),
  }
}

const forEachEngine = <A>(make: (engine: Engine) => A): Readonly<Record<Engine, A>> => ({
  chromium: make('chromium'),
  firefox: make('firefox'),
  webkit: make('webkit'),
})

const readDump = (
  engine: Engine,
  dumps: Readonly<Record<string, unknown>>,
  errors: Readonly<Record<string, string>>,
): E.Either<string, Dump> => {
  const error = Object.hasOwn(errors, engine) ? errors[engine] : undefined
  if (error !== undefined) return E.left(oneLine(error, 500) || 'an error without a message')
  if (!Object.hasOwn(dumps, engine)) return E.left('gave neither a dump nor an error')
  const dump = decodeDump(engine, dumps[engine])
  return E.isLeft(dump) ? E.left(oneLine(`gave a malformed dump: ${dump.left}`, 500)) : dump
}

const answerFrom = (probe: Probe, read: E.Either<string, Dump>, version: string): EngineAnswer => {
  const common = { version: oneLine(version, 100) || 'unknown' }
  if (E.isLeft(read)) {
    return { ...common, values: probe.expect.map(() => null), nodes: 0, overflowed: false, error: read.left }
  }
  const dump = read.right
  const values = probe.expect.map((expectation) => valueIn(dump, expectation))
  return { ...common, values, nodes: dump.nodes.length, overflowed: dump.overflowed, error: null }
}

const valueIn = (dump: Dump, { node: index, field }: Expectation): Reported => {
  const node = dump.nodes[index]
  if (node === undefined) return null
  switch (field) {
    case 'bounding.x':
      return withoutSign(node.bounding.x)
    case 'bounding.y':
      return withoutSign(node.bounding.y)
    case 'bounding.w':
      return withoutSign(node.bounding.w)
    case 'bounding.h':
      return withoutSign(node.bounding.h)
    case 'rects.length':
      return node.rects.length
    default: {
      const property = field.slice('style.'.length)
      const value = Object.hasOwn(node.style, property) ? node.style[property] : undefined
      return value === undefined || !isStorable(value) ? null : value
    }
  }
}

/** 0 for -0: the same length, and what is kept as JSON has one zero. */
const withoutSign = (length: number): number => (length === 0 ? 0 : length)

const differInShape = (dumps: ReadonlyArray<Dump>): boolean => {
  const [first, ...others] = dumps.map((dump) =>
    JSON.stringify(dump.nodes.map(({ tag, depth, parent }) => [tag, depth, parent])),
  )
  return others.some((other) => other !== first)
}

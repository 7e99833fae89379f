import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { isObject } from './codecs.js'
import { describe, pathBelow, type Violation } from './decode.js'
import { readJson } from './json.js'

/**
 * A writer's call on a question that the spec leaves open, as it stands in `decisions.json`.
 * `probe` is kept as the JSON that the writer wrote: a malformed probe does not make the file
 * malformed, it makes its decision `unchecked` (see `probe.ts`).
 */
export type Decision = {
  readonly id: string
  readonly question: string
  readonly spec: string
  readonly choice: string
  readonly probe: unknown
  readonly sources: ReadonlyArray<string>
}

/** The decisions of a job at one moment, in the order of the file. */
export type Decisions = ReadonlyArray<Decision>

/** Bytes; what is longer is not read at all. */
export const decisionsMaxBytes = 1024 * 1024

/**
 * Reads the bytes of `decisions.json`; `null` is a file that is not there. That and a file of nothing
 * but blanks are an empty list. When anything is malformed no decision counts, and `Left` lists every
 * reason, for the writer. Source: the reference check, point 2, and the design's list of what is
 * malformed.
 */
export const readDecisions = (bytes: Uint8Array | null): E.Either<ReadonlyArray<Violation>, Decisions> => {
  if (bytes === null || bytes.every(isBlank)) return E.right([])
  return pipe(readJson(bytes, 64), E.chain(decodeDecisions))
}

const decodeDecisions = (input: unknown): E.Either<ReadonlyArray<Violation>, Decisions> => {
  if (!Array.isArray(input)) return wrong('', `expected a list of decisions, got ${describe(input)}`)
  if (input.length > mostDecisions) {
    return wrong('', `expected at most ${mostDecisions} decisions, got ${input.length}`)
  }
  const entries: ReadonlyArray<unknown> = input
  const reasons = entries.flatMap((entry, index) => reasonsAgainst(entry, index, entries))
  return reasons.length > 0 ? E.left(reasons) : E.right(entries.filter(isObject).map(toDecision))
}

const mostDecisions = 500

const texts = ['question', 'spec', 'choice'] as const

const reasonsAgainst = (
  entry: unknown,
  index: number,
  entries: ReadonlyArray<unknown>,
): ReadonlyArray<Violation> => {
  const path = pathBelow('', index)
  if (!isObject(entry)) return [{ path, message: `expected a decision, got ${describe(entry)}` }]
  const reasons: Array<Violation> = []
  const { id } = entry
  if (typeof id !== 'string' || !/^[A-Za-z0-9-]{1,100}$/.test(id)) {
    const message = `expected 1 to 100 letters, digits and '-', got ${describe(id)}`
    reasons.push({ path: pathBelow(path, 'id'), message })
  } else {
    const first = entries.findIndex((other) => isObject(other) && other.id === id)
    if (first < index) {
      const message = `expected an id of its own, got ${describe(id)}, which [${first}] has`
      reasons.push({ path: pathBelow(path, 'id'), message })
    }
  }
  for (const key of texts) {
    if (typeof entry[key] === 'string') continue
    reasons.push({
      path: pathBelow(path, key),
      message: `expected a string, got ${describe(entry[key])}`,
    })
  }
  return reasons
}

const toDecision = (entry: Readonly<Record<string, unknown>>): Decision => ({
  id: String(entry.id),
  question: String(entry.question),
  spec: String(entry.spec),
  choice: String(entry.choice),
  probe: entry.probe ?? null,
  sources: toSources(entry.sources),
})

/** Sources decide nothing and are read by people: whatever stands there is kept as text. */
const toSources = (input: unknown): ReadonlyArray<string> => {
  if (input === undefined || input === null) return []
  const items: ReadonlyArray<unknown> = Array.isArray(input) ? input : [input]
  return items.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)))
}

/** JSON's own blanks: space, tab, line feed, carriage return. */
const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d

const wrong = (path: string, message: string): E.Either<ReadonlyArray<Violation>, never> =>
  E.left([{ path, message }])

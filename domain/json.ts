import * as E from 'fp-ts/lib/Either.js'
import { pathBelow, type Violation } from './decode.js'
import { isStorable, oneLine } from './text.js'

/**
 * Reads the bytes of a JSON document from outside, and refuses what one reader takes for one thing
 * and another reader for something else, or what cannot be kept: invalid UTF-8, a key that is there
 * twice, numbers that a double does not hold or that have no canonical form (-0), strings with a NUL or half a surrogate pair, and
 * nesting deeper than `maxDepth`. Tells up to 100 such places.
 */
export const readJson = (
  bytes: Uint8Array,
  maxDepth: number,
): E.Either<ReadonlyArray<Violation>, unknown> => {
  const text = decodeUtf8(bytes)
  if (text === null) return E.left([{ path: '', message: 'expected UTF-8, got other bytes' }])
  try {
    const value: unknown = JSON.parse(text)
    const found = inspect(text, maxDepth)
    return found.length === 0 ? E.right(value) : E.left(found)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    return E.left([{ path: '', message: `expected JSON, got something else: ${oneLine(why, 200)}` }])
  }
}

const mostTold = 100

const decodeUtf8 = (bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** An object or list that is still open, and where in it the reading is. */
type Frame = { readonly keys: Set<string> | null; at: string | number; atKey: boolean }

/** Walks a text that is known to be JSON, so that only what `JSON.parse` lets pass is looked for. */
const inspect = (text: string, maxDepth: number): ReadonlyArray<Violation> => {
  const frames: Array<Frame> = []
  const found: Array<Violation> = []
  const tell = (message: string): void => {
    if (found.length >= mostTold) return
    found.push({ path: frames.reduce((path, frame) => pathBelow(path, frame.at), ''), message })
  }
  const token = /"(?:[^"\\]|\\.)*"|-?[0-9][-+.0-9eE]*|[{}[\],]/gsy
  const blank = /[^"{}[\],0-9-]*/y
  for (let place = 0; place < text.length && found.length < mostTold; ) {
    blank.lastIndex = place
    blank.exec(text)
    token.lastIndex = blank.lastIndex
    const piece = token.exec(text)?.[0]
    if (piece === undefined) break
    place = token.lastIndex
    const frame = frames.at(-1)
    if (piece === '{' || piece === '[') {
      if (frames.length >= maxDepth) {
        tell(`expected at most ${maxDepth} levels, got more`)
        break
      }
      frames.push(
        piece === '{' ? { keys: new Set(), at: '', atKey: true } : { keys: null, at: 0, atKey: false },
      )
    } else if (piece === '}' || piece === ']') {
      frames.pop()
    } else if (piece === ',') {
      if (frame === undefined) continue
      if (typeof frame.at === 'number') frame.at += 1
      else frame.atKey = true
    } else if (piece.startsWith('"')) {
      const string = String(JSON.parse(piece))
      if (frame?.atKey === true) {
        frame.at = string
        frame.atKey = false
        if (frame.keys?.has(string) === true) tell('expected each key once, got it twice')
        frame.keys?.add(string)
      }
      if (!isStorable(string)) tell('expected text without NUL and half surrogate pairs, got one')
    } else if (!isHeldByDouble(piece)) {
      tell(`expected a number that a double holds, got ${oneLine(piece, 40)}`)
    }
  }
  return found
}

const isHeldByDouble = (literal: string): boolean => {
  const value = Number(literal)
  if (!Number.isFinite(value)) return false
  // Written again it would be 0.
  if (Object.is(value, -0)) return false
  return !/^-?[0-9]+$/.test(literal) || Number.isSafeInteger(value)
}

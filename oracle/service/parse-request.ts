import type { OracleRequest } from '../protocol.js'
import type { Line } from './read-lines.js'

/** What a line asks for. A line that asks for nothing keeps its id, where it has a usable one. */
export type Parsed =
  | { readonly type: 'measure'; readonly request: OracleRequest }
  | { readonly type: 'ping'; readonly id: string }
  | { readonly type: 'describe'; readonly id: string }
  | { readonly type: 'shutdown'; readonly id: string }
  | { readonly type: 'invalid'; readonly id: string | null; readonly why: string }

/** Reads a request. Source: the oracle's frozen protocol; an id is a string. */
export const parseRequest = (line: Line): Parsed => {
  if (line.type === 'too-long') return invalid(idIn(line.head), 'the line is too long')
  const input = parseJson(line.bytes)
  if (input === null) return invalid(null, 'the line is not a JSON object in UTF-8')
  const { id, op, html, engines } = input
  if (typeof id !== 'string') return invalid(null, 'id: expected a string')
  switch (op) {
    case undefined:
      break
    case 'ping':
    case 'describe':
    case 'shutdown':
      return { type: op, id }
    default:
      return invalid(id, `op: expected ping, describe or shutdown, got ${JSON.stringify(op)?.slice(0, 80)}`)
  }
  if (typeof html !== 'string') return invalid(id, 'html: expected a string')
  if (engines === undefined) return { type: 'measure', request: { id, html } }
  if (!isListOfStrings(engines)) return invalid(id, 'engines: expected a list of strings')
  return { type: 'measure', request: { id, html, engines } }
}

const invalid = (id: string | null, why: string): Parsed => ({ type: 'invalid', id, why })

const parseJson = (bytes: Buffer): Readonly<Record<string, unknown>> | null => {
  try {
    const input: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
    return isObject ? (input as Readonly<Record<string, unknown>>) : null
  } catch {
    return null
  }
}

/** The id of a line that is too long to be parsed, when it comes first. */
const idIn = (head: Buffer): string | null => {
  const [, literal] = /^\s*\{\s*"id"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(head.toString()) ?? []
  try {
    return literal === undefined ? null : JSON.parse(literal)
  } catch {
    return null
  }
}

const isListOfStrings = (input: unknown): input is ReadonlyArray<string> =>
  Array.isArray(input) && input.every((each) => typeof each === 'string')

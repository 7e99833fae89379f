import { createReadStream } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import type { Dumps } from '../domain/comparison/vote.js'
import { decodeDump } from '../domain/decode-dump.js'
import type { Dump } from '../domain/dump.js'
import type { Engine } from '../domain/engine.js'
import { linesOf } from '../events/transfer/lines-of.js'
import { badUsage } from './exit.js'
import { parseJson } from './parse-json.js'

/** An answer of an oracle: null for an engine that gave no dump, or one that is none. */
export type Answer = { readonly id: string; readonly dumps: Dumps }

/** The answers in a file, one a line, some at a time. */
export async function* readAnswers(path: string): AsyncGenerator<Answer> {
  let number = 0
  try {
    for await (const line of linesOf(createReadStream(path))) {
      number += 1
      if (line.trim() !== '') yield answerIn(line, `${path}, line ${number}`)
    }
  } catch (cause) {
    if (cause instanceof TypeError) throw badUsage(`${path} is not in UTF-8`)
    if (cause instanceof Error && 'syscall' in cause)
      throw badUsage(`${path} cannot be read: ${cause.message}`)
    throw cause
  }
}

/** An answer from its text; `where` names it in an error. */
export const answerIn = (text: string, where: string): Answer => {
  const answer = parseJson(text)
  if (typeof answer !== 'object' || answer === null || !('dumps' in answer)) {
    throw badUsage(`${where}: it is no answer of an oracle`)
  }
  const dumps = answer.dumps as Readonly<Record<string, unknown>>
  const of = (engine: Engine): Dump | null => {
    const given = typeof dumps === 'object' && dumps !== null ? dumps[engine] : undefined
    if (given === undefined) return null
    const dump = decodeDump(engine, given)
    if (E.isLeft(dump)) throw badUsage(`${where}: the dump of ${engine} is none: ${dump.left}`)
    return dump.right
  }
  const id = 'id' in answer && typeof answer.id === 'string' ? answer.id : where
  return { id, dumps: { chromium: of('chromium'), firefox: of('firefox'), webkit: of('webkit') } }
}

import { readFile } from 'node:fs/promises'
import * as E from 'fp-ts/lib/Either.js'
import { decodeDump } from '../domain/decode-dump.js'
import type { Dump } from '../domain/dump.js'
import { Engine, engines } from '../domain/engine.js'
import { badUsage } from './exit.js'
import { parseJson } from './parse-json.js'

/**
 * The dump that a person means: a file with one, or an oracle's answer, of which `FILE:firefox` takes one engine's. A
 * file whose name ends like that is meant as it stands when it is there.
 */
export const readDump = async (given: string): Promise<Dump> => {
  const { path, engine } = await placeOf(given)
  const text = await readFile(path, 'utf8').catch((cause: Error) => {
    throw badUsage(`${path} cannot be read: ${cause.message}`)
  })
  const json = parseJson(text)
  if (json === undefined) throw badUsage(`${path} is no JSON document`)
  const dumps = dumpsIn(json)
  const [only, ...others] = dumps
  if (only === undefined) throw badUsage(`${path} holds no dump, and no answer of an oracle with one`)
  if (engine === null && others.length > 0) {
    const names = dumps.map(([name]) => `${path}:${name}`).join(', ')
    throw badUsage(`${path} holds ${dumps.length} dumps: name one of ${names}`)
  }
  const [name, dump] = engine === null ? only : (dumps.find(([one]) => one === engine) ?? [engine, undefined])
  if (dump === undefined) throw badUsage(`${path} holds no dump of ${engine}`)
  const read = decodeDump(name, dump)
  if (E.isLeft(read)) throw badUsage(`${path} holds no dump that can be compared: ${read.left}`)
  return read.right
}

const placeOf = async (given: string): Promise<{ readonly path: string; readonly engine: Engine | null }> => {
  const [, path = '', engine = ''] = /^(.+):([a-z]+)$/.exec(given) ?? []
  if (!Engine.is(engine)) return { path: given, engine: null }
  const isFile = await readFile(given).then(
    () => true,
    () => false,
  )
  return isFile ? { path: given, engine: null } : { path, engine }
}

const dumpsIn = (json: unknown): ReadonlyArray<readonly [Engine, unknown]> => {
  if (typeof json !== 'object' || json === null) return []
  if ('nodes' in json && 'engine' in json && Engine.is(json.engine)) return [[json.engine, json]]
  const dumps = 'dumps' in json && typeof json.dumps === 'object' ? json.dumps : null
  if (dumps === null) return []
  const byEngine = dumps as Readonly<Record<string, unknown>>
  return engines.flatMap((engine) =>
    byEngine[engine] === undefined ? [] : [[engine, byEngine[engine]] as const],
  )
}

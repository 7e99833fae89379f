import { isObject } from '../../domain/codecs.js'
import { engines } from '../../domain/engine.js'

/** What an oracle said of one probe: a dump or an error for each engine, neither of them looked into. */
export type OracleReply = {
  readonly dumps: Readonly<Record<string, unknown>>
  readonly errors: Readonly<Record<string, string>>
}

/** A line of an oracle's output: an object with the id that it answers, or nothing that can be used. */
export type OracleLine =
  | { readonly tag: 'message'; readonly id: string; readonly body: Readonly<Record<string, unknown>> }
  | { readonly tag: 'without-id' }
  | { readonly tag: 'not-json' }

export const readLine = (line: string): OracleLine => {
  try {
    const body: unknown = JSON.parse(line)
    if (!isObject(body)) return { tag: 'not-json' }
    return typeof body.id === 'string' ? { tag: 'message', id: body.id, body } : { tag: 'without-id' }
  } catch {
    return { tag: 'not-json' }
  }
}

/**
 * A reply as the protocol has it. An oracle that turns a request down in another form has answered too:
 * what it said is then the error of every engine, and its decision is left unchecked.
 */
export const replyFrom = (body: Readonly<Record<string, unknown>>): OracleReply => {
  const dumps = isObject(body.dumps) ? body.dumps : {}
  const errors = isObject(body.errors) ? body.errors : {}
  if (isObject(body.dumps) || isObject(body.errors)) {
    return {
      dumps,
      errors: Object.fromEntries(Object.entries(errors).map(([engine, error]) => [engine, asText(error)])),
    }
  }
  const told = body.error ?? body.message
  const why = told === undefined ? 'the oracle answered without dumps or errors' : asText(told)
  return { dumps: {}, errors: Object.fromEntries(engines.map((engine) => [engine, why])) }
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

import canonicalize from 'canonicalize'
import * as E from 'fp-ts/lib/Either.js'
import type { AppendFailure, AppendRequest, EventToAppend } from '../envelope.js'

type NotStorable = Extract<AppendFailure, { readonly tag: 'not-storable' }>

/**
 * The bytes of an event: its JSON by RFC 8785. What JSON cannot hold, or what would come back as something
 * else, is refused with its path: no number but a finite one, no half surrogate pair, nothing undefined.
 */
export const canonicalEvent = (
  { actor, commandId, correlationId }: AppendRequest,
  { type, schemaVersion, data }: EventToAppend,
): E.Either<NotStorable, Buffer> => {
  const event = { actor, causationId: commandId, correlationId, data, schemaVersion, type }
  const wrong = findNotStorable(event, '')
  return wrong === null ? E.right(canonicalBytes(event)) : E.left(wrong)
}

/** RFC 8785 bytes of a value that is known to be JSON. */
export const canonicalBytes = (value: unknown): Buffer => {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError('there is no JSON for nothing')
  return Buffer.from(text, 'utf8')
}

const findNotStorable = (value: unknown, path: string): NotStorable | null => {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? null : refuse(path, 'half of a surrogate pair')
    case 'number':
      return Number.isFinite(value) ? null : refuse(path, `the number ${value}`)
    case 'boolean':
      return null
    case 'object':
      return value === null ? null : findInside(value, path)
    default:
      return refuse(path, `a value of type ${typeof value}`)
  }
}

const findInside = (value: object, path: string): NotStorable | null => {
  const entries = Array.isArray(value)
    ? value.map((item, index) => [`${path}[${index}]`, String(index), item] as const)
    : Object.entries(value).map(([key, item]) => [path === '' ? key : `${path}.${key}`, key, item] as const)
  for (const [place, key, item] of entries) {
    const wrong = key.isWellFormed()
      ? findNotStorable(item, place)
      : refuse(place, 'half of a surrogate pair')
    if (wrong !== null) return wrong
  }
  return null
}

const refuse = (path: string, what: string): NotStorable => ({
  tag: 'not-storable',
  path,
  reason: `${what} cannot be kept as it is`,
})

import canonicalize from 'canonicalize'
import * as E from 'fp-ts/lib/Either.js'
import type { AppendFailure, AppendRequest, EventToAppend } from '../envelope.js'

type NotStorable = Extract<AppendFailure, { readonly tag: 'not-storable' }>

/**
 * The text of an event: its JSON by RFC 8785. What JSON cannot hold, or what would come back as something
 * else, is refused with its path: no number but a finite one and no -0, no half surrogate pair, nothing undefined.
 */
export const canonicalEvent = (
  { actor, commandId, correlationId }: AppendRequest,
  { type, schemaVersion, data }: EventToAppend,
): E.Either<NotStorable, string> => {
  const event = { actor, causationId: commandId, correlationId, data, schemaVersion, type }
  const wrong = findNotStorable(event, '', 0)
  return wrong === null ? E.right(canonicalText(event)) : E.left(wrong)
}

/** RFC 8785 text of a value that is known to be JSON. */
export const canonicalText = (value: unknown): string => {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError('there is no JSON for nothing')
  return text
}

/** RFC 8785 bytes of a value that is known to be JSON. */
export const canonicalBytes = (value: unknown): Buffer => Buffer.from(canonicalText(value), 'utf8')

/** Whether a text is the one that RFC 8785 gives for a value that was read from JSON. */
export const isCanonical = (text: string, value: unknown): boolean => {
  // The engine writes numbers and strings as RFC 8785 has them, and is quicker; what it does not do is order the keys.
  if (hasOrderedKeys(value) && JSON.stringify(value) === text) return true
  try {
    return canonicalText(value) === text
  } catch {
    // Half of a surrogate pair, which the library refuses.
    return false
  }
}

const hasOrderedKeys = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(hasOrderedKeys)
  let before = ''
  for (const [key, item] of Object.entries(value)) {
    if (key < before || !hasOrderedKeys(item)) return false
    before = key
  }
  return true
}

/** Deeper than anything that was meant, and well before a function that calls itself runs out of stack. */
const deepest = 200

const findNotStorable = (value: unknown, path: string, depth: number): NotStorable | null => {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? null : refuse(path, 'half of a surrogate pair')
    case 'number':
      if (Object.is(value, -0)) return refuse(path, 'the number -0')
      return Number.isFinite(value) ? null : refuse(path, `the number ${value}`)
    case 'boolean':
      return null
    case 'object':
      return value === null ? null : findInside(value, path, depth + 1)
    default:
      return refuse(path, `a value of type ${typeof value}`)
  }
}

const findInside = (value: object, path: string, depth: number): NotStorable | null => {
  if (depth > deepest) return refuse(shorten(path), `what lies more than ${deepest} levels deep`)
  if (Array.isArray(value)) {
    // By index, since `map` and `forEach` pass over what was left out.
    for (let index = 0; index < value.length; index++) {
      const wrong = findNotStorable(value[index], `${path}[${index}]`, depth)
      if (wrong !== null) return wrong
    }
    return null
  }
  if (!isPlain(value)) return refuse(path, `a value of class ${value.constructor.name}`)
  for (const [key, item] of Object.entries(value)) {
    const place = path === '' ? key : `${path}.${key}`
    const wrong = key.isWellFormed()
      ? findNotStorable(item, place, depth)
      : refuse(place, 'half of a surrogate pair')
    if (wrong !== null) return wrong
  }
  return null
}

/** A date or a buffer would be written as something else, a map as nothing. */
const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

const shorten = (path: string): string => (path.length <= 80 ? path : `${path.slice(0, 77)}...`)

const refuse = (path: string, what: string): NotStorable => ({
  tag: 'not-storable',
  path,
  reason: `${what} cannot be kept as it is`,
})

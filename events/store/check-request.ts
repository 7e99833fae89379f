import type { AppendFailure, AppendRequest } from '../envelope.js'

type NotStorable = Extract<AppendFailure, { readonly tag: 'not-storable' }>

/**
 * What of a request the columns beside the events' bytes could not hold as it is, with its path; null when all
 * can. PostgreSQL's text has no NUL, the driver would write half of a surrogate pair as another character, so
 * that two streams became one, and an index takes no entry beyond a third of a page.
 */
export const findUnfit = (request: AppendRequest): NotStorable | null => {
  const { stream, commandId, actor, correlationId, events } = request
  for (const [path, text] of Object.entries({ stream, commandId, actor, correlationId })) {
    const reason = unfitText(text)
    if (reason !== null) return { tag: 'not-storable', path, reason }
  }
  const { expected, epoch = 1, claims = 1 } = request
  if (typeof expected === 'number' && !isVersion(expected)) return noVersion('expected', expected)
  if (!isVersion(epoch)) return noVersion('epoch', epoch)
  if (!isVersion(claims)) return noVersion('claims', claims)
  if (events.length === 0)
    return { tag: 'not-storable', path: 'events', reason: 'nothing was to be appended' }
  for (const [index, { type, schemaVersion }] of events.entries()) {
    const reason = unfitText(type)
    if (reason !== null) return { tag: 'not-storable', path: `events[${index}].type`, reason }
    if (!isInt4(schemaVersion)) return noVersion(`events[${index}].schemaVersion`, schemaVersion)
  }
  return null
}

const noVersion = (path: string, value: number): NotStorable => ({
  tag: 'not-storable',
  path,
  reason: `${value} is no version`,
})

const isVersion = (value: number): boolean => Number.isSafeInteger(value) && value >= 0

/** In bytes of UTF-8; an index entry of PostgreSQL may have 2,704. */
const longest = 1000

const unfitText = (text: string): string | null => {
  if (text === '') return 'nothing cannot be a name'
  if (text.includes('\0')) return 'the character NUL cannot be kept as it is'
  if (!text.isWellFormed()) return 'half of a surrogate pair cannot be kept as it is'
  return Buffer.byteLength(text) > longest ? `more than ${longest} bytes are no name` : null
}

const isInt4 = (value: number): boolean => Number.isInteger(value) && value >= 1 && value < 2 ** 31

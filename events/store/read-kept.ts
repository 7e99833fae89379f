import * as E from 'fp-ts/lib/Either.js'
import type { KeptEvent } from '../chain.js'
import { readEvent, type UnreadableEvent } from '../read-event.js'
import type { Recorded } from '../recorded.js'
import { isCanonical } from './canonical.js'
import { isTime, saidIn, timeFromMicros } from './rows.js'

/**
 * Decodes an event from its bytes. `Left` where no reader of this Docket fits, or where the bytes are not those
 * that RFC 8785 gives for what they say: a key that is given twice would hide one of its values.
 */
export const readKept = (kept: KeptEvent): E.Either<UnreadableEvent, Recorded> => {
  const { position, stream, version, type, schemaVersion, actor, causationId, correlationId, hash } = kept
  const unreadable = (reason: string): E.Either<UnreadableEvent, never> =>
    E.left({ tag: 'unreadable-event', position, reasons: [reason] })
  const data = saidIn(kept.body)?.data
  if (data === undefined) return unreadable('its bytes are not those of an event')
  const whole = { actor, causationId, correlationId, data, schemaVersion, type }
  if (!isCanonical(kept.body ?? '', whole)) return unreadable('its bytes are not canonical')
  if (!isTime(kept.at)) return unreadable(`${kept.at} microseconds are no time`)
  const at = timeFromMicros(kept.at)
  return readEvent({
    position,
    stream,
    version,
    type,
    schemaVersion,
    data,
    at,
    actor,
    causationId,
    correlationId,
    hash,
  })
}

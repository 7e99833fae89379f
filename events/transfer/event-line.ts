import type { KeptEvent } from '../chain.js'
import { canonicalText } from '../store/canonical.js'
import type { EventLine } from './format.js'

/**
 * The event that a line holds, as the ledger kept it: its columns are what its bytes say. What is no event there
 * gives columns that no bytes have, so that the walk over the chain names it.
 */
export const keptFromLine = ({
  position,
  stream,
  version,
  at,
  eventHash,
  hash,
  event,
}: EventLine): KeptEvent => ({
  position,
  stream,
  version,
  at,
  eventHash,
  hash,
  type: textOf(event.type),
  schemaVersion: typeof event.schemaVersion === 'number' ? event.schemaVersion : 0,
  actor: textOf(event.actor),
  causationId: textOf(event.causationId),
  correlationId: textOf(event.correlationId),
  body: bodyOf(event),
})

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const bodyOf = (event: unknown): string | null => {
  try {
    return canonicalText(event)
  } catch {
    // Half of a surrogate pair, which no event has.
    return null
  }
}

import * as E from 'fp-ts/lib/Either.js'
import type { RecordedEvent } from './envelope.js'
import { readEvent, type UnreadableEvent } from './read-event.js'
import type { Recorded } from './recorded.js'
import type { EventStore } from './store/event-store.js'

/** Thrown where a fold meets an event that this Docket cannot read: going on would be a guess. */
export class UnreadableLedger extends Error {
  constructor(readonly event: UnreadableEvent) {
    super(`the event at position ${event.position} cannot be read: ${event.reasons.join('; ')}`)
    this.name = 'UnreadableLedger'
  }
}

/** Decodes one event or throws `UnreadableLedger`. */
export const decodeOrThrow = (event: RecordedEvent): Recorded => {
  const read = readEvent(event)
  if (E.isLeft(read)) throw new UnreadableLedger(read.left)
  return read.right
}

/** The decoded events of a stream, oldest first, up to a position of the ledger if one is given. */
export const readStream = async (
  store: EventStore,
  stream: string,
  upTo?: number,
): Promise<ReadonlyArray<Recorded>> =>
  (await store.readStream(stream, upTo === undefined ? {} : { upTo })).map(decodeOrThrow)

export const jobStream = (id: string): string => `job-${id}`

/** The stream of a job that was imported: it holds where it came from, and the job's own events stay in its record. */
export const importedStream = (id: string): string => `imported-${id}`

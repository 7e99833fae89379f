import { decodeOrThrow, UnreadableLedger } from '../../events/read-stream.js'
import type { Recorded } from '../../events/recorded.js'
import { canonicalBytes } from '../../events/store/canonical.js'
import type { LedgerDb } from './ledger-db.js'
import type { Projection } from './projection.js'
import { type Generation, readGeneration } from './read-generation.js'
import { rebuild } from './rebuild.js'

/** A projection with what can be done to any of them, whatever its documents are. */
export type ReadModel = {
  readonly name: string
  /** Returns the position that it came to. */
  rebuild(ledger: LedgerDb, onProgress: (position: number) => void): Promise<number>
  /** Folds in memory, to hold what is stored against it. */
  foldAgain(): FoldAgain
}

export type FoldAgain = {
  readonly take: (event: Recorded) => void
  /**
   * The keys whose stored document is not, byte for byte, what the events gave that were taken, which go up to a
   * position; and where the comparison was made. Those that were appended since are folded as well, as far as the
   * documents have come. Streams with an event that cannot be read are left out.
   */
  differing(
    ledger: LedgerDb,
    upTo: number,
    unreadable: ReadonlySet<string>,
  ): Promise<{ readonly position: number; readonly keys: ReadonlyArray<string> }>
}

export const readModel = <Doc>(projection: Projection<Doc>): ReadModel => ({
  name: projection.name,
  rebuild: (ledger, onProgress) => rebuild(ledger, projection, onProgress),
  foldAgain: () => foldAgain(projection),
})

const foldAgain = <Doc>(projection: Projection<Doc>): FoldAgain => {
  const folded = new Map<string, Doc | null>()
  const take = (event: Recorded): void => {
    const key = projection.keyOf(event)
    if (key !== null) folded.set(key, projection.evolve(folded.get(key) ?? null, event))
  }
  return {
    take,
    differing: async (ledger, upTo, unreadable) => {
      const stored = await readableGeneration(ledger, projection)
      if (stored === null) return { position: upTo, keys: [] }
      for (const event of await eventsBetween(ledger, upTo, stored.position)) take(event)
      const bodies = new Map(stored.documents.map(({ key, body }) => [key, body]))
      const keys = [...new Set([...bodies.keys(), ...folded.keys()])].filter((key) => {
        if (projection.streamsOf(key).some((stream) => unreadable.has(stream))) return false
        const doc = folded.get(key) ?? null
        const body = bodies.get(key)
        return doc === null ? body !== undefined : body === undefined || !canonicalBytes(doc).equals(body)
      })
      return { position: Math.max(upTo, stored.position), keys }
    },
  }
}

/** Null when what is stored cannot be brought up to date, since an event on the way cannot be read. */
const readableGeneration = async <Doc>(
  ledger: LedgerDb,
  projection: Projection<Doc>,
): Promise<Generation | null> => {
  try {
    return await readGeneration(ledger, projection)
  } catch (cause) {
    if (cause instanceof UnreadableLedger) return null
    throw cause
  }
}

const eventsBetween = async (
  { store }: LedgerDb,
  after: number,
  upTo: number,
): Promise<ReadonlyArray<Recorded>> => {
  const events: Array<Recorded> = []
  for (let reached = after; reached < upTo; ) {
    const batch = await store.readAll(reached, Math.min(1000, upTo - reached))
    const last = batch.at(-1)
    if (last === undefined) break
    events.push(...batch.map(decodeOrThrow))
    reached = last.position
  }
  return events
}

import { decodeOrThrow } from '../../events/read-stream.js'
import type { Recorded } from '../../events/recorded.js'
import { canonicalBytes } from '../../events/store/canonical.js'
import type { LedgerDb } from './ledger-db.js'
import type { Projection } from './projection.js'
import { readGeneration } from './read-generation.js'
import { rebuild } from './rebuild.js'

/** A projection with what can be done to any of them, whatever its documents are. */
export type ReadModel = {
  readonly name: string
  /** Returns the position that it came to. */
  rebuild(ledger: LedgerDb, onProgress: (position: number) => void): Promise<number>
  /**
   * The keys whose stored document is not, byte for byte, what the events give. Those that were appended since the
   * events were read are folded as well, as far as the documents have come.
   */
  differing(ledger: LedgerDb, events: ReadonlyArray<Recorded>): Promise<ReadonlyArray<string>>
}

export const readModel = <Doc>(projection: Projection<Doc>): ReadModel => ({
  name: projection.name,
  rebuild: (ledger, onProgress) => rebuild(ledger, projection, onProgress),
  differing: async (ledger, events) => {
    const { position, documents } = await readGeneration(ledger, projection)
    const later = await eventsBetween(ledger, events.at(-1)?.position ?? 0, position)
    const folded = new Map<string, Doc | null>()
    for (const event of [...events, ...later]) {
      const key = projection.keyOf(event)
      if (key !== null) folded.set(key, projection.evolve(folded.get(key) ?? null, event))
    }
    const bodies = new Map(documents.map(({ key, body }) => [key, body]))
    const keys = new Set([...bodies.keys(), ...folded.keys()])
    return [...keys].filter((key) => {
      const doc = folded.get(key) ?? null
      const body = bodies.get(key)
      return doc === null ? body !== undefined : body === undefined || !canonicalBytes(doc).equals(body)
    })
  },
})

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

import { createHash } from 'node:crypto'
import type { Difference } from '../events/chain.js'
import type { Recorded } from '../events/recorded.js'
import { type KeptChunk, keptChunks } from '../events/store/kept-chunks.js'
import type { LedgerDb } from './read-model/ledger-db.js'

export type ArtifactsNamed = {
  readonly take: (event: Recorded) => void
  /** Each hash with the position of the event that names it first. */
  readonly all: () => ReadonlyMap<string, number>
}

/** Collects the artifacts that events name. */
export const artifactsNamed = (): ArtifactsNamed => {
  const named = new Map<string, number>()
  return {
    take: (event) => {
      for (const sha256 of artifactsOf(event)) {
        if (!named.has(sha256)) named.set(sha256, event.position)
      }
    },
    all: () => named,
  }
}

/**
 * Holds the kept bytes against their hashes, and the hashes that the events name against what is kept. The
 * position is that of the event that names the bytes first, or 0 when none does.
 */
export const verifyArtifacts = async (
  db: LedgerDb['db'],
  named: ReadonlyMap<string, number>,
): Promise<ReadonlyArray<Difference>> => {
  const altered: Array<Difference> = []
  const kept = new Set<string>()
  for await (const { sha256, whole } of artifactsKept(db)) {
    kept.add(sha256)
    if (whole) continue
    altered.push({ position: named.get(sha256) ?? 0, what: `the bytes of artifact ${sha256} are others` })
  }
  const missing = [...named].flatMap(([sha256, position]) =>
    kept.has(sha256) ? [] : [{ position, what: `artifact ${sha256} is missing` }],
  )
  return [...altered, ...missing]
}

type ArtifactKept = { readonly sha256: string; readonly whole: boolean }

/** Every artifact that is kept, and whether its bytes give its hash and size; hashed chunk by chunk. */
async function* artifactsKept(db: LedgerDb['db']): AsyncGenerator<ArtifactKept> {
  let chunk: KeptChunk = { sha256: '', size: 0, place: 0, bytes: Buffer.alloc(0) }
  let hash = createHash('sha256')
  let length = 0
  const kept = (): ReadonlyArray<ArtifactKept> => {
    const { sha256, size } = chunk
    return sha256 === '' ? [] : [{ sha256, whole: hash.digest('hex') === sha256 && length === size }]
  }
  for await (const next of keptChunks(db)) {
    if (next.sha256 !== chunk.sha256) {
      yield* kept()
      hash = createHash('sha256')
      length = 0
    }
    chunk = next
    hash.update(chunk.bytes)
    length += chunk.bytes.length
  }
  yield* kept()
}

const artifactsOf = (event: Recorded): ReadonlyArray<string> => {
  // A decision names no artifact, and its probe is whatever the writer wrote, also what looks like one.
  if (event.type === 'DecisionRecorded' || event.type === 'DecisionRevised') return []
  return artifactsIn(event.data)
}

/** The hash of every `{sha256, size}`, at whatever depth. */
const artifactsIn = (value: unknown): ReadonlyArray<string> => {
  if (typeof value !== 'object' || value === null) return []
  if ('sha256' in value && 'size' in value && typeof value.sha256 === 'string') return [value.sha256]
  return Object.values(value).flatMap(artifactsIn)
}

import { sql } from 'kysely'
import type { Recorded } from '../events/recorded.js'
import { answered } from '../events/store/connect.js'
import type { Difference } from '../events/store/verify-chain.js'
import type { LedgerDb } from './read-model/ledger-db.js'

/**
 * Holds the kept bytes against their hashes, and the hashes that the events name against what is kept. The
 * position is that of the event that names the bytes first, or 0 when none does.
 */
export const verifyArtifacts = async (
  db: LedgerDb['db'],
  events: ReadonlyArray<Recorded>,
): Promise<ReadonlyArray<Difference>> => {
  const named = new Map<string, number>()
  for (const event of events) {
    for (const sha256 of artifactsOf(event)) {
      if (!named.has(sha256)) named.set(sha256, event.position)
    }
  }
  const { rows } = await answered(() =>
    sql<{ readonly sha256: string; readonly whole: boolean }>`
      select encode(sha256, 'hex') as sha256,
        sha256 = sha256(bytes) and size = length(bytes) as whole
      from artifacts
      cross join lateral (
        select coalesce(string_agg(chunk.bytes, ''::bytea order by chunk.place), ''::bytea) as bytes
        from artifact_chunks as chunk
        where chunk.sha256 = artifacts.sha256
      ) as kept`.execute(db),
  )
  const kept = new Set(rows.map(({ sha256 }) => sha256))
  const altered = rows.flatMap(({ sha256, whole }) =>
    whole ? [] : [{ position: named.get(sha256) ?? 0, what: `the bytes of artifact ${sha256} are others` }],
  )
  const missing = [...named].flatMap(([sha256, position]) =>
    kept.has(sha256) ? [] : [{ position, what: `artifact ${sha256} is missing` }],
  )
  return [...altered, ...missing].sort((a, b) => a.position - b.position)
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

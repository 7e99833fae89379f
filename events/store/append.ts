import { createHash } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import type { Appended, AppendFailure, AppendRequest } from '../envelope.js'
import { canonicalBytes, canonicalEvent } from './canonical.js'
import { type Connection, isAway, unavailable } from './connect.js'
import { integer, timeFromMicros } from './rows.js'

/** Appends by one call of one function of the database; the answer is its outcome, or why there is none. */
export const append = async (
  connection: Connection,
  request: AppendRequest,
): Promise<E.Either<AppendFailure, Appended>> => {
  const bodies: Array<Buffer> = []
  for (const event of request.events) {
    const body = canonicalEvent(request, event)
    if (E.isLeft(body)) return body
    bodies.push(body.right)
  }
  const values = valuesOf(request, bodies)
  for (let attempt = 1; ; attempt++) {
    try {
      const { rows } = await connection.pool.query<OutcomeRow>({ ...statement, values })
      return outcomeOf(request, rows[0])
    } catch (cause) {
      if (!isAway(cause)) throw cause
      // The answer was lost and may have been yes. The same command sent again answers the truth, since the
      // function waits for the head that a commit still under way holds.
      if (attempt === attempts || connection.pool.ending) {
        return E.left({ tag: 'store-unavailable', message: unavailable(cause).message, cause })
      }
      await new Promise((resolve) => setTimeout(resolve, 125 * 2 ** attempt))
      await connection.revive().catch(() => {})
    }
  }
}

/** The pauses between them double from a quarter of a second, 8 s in all: a server takes some to start again. */
const attempts = 6

const statement = {
  name: 'append-events',
  text: 'select * from append_events($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)',
} as const

const valuesOf = (request: AppendRequest, bodies: ReadonlyArray<Buffer>): Array<unknown> => {
  const { stream, expected, epoch, claims, actor, commandId, correlationId, events } = request
  const version = typeof expected === 'number' ? expected : null
  return [
    stream,
    version === null ? expected : 'version',
    version,
    epoch ?? null,
    claims ?? null,
    commandId,
    requestHash(request, bodies),
    actor,
    correlationId,
    events.map(({ type }) => type),
    events.map(({ schemaVersion }) => schemaVersion),
    bodies,
  ]
}

/** What makes a command the same command: where it goes, under what claim, and every event's bytes. */
const requestHash = ({ stream, epoch, claims }: AppendRequest, bodies: ReadonlyArray<Buffer>): Buffer => {
  const hash = createHash('sha256')
  hash.update(canonicalBytes({ stream, epoch: epoch ?? null, claims: claims ?? null }))
  for (const body of bodies) hash.update(createHash('sha256').update(body).digest())
  return hash.digest()
}

type OutcomeRow = {
  readonly outcome: 'appended' | 'repeated' | 'version-conflict' | 'stale-epoch' | 'command-id-reused'
  readonly found: string | null
  readonly first_version: string | null
  readonly last_version: string | null
  readonly first_position: string | null
  readonly last_position: string | null
  readonly at: string | null
}

const outcomeOf = (
  request: AppendRequest,
  row: OutcomeRow | undefined,
): E.Either<AppendFailure, Appended> => {
  if (row === undefined) throw new Error('append_events answered nothing')
  const { expected, epoch, claims, commandId } = request
  switch (row.outcome) {
    case 'version-conflict':
      return E.left({ tag: 'version-conflict', expected, found: integer(row.found ?? '0') })
    case 'stale-epoch': {
      const current = integer(row.found ?? '0')
      return E.left({ tag: 'stale-epoch', epoch: epoch ?? (claims ?? 1) - 1, current })
    }
    case 'command-id-reused':
      return E.left({ tag: 'command-id-reused', commandId })
    case 'appended':
    case 'repeated':
      return E.right({
        firstVersion: integer(row.first_version ?? ''),
        lastVersion: integer(row.last_version ?? ''),
        firstPosition: integer(row.first_position ?? ''),
        lastPosition: integer(row.last_position ?? ''),
        at: timeFromMicros(row.at ?? ''),
        repeated: row.outcome === 'repeated',
      })
  }
}

import * as E from 'fp-ts/lib/Either.js'
import type { Appended, AppendFailure, AppendRequest } from '../envelope.js'
import { integer, timeFromMicros } from './rows.js'

/** What the database answers to one request. */
export type OutcomeRow = {
  readonly outcome: 'appended' | 'repeated' | 'version-conflict' | 'stale-epoch' | 'command-id-reused'
  readonly found: string | null
  readonly first_version: string | null
  readonly last_version: string | null
  readonly first_position: string | null
  readonly last_position: string | null
  readonly at: string | null
}

/** The result of a request from its row. */
export const outcomeOf = (
  request: AppendRequest,
  row: OutcomeRow | undefined,
): E.Either<AppendFailure, Appended> => {
  if (row === undefined) throw new Error('append_batch left a request without an answer')
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
        at: timeFromMicros(integer(row.at ?? '')),
        repeated: row.outcome === 'repeated',
      })
  }
}

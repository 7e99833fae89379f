import * as E from 'fp-ts/lib/Either.js'
import type { Kysely } from 'kysely'
import type { Difference } from '../chain.js'
import type { Head } from './event-store.js'
import { integer } from './rows.js'
import type { Tables } from './tables.js'

/** A head as one line to keep elsewhere: what it is, the format, the ledger's id, a position, and the hash there. */
export const renderHead = ({ ledger, position, hash }: Head): string =>
  `docket-head 1 ${ledger} ${position} ${hash}`

/** Reads such a line; `Left` says what is wrong with it. */
export const parseHead = (line: string): E.Either<string, Head> => {
  const [, ledger = '', position = '', hash = ''] =
    /^docket-head 1 ([0-9a-f-]{36}) (\d{1,15}) ([0-9a-f]{64})$/.exec(line.trim()) ?? []
  return ledger === ''
    ? E.left('it is no line that `docket head` printed')
    : E.right({ ledger, position: Number(position), hash })
}

/**
 * Holds a ledger against a head that was kept where its writer could not reach it: it must be the same ledger,
 * have come at least as far, and have the same link there. This finds a suffix that was rewritten with all its
 * hashes, which the chain alone cannot show.
 */
export const compareWithHead = async (db: Kysely<Tables>, kept: Head): Promise<ReadonlyArray<Difference>> => {
  const head = await db.selectFrom('head').selectAll().executeTakeFirstOrThrow()
  const { position } = kept
  if (head.ledger !== kept.ledger) return [{ position, what: `this is another ledger, ${head.ledger}` }]
  if (integer(head.position) < position) {
    return [{ position, what: `the ledger ends before it, at position ${head.position}` }]
  }
  const there = await db
    .selectFrom('events')
    .select('hash')
    .where('position', '=', String(position))
    .executeTakeFirst()
  const hash = position === 0 || there === undefined ? null : there.hash.toString('hex')
  return position === 0 || hash === kept.hash
    ? []
    : [{ position, what: `the link is ${hash ?? 'missing'}, and ${kept.hash} was kept` }]
}

import type { Readable } from 'node:stream'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import type { Difference } from '../chain.js'
import { answered } from '../store/connect.js'
import type { Head } from '../store/event-store.js'
import { headFromRow, integer } from '../store/rows.js'
import type { Tables } from '../store/tables.js'
import { BadExport, CannotImport } from './bad-export.js'
import { walkExport } from './export-walk.js'
import type { ArtifactLine, HeaderLine } from './format.js'
import {
  artifactInserter,
  deriveCommands,
  deriveStreams,
  type GivenEvent,
  insertEvents,
  openRequests,
} from './insert.js'
import { readExport } from './read-export.js'

export type Imported = Head & { readonly events: number; readonly artifacts: number }

/**
 * Makes an empty ledger the one of an export: the same id, positions, times, hashes and bytes. All in one transaction
 * that holds the head, so that an import that is killed, or that meets a hash that does not hold, leaves the ledger
 * empty. Works as the owner of the tables, since no function that Docket may call puts events at places of its choice.
 *
 * Throws `BadExport` and `CannotImport`.
 */
export const importLedger = (
  db: Kysely<Tables>,
  input: Readable,
  onProgress: (position: number) => void = () => {},
): Promise<Imported> =>
  answered(() =>
    db
      .transaction()
      .execute((transaction) => importInto(transaction, input, onProgress))
      .catch((cause: unknown) => {
        if (!(cause instanceof pg.DatabaseError) || cause.code !== insufficientPrivilege) throw cause
        throw new CannotImport(
          'only the owner of the ledger may import: give the address with that user in DATABASE_URL',
          { cause },
        )
      }),
  )

const insufficientPrivilege = '42501'

const importInto = async (
  db: Kysely<Tables>,
  input: Readable,
  onProgress: (position: number) => void,
): Promise<Imported> => {
  await sql`set local role none`.execute(db)
  // Whoever sends lines slowly must not be taken for someone who forgot a transaction.
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(db)
  const before = await db.selectFrom('head').selectAll().forUpdate().executeTakeFirstOrThrow()
  if (integer(before.position) > 0) {
    throw new CannotImport(
      `a ledger is imported into an empty one, and this one has ${before.position} events: name another with --ledger`,
    )
  }

  let header: HeaderLine | null = null
  let walk: ReturnType<typeof walkExport> | null = null
  const epochs: Array<{ readonly stream: string; readonly epoch: number }> = []
  let events: Array<GivenEvent> = []
  let pieces: Array<ArtifactLine> = []
  const insertArtifacts = artifactInserter(db)
  await openRequests(db)
  const flush = async (): Promise<void> => {
    await insertEvents(db, events)
    await insertArtifacts(pieces)
    if (header !== null) onProgress(events.at(-1)?.line.position ?? header.position)
    events = []
    pieces = []
  }
  for await (const { line } of readExport(input)) {
    if (line.line === 'header') {
      if (line.job !== null) throw new BadExport('it holds a job, and not a ledger')
      header = line
      walk = walkExport(line)
      continue
    }
    const differences = walk?.take(line, (kept) => {
      if (line.line === 'event') events.push({ kept, line })
    })
    refuseDifferences(differences ?? [])
    if (line.line === 'stream') epochs.push(line)
    if (line.line === 'artifact') pieces.push(line)
    if (events.length >= eventsAtOnce || pieces.length >= piecesAtOnce) await flush()
  }
  await flush()
  if (header === null || walk === null) throw new BadExport('it is empty')
  await deriveStreams(db, epochs)
  if ((await deriveCommands(db)) > 0) throw new BadExport('a command has not what it was known by')
  const head = await setHead(db, header)
  return { ...head, events: walk.events(), artifacts: walk.artifacts.size }
}

const eventsAtOnce = 1000
/** Of a mebibyte at most. */
const piecesAtOnce = 16

const refuseDifferences = ([first]: ReadonlyArray<Difference>): void => {
  if (first !== undefined) throw new BadExport(`position ${first.position}: ${first.what}`)
}

const setHead = async (db: Kysely<Tables>, { ledger, chain, position, hash }: HeaderLine): Promise<Head> => {
  await sql`
    update head set ledger = ${ledger}, format = ${chain}, position = ${position},
      hash = decode(${hash}, 'hex'), at = coalesce((select at from events where position = ${position}), 0)`.execute(
    db,
  )
  return headFromRow(await db.selectFrom('head').selectAll().executeTakeFirstOrThrow())
}

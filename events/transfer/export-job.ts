import { type Kysely, sql } from 'kysely'
import { firstLink, type KeptEvent, leafBytes } from '../chain.js'
import { jobStream } from '../read-stream.js'
import { keptRows } from '../store/event-rows.js'
import { integer, keptFromRow } from '../store/rows.js'
import type { Tables } from '../store/tables.js'
import { artifactLines } from './artifact-lines.js'
import {
  chainFormatOf,
  type Exported,
  eventLine,
  lineWriter,
  requestsFrom,
  type WriteLine,
} from './export-ledger.js'
import { formatName, formatVersion } from './format.js'

export type JobExport = {
  readonly job: string
  /** Whether to lead from its events to the head: 110 bytes for each event of the ledger since the job began. */
  readonly proof: boolean
  /** The artifacts that its events name. */
  readonly artifacts: Iterable<string>
}

/**
 * Writes one job: its events with their hashes and, with a proof, what the links between them and up to the head
 * were made from, so that whoever keeps that head can tell that the job is part of the ledger as it was.
 * Returns null when there is no such job.
 */
export const exportJob = async (
  db: Kysely<Tables>,
  { job, proof, artifacts }: JobExport,
  write: WriteLine,
): Promise<Exported | null> => {
  const head = await db.selectFrom('head').selectAll().executeTakeFirstOrThrow()
  const position = integer(head.position)
  const events = await eventsOf(db, jobStream(job), position)
  const [first] = events
  if (first === undefined) return null
  const hash = head.hash.toString('hex')
  const out = lineWriter(write)
  await out.write({
    line: 'header',
    format: formatName,
    version: formatVersion,
    ledger: head.ledger,
    chain: chainFormatOf(head.format),
    position,
    hash,
    job,
    proof,
  })
  const requests = await requestsFrom(db, events)
  let before = first.position - 1
  for (const kept of events) {
    const gap = kept.position - 1 > before
    if (proof && gap) await writeLinks(db, before + 1, kept.position - 1, out.write)
    const previous =
      kept === first || (gap && !proof)
        ? await linkAt(db, kept.position - 1, firstLink(head.ledger, head.format))
        : null
    await out.write(eventLine(kept, requests.get(kept.position) ?? null, previous))
    before = kept.position
  }
  if (proof) await writeLinks(db, before + 1, position, out.write)
  const kept = await artifactLines(db, artifacts, out.write)
  await out.end({ events: events.length, artifacts: kept })
  return { position, hash, events: events.length, artifacts: kept }
}

const eventsOf = async (
  db: Kysely<Tables>,
  stream: string,
  until: number,
): Promise<ReadonlyArray<KeptEvent>> => {
  const rows = await keptRows(db, (events) =>
    events.where('stream', '=', stream).where('position', '<=', String(until)).orderBy('version'),
  )
  return rows.map(keptFromRow)
}

/** How many events a line of links stands for at most. */
const leavesAtOnce = 5000

const writeLinks = async (
  db: Kysely<Tables>,
  from: number,
  to: number,
  write: (line: { line: 'links'; from: number; leaves: string }) => Promise<void>,
): Promise<void> => {
  for (let at = from; at <= to; at += leavesAtOnce) {
    const until = Math.min(at + leavesAtOnce - 1, to)
    const { rows } = await sql<{ readonly leaves: Buffer }>`
      select coalesce(string_agg(
        sha256(convert_to(stream, 'utf8')) || int8send(version) || int8send(at) || event_hash, ''::bytea
        order by position
      ), ''::bytea) as leaves
      from events where position between ${at} and ${until}`.execute(db)
    const leaves = rows[0]?.leaves ?? Buffer.alloc(0)
    if (leaves.length !== (until - at + 1) * leafBytes) {
      throw new Error(`events between positions ${at} and ${until} are missing: docket verify names them`)
    }
    await write({ line: 'links', from: at, leaves: leaves.toString('base64') })
  }
}

const linkAt = async (db: Kysely<Tables>, position: number, first: string): Promise<string> => {
  if (position === 0) return first
  const row = await db
    .selectFrom('events')
    .select('hash')
    .where('position', '=', String(position))
    .executeTakeFirst()
  return row?.hash.toString('hex') ?? first
}

import { type Kysely, sql } from 'kysely'
import { type Difference, firstLink, type KeptEvent, missing, walkChain } from '../chain.js'
import { answered } from './connect.js'
import { keptEvents } from './kept-events.js'
import { integer } from './rows.js'
import type { Tables } from './tables.js'

export type Verified = { readonly events: number; readonly differences: ReadonlyArray<Difference> }

/**
 * Walks the ledger: every hash is computed from the stored bytes, every column held against them, and the
 * last link against the head. After a difference the walk goes on from what is stored, so that each is
 * named once. When the events hold, what appends look up beside them is held against them. Without a head that
 * was kept elsewhere, a suffix that was rewritten whole does not show.
 *
 * @param onEvents Called with the events that were walked, in order, for whoever has more to ask of them.
 */
export const verifyChain = (
  db: Kysely<Tables>,
  onEvents: (events: ReadonlyArray<KeptEvent>) => void = () => {},
): Promise<Verified> => answered(() => verify(db, onEvents))

const verify = async (
  db: Kysely<Tables>,
  onEvents: (events: ReadonlyArray<KeptEvent>) => void,
): Promise<Verified> => {
  const head = await db.selectFrom('head').selectAll().executeTakeFirstOrThrow()
  const until = integer(head.position)
  const walk = walkChain({ position: 0, hash: firstLink(head.ledger, head.format) })
  const differences: Array<Difference> = []
  for await (const events of keptEvents(db, until)) {
    for (const event of events) differences.push(...walk.take(event))
    onEvents(events)
  }
  const position = walk.position()
  if (position < until) differences.push(missing(position + 1, until))
  else if (walk.hash() !== head.hash.toString('hex')) {
    differences.push({ position, what: 'the head names another hash' })
  }
  differences.push(...(await outsideOfTheChain(db)))
  if (differences.length === 0) differences.push(...(await besideTheEvents(db)))
  return { events: position, differences: differences.sort((a, b) => a.position - b.position) }
}

/** One statement, so that an append that goes on meanwhile is seen whole or not at all. */
const outsideOfTheChain = async (db: Kysely<Tables>): Promise<ReadonlyArray<Difference>> => {
  const { rows } = await sql<{ readonly position: string }>`
    select min(events.position) as position from events
    where events.position < 1 or events.position > (select head.position from head)
    having min(events.position) is not null`.execute(db)
  return rows.map(({ position }) => ({
    position: Number(position),
    what: 'there is an event outside of the chain',
  }))
}

/**
 * The versions of the streams and the results of the commands, as the events give them: an append trusts
 * both, so one that is gone or false would let a command be taken twice. One statement, so that appends that
 * go on meanwhile are in all of it or in none.
 */
const besideTheEvents = async (db: Kysely<Tables>): Promise<ReadonlyArray<Difference>> => {
  const { rows } = await sql<{ readonly position: string; readonly what: string }>`
    select coalesce(recorded.last, 0) as position,
      'what is kept of stream ' || name || ' is not what its events give' as what
    from (
      select stream as name, max(version) as version, max(position) as last, min(at) as opened_at
      from events group by stream
    ) as recorded
    full join streams using (name)
    where (recorded.version, recorded.opened_at) is distinct from (streams.version, streams.opened_at)
    union all
    select coalesce(recorded.first_position, commands.first_position),
      'what is kept of command ' || id || ' is not what its events give'
    from (
      select causation_id as id, min(version) as first_version, max(version) as last_version,
        min(position) as first_position, max(position) as last_position, min(at) as at
      from events group by causation_id
    ) as recorded
    full join commands using (id)
    where (
        recorded.first_version, recorded.last_version, recorded.first_position, recorded.last_position,
        recorded.at
      ) is distinct from (
        commands.first_version, commands.last_version, commands.first_position, commands.last_position,
        commands.at
      )
    order by position`.execute(db)
  return rows.map(({ position, what }) => ({ position: integer(position), what }))
}

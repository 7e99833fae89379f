import test from 'ava'
import * as E from 'fp-ts/lib/Either.js'
import type { RecordedEvent } from '../../../events/envelope.js'
import type { EventStore } from '../../../events/store/event-store.js'
import { asOwner, freshLedger } from '../../support/ledger.js'

const append = (store: EventStore, actor: string, n: number) =>
  store.append({
    stream: `of-${actor}`,
    expected: 'any',
    events: [{ type: 'Written', schemaVersion: 1, data: { n } }],
    actor,
    commandId: `${actor}-${n}`,
    correlationId: 'a',
  })

/** Makes the transactions of some actors slow: after an event has its position they wait, first for a lock. */
const slowDown = `
  create function docket.slow_down() returns trigger language plpgsql as $$
  begin
    if new.actor = 'held' then perform pg_advisory_xact_lock(7); end if;
    if new.actor like 'slow%' then perform pg_sleep(0.03); end if;
    return null;
  end $$;
  grant execute on function docket.slow_down() to public;
  create trigger slow_down after insert on docket.events for each row execute function docket.slow_down()`

const settled = async (done: () => boolean): Promise<boolean> => {
  for (let tries = 0; !done() && tries < 400; tries++) await new Promise((resolve) => setTimeout(resolve, 25))
  return done()
}

test('readers see nothing of a transaction that is held up, and nothing of what comes after it before it', async (t) => {
  const { store, another, url } = await freshLedger(t)
  const seen: Array<string> = []
  const reader = store.follow(0, ({ position, actor }) => void seen.push(`${position} ${actor}`))
  await asOwner(url, async (owner) => {
    await owner.query(slowDown)
    await owner.query('select pg_advisory_lock(7)')
    const held = append(store, 'held', 1)
    await waiting(owner.query.bind(owner), "wait_event = 'advisory'")
    const quick = append(await another(), 'quick', 1)
    await waiting(owner.query.bind(owner), "wait_event_type = 'Lock' and wait_event <> 'advisory'")
    // Longer than a reader goes without a look.
    await new Promise((resolve) => setTimeout(resolve, 700))
    t.deepEqual(seen, [])
    await owner.query('select pg_advisory_unlock(7)')
    t.deepEqual((await Promise.all([held, quick])).map(E.isRight), [true, true])
  })
  t.true(await settled(() => seen.length === 2))
  t.deepEqual(seen, ['1 held', '2 quick'])
  await reader.close()
})

type Ask = (statement: string) => Promise<{ readonly rows: ReadonlyArray<unknown> }>

/** Until an append waits for something. */
const waiting = async (ask: Ask, what: string): Promise<void> => {
  const statement = `select 1 from pg_stat_activity
    where datname = current_database() and query like '%append_batch%' and ${what}`
  while ((await ask(statement)).rows.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
}

test('readers of slow and quick writers on many connections skip, repeat and reorder nothing', async (t) => {
  const { store, another, url } = await freshLedger(t)
  await asOwner(url, (owner) => owner.query(slowDown))
  const writers = [store, await another(), await another(), await another()]
  const readers = [store, await another()].map((one) => {
    const seen: Array<RecordedEvent> = []
    return { seen, reader: one.follow(0, (event) => void seen.push(event)) }
  })
  const each = 25
  await Promise.all(
    writers.map(async (writer, place) => {
      const actor = place % 2 === 0 ? `slow-${place}` : `quick-${place}`
      for (let n = 0; n < each; n++) t.true(E.isRight(await append(writer, actor, n)))
    }),
  )
  const all = writers.length * each
  for (const { seen, reader } of readers) {
    t.true(await settled(() => seen.length >= all), `${seen.length} of ${all} were seen`)
    await reader.close()
    t.deepEqual(
      seen.map(({ position }) => position),
      Array.from({ length: all }, (_, n) => n + 1),
    )
    const versions = new Map<string, number>()
    for (const { stream, version } of seen) {
      t.is(version, (versions.get(stream) ?? 0) + 1)
      versions.set(stream, version)
    }
  }
})

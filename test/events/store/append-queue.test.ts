import { randomUUID } from 'node:crypto'
import test from 'ava'
import * as E from 'fp-ts/lib/Either.js'
import { sql } from 'kysely'
import type { AppendRequest } from '../../../events/envelope.js'
import { verifyChain } from '../../../events/store/verify-chain.js'
import { asOwner, freshLedger } from '../../support/ledger.js'

const request = (more: Partial<AppendRequest> = {}): AppendRequest => ({
  stream: 'job-a',
  expected: 'any',
  events: [{ type: 'Counted', schemaVersion: 1, data: {} }],
  actor: 'test',
  commandId: randomUUID(),
  correlationId: 'a',
  ...more,
})

test('appends that meet in a process share transactions, and stand in the order in which they came', async (t) => {
  const { store } = await freshLedger(t)
  const results = await Promise.all(
    Array.from({ length: 300 }, (_, n) =>
      store.append(request({ events: [{ type: 'Counted', schemaVersion: 1, data: { n } }] })),
    ),
  )
  t.true(results.every(E.isRight))
  const events = await store.readAll(0, 1000)
  t.deepEqual(
    events.map(({ data }) => data),
    Array.from({ length: 300 }, (_, n) => ({ n })),
  )
  const { rows } = await sql<{ readonly transactions: string }>`
    select count(distinct xmin::text) as transactions from events`.execute(store.db)
  t.true(Number(rows[0]?.transactions) < 10, `${rows[0]?.transactions} transactions`)
  t.deepEqual((await verifyChain(store.db)).differences, [])
})

test('each has its own result: what is turned down leaves its neighbours alone', async (t) => {
  const { store } = await freshLedger(t)
  await store.append(request({ claims: 1 }))
  const same = request()
  const results = await Promise.all([
    store.append(request()),
    store.append(request({ expected: 'none' })),
    store.append(request({ epoch: 9 })),
    store.append(request({ stream: 'job-b', expected: 'none' })),
    store.append(same),
    store.append(same),
    store.append({ ...same, stream: 'job-c' }),
    store.append(request({ events: [{ type: 'Half', schemaVersion: 1, data: '\ud800' }] })),
    store.append(request({ stream: 'job-b', expected: 1 })),
  ])
  t.deepEqual(
    results.map((result) => (E.isLeft(result) ? result.left.tag : result.right.repeated)),
    [
      false,
      'version-conflict',
      'stale-epoch',
      false,
      false,
      true,
      'command-id-reused',
      'not-storable',
      false,
    ],
  )
  t.is((await store.head()).position, 5)
})

test('a statement that the database refuses fails the append that caused it, and no other', async (t) => {
  const { store, url } = await freshLedger(t)
  await asOwner(url, (owner) =>
    owner.query(`
      create function docket.refuse_bad() returns trigger language plpgsql as
        $$ begin if new.actor = 'bad' then raise 'no'; end if; return new; end $$;
      grant execute on function docket.refuse_bad() to public;
      create trigger refuse_bad before insert on docket.events for each row execute function docket.refuse_bad()`),
  )
  const [one, two, three] = await Promise.allSettled([
    store.append(request()),
    store.append(request({ actor: 'bad' })),
    store.append(request()),
  ])
  t.is(one?.status, 'fulfilled')
  t.is(two?.status, 'rejected')
  t.is(three?.status, 'fulfilled')
  t.is((await store.head()).position, 2)
})

test('closing a store waits for the appends that are under way', async (t) => {
  const { store, another } = await freshLedger(t)
  const closing = await another()
  const results = Promise.all(Array.from({ length: 50 }, () => closing.append(request())))
  await closing.close()
  t.true((await results).every(E.isRight))
  t.is((await store.head()).position, 50)
})

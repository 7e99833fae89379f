import { randomUUID } from 'node:crypto'
import test from 'ava'
import * as E from 'fp-ts/lib/Either.js'
import { compareWithHead, parseHead, renderHead } from '../../../events/store/kept-head.js'
import type { OpenedStore } from '../../../events/store/open-store.js'
import { verifyChain } from '../../../events/store/verify-chain.js'
import { asOwner, freshLedger } from '../../support/ledger.js'

const append = async (store: OpenedStore, n: number): Promise<void> => {
  await store.append({
    stream: 's',
    expected: 'any',
    events: [{ type: 'Counted', schemaVersion: 1, data: { n } }],
    actor: 'test',
    commandId: randomUUID(),
    correlationId: 'a',
  })
}

test('a head is read back as it was printed, and nothing else is taken for one', (t) => {
  const head = { ledger: randomUUID(), position: 12, hash: 'ab'.repeat(32) }
  t.deepEqual(parseHead(`${renderHead(head)}\n`), E.right(head))
  for (const line of [
    '',
    'docket-head 2 x',
    renderHead({ ...head, hash: 'short' }),
    `${renderHead(head)} more`,
  ]) {
    t.true(E.isLeft(parseHead(line)), line)
  }
})

test('a ledger that only grew agrees with every head that was kept of it', async (t) => {
  const { store } = await freshLedger(t)
  const kept = [await store.head()]
  for (let n = 1; n <= 3; n++) {
    await append(store, n)
    kept.push(await store.head())
  }
  for (const head of kept) t.deepEqual(await compareWithHead(store.db, head), [])
})

test('a suffix that was rewritten with all its hashes shows against a kept head, and only there', async (t) => {
  const { store, url } = await freshLedger(t)
  for (let n = 1; n <= 3; n++) await append(store, n)
  const kept = await store.head()
  await asOwner(url, async (client) => {
    await client.query("set search_path = docket; set session_replication_role = 'replica'")
    await client.query('delete from events where position = 3')
    await client.query('delete from commands where last_position = 3')
    await client.query("update streams set version = 2 where name = 's'")
    await client.query('update head set position = 2, hash = (select hash from events where position = 2)')
  })
  t.is((await compareWithHead(store.db, kept))[0]?.position, 3)
  await append(store, 99)
  t.deepEqual((await verifyChain(store.db)).differences, [])
  const [difference] = await compareWithHead(store.db, kept)
  t.is(difference?.position, 3)
  t.regex(difference?.what ?? '', new RegExp(kept.hash))
})

test('a head of another ledger is told', async (t) => {
  const one = await freshLedger(t)
  const two = await freshLedger(t)
  t.regex((await compareWithHead(one.store.db, await two.store.head()))[0]?.what ?? '', /another ledger/)
})

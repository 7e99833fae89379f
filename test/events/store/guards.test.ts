import { randomUUID } from 'node:crypto'
import test from 'ava'
import pg from 'pg'
import { openStore } from '../../../events/store/open-store.js'
import { verifyChain } from '../../../events/store/verify-chain.js'
import { asOwner, type FreshLedger, freshDatabase, freshLedger } from '../../support/ledger.js'

const filled = async (ledger: FreshLedger): Promise<void> => {
  for (let n = 1; n <= 5; n++) {
    await ledger.store.append({
      stream: n % 2 === 0 ? 'job-even' : 'job-odd',
      expected: 'any',
      events: [{ type: 'Counted', schemaVersion: 1, data: { n } }],
      actor: 'test',
      commandId: randomUUID(),
      correlationId: 'a',
    })
  }
}

/** Changes the ledger as only its owner can, with every trigger out of the way. */
const tamper = (url: string, ...statements: ReadonlyArray<string>): Promise<void> =>
  asOwner(url, async (client) => {
    await client.query("set search_path = docket; set session_replication_role = 'replica'")
    for (const statement of statements) await client.query(statement)
  })

test('the role of a store may neither insert nor change what is recorded', async (t) => {
  const ledger = await freshLedger(t)
  await filled(ledger)
  t.true(ledger.store.asWriter)
  const tables = ['events', 'commands', 'artifacts', 'artifact_chunks', 'head', 'streams']
  const statements = tables.flatMap((table) => [
    `delete from docket.${table}`,
    `truncate docket.${table} cascade`,
    `alter table docket.${table} add extra int`,
    `insert into docket.${table} select * from docket.${table}`,
  ])
  await asOwner(ledger.url, async (client) => {
    await client.query('set role docket_writer_docket')
    for (const statement of [...statements, "update docket.events set actor = 'x'"]) {
      const error = await t.throwsAsync(client.query(statement), { instanceOf: pg.DatabaseError })
      t.is((error as pg.DatabaseError).code, '42501', statement)
    }
  })
})

test('even the owner is refused by the triggers', async (t) => {
  const ledger = await freshLedger(t)
  await filled(ledger)
  await asOwner(ledger.url, async (client) => {
    for (const statement of [
      "update docket.events set actor = 'x'",
      'delete from docket.events',
      'truncate docket.events',
      'delete from docket.commands',
      'delete from docket.head',
    ]) {
      await t.throwsAsync(client.query(statement), { message: /append-only/ }, statement)
    }
  })
})

const rewritten = `update events set body = replaced, event_hash = sha256(replaced) from (
  select position as place, convert_to(replace(convert_from(body, 'utf8'), '"n":3', '"n":4'), 'utf8') as replaced
  from events) as changed where position = place and place = 3`

const tamperings: ReadonlyArray<readonly [string, string, number]> = [
  [
    'a changed payload',
    "update events set body = replace(body::text, '3', '3')::bytea || ' '::bytea where position = 3",
    3,
  ],
  ['a changed column', "update events set actor = 'somebody else' where position = 2", 2],
  ['a deleted row', 'delete from events where position = 4', 4],
  ['a truncated tail', 'delete from events where position >= 4', 4],
  ['a changed time', 'update events set at = at + 1 where position = 1', 1],
  ['a head that was moved back', 'update head set position = 4', 4],
  ['a head with another hash', "update head set hash = sha256('x')", 5],
  ['a head of another ledger', "update head set ledger = 'other'", 1],
  ['a payload changed with its own hash', rewritten, 3],
  ['a command that was forgotten', 'delete from commands where first_position = 3', 3],
  ['a result of a command that was changed', 'update commands set at = at + 1 where first_position = 2', 2],
  ['a stream whose version was set back', "update streams set version = 1 where name = 'job-odd'", 5],
  ['an event at position 0', 'update events set position = 0 where position = 1', 0],
  ['an event beyond the head', 'update events set position = 77 where position = 5', 5],
  ['bytes that are no text', "update events set body = '\\xff'::bytea where position = 2", 2],
  ['bytes with a NUL', "update events set body = body || '\\x00'::bytea where position = 3", 3],
  ['a time before 1970', 'update events set at = -5 where position = 2', 2],
  ['a time beyond every calendar', 'update events set at = 9223372036854775807 where position = 2', 2],
  ['every event gone', 'delete from events', 1],
  ['a stream that was forgotten', "delete from streams where name = 'job-even'", 4],
]

for (const [what, statement, position] of tamperings) {
  test(`verification finds ${what}`, async (t) => {
    const ledger = await freshLedger(t)
    await filled(ledger)
    t.deepEqual(await verifyChain(ledger.store.db), { events: 5, differences: [] })
    await tamper(ledger.url, statement)
    const { differences } = await verifyChain(ledger.store.db)
    t.is(differences[0]?.position, position)
  })
}

test('verification beside appends finds nothing', async (t) => {
  const ledger = await freshLedger(t)
  const writer = await ledger.another()
  let done = false
  const writing = (async () => {
    while (!done) await filled({ ...ledger, store: writer })
  })()
  for (let n = 0; n < 10; n++) t.deepEqual((await verifyChain(ledger.store.db)).differences, [])
  done = true
  await writing
})

test('verification finds two rows that were swapped', async (t) => {
  const ledger = await freshLedger(t)
  await filled(ledger)
  await tamper(
    ledger.url,
    'update events set position = 100 where position = 1',
    'update events set position = 1 where position = 3',
    'update events set position = 3 where position = 100',
  )
  t.is((await verifyChain(ledger.store.db)).differences[0]?.position, 1)
})

test('many that open an empty database at once make one ledger', async (t) => {
  const url = await freshDatabase(t)
  const stores = await Promise.all(Array.from({ length: 8 }, () => openStore({ env: { DATABASE_URL: url } })))
  const ledgers = await Promise.all(stores.map(async (store) => (await store.head()).ledger))
  t.is(new Set(ledgers).size, 1)
  await Promise.all(stores.map((store) => store.close()))
})

test('two ledgers of one server share nothing', async (t) => {
  const url = await freshDatabase(t)
  const [one, two] = await Promise.all(
    ['one', 'two'].map((schema) => openStore({ env: { DATABASE_URL: url }, schema })),
  )
  if (one === undefined || two === undefined) return t.fail()
  await one.append({
    stream: 's',
    expected: 'none',
    events: [{ type: 'A', schemaVersion: 1, data: {} }],
    actor: 'test',
    commandId: 'c',
    correlationId: 'a',
  })
  t.is((await two.head()).position, 0)
  t.not((await one.head()).ledger, (await two.head()).ledger)
  await one.close()
  await two.close()
})

test('a ledger of a newer Docket is left alone', async (t) => {
  const ledger = await freshLedger(t)
  await tamper(ledger.url, "insert into kysely_migration values ('9999-later', 'now')")
  await t.throwsAsync(openStore({ env: { DATABASE_URL: ledger.url } }), {
    name: 'StoreUnavailable',
    message: /9999-later/,
  })
})

test('a database that does not answer is told in words', async (t) => {
  for (const url of ['postgresql://127.0.0.1:1/x', 'postgresql://x@/x?host=/nowhere']) {
    await t.throwsAsync(openStore({ env: { DATABASE_URL: url } }), {
      name: 'StoreUnavailable',
      message: /does not answer/,
    })
  }
})

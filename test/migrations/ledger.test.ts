import { randomBytes } from 'node:crypto'
import test from 'ava'
import * as E from 'fp-ts/lib/Either.js'
import { Kysely, Migrator, PostgresDialect } from 'kysely'
import pg from 'pg'
import { openStore } from '../../events/store/open-store.js'
import { verifyChain } from '../../events/store/verify-chain.js'
import { migrationsOf, newestMigration } from '../../migrations/migrations.js'
import { asOwner, freshDatabase, freshLedger } from '../support/ledger.js'

test('the newest level is the last migration, and migrations are numbered in order', (t) => {
  const names = Object.keys(migrationsOf('docket'))
  t.is(names.at(-1), newestMigration)
  t.deepEqual(
    names.map((name) => Number(name.slice(0, 4))),
    names.map((_, index) => index + 1),
  )
})

test('opening again migrates nothing', async (t) => {
  const { store, another, url } = await freshLedger(t)
  const levels = (): Promise<ReadonlyArray<unknown>> =>
    asOwner(url, async (client) => (await client.query('select * from docket.kysely_migration')).rows)
  const before = await levels()
  t.is((await (await another()).head()).ledger, (await store.head()).ledger)
  t.deepEqual(await levels(), before)
})

test('a migration that is cut off leaves nothing, and the next opening does it', async (t) => {
  const url = await freshDatabase(t)
  await asOwner(url, async (client) => {
    await client.query('create schema docket; create table docket.head (in_the_way int)')
  })
  await t.throwsAsync(openStore({ env: { DATABASE_URL: url } }), {
    name: 'StoreUnavailable',
    message: /cannot be made ready.*head/,
  })
  await asOwner(url, (client) => client.query('drop table docket.head'))
  const store = await openStore({ env: { DATABASE_URL: url } })
  t.is((await store.head()).position, 0)
  await store.close()
})

test('a ledger of a newer Docket is not written to', async (t) => {
  const { store, url } = await freshLedger(t)
  const { ledger } = await store.head()
  const everything = (): Promise<string> =>
    asOwner(url, async (client) => {
      await client.query("set search_path = docket; set session_replication_role = 'replica'")
      const { rows } = await client.query(
        "select query_to_xml('select * from head, kysely_migration', false, false, '') as all_of_it",
      )
      return JSON.stringify(rows)
    })
  await asOwner(url, (client) =>
    client.query("insert into docket.kysely_migration values ('9999-later', 'now')"),
  )
  const before = await everything()
  t.true(before.includes(ledger))
  await t.throwsAsync(openStore({ env: { DATABASE_URL: url } }), { message: /9999-later.*newer Docket/ })
  t.is(await everything(), before)
})

/** An account as a managed server gives it: it may make roles and databases of its own, and is no superuser. */
const managedAccount = async (t: Parameters<typeof freshDatabase>[0], rights: string): Promise<string> => {
  const url = await freshDatabase(t)
  const name = `m_${randomBytes(4).toString('hex')}`
  const database = new URL(url.replace('@/', '@localhost/')).pathname.slice(1)
  await asOwner(url, async (client) => {
    await client.query(`create role ${name} login password 'managed' ${rights}`)
    await client.query(`alter database ${database} owner to ${name}`)
  })
  return url.replace(/\/\/.*@/, `//${name}:managed@`)
}

test('an account that may make roles, but is no superuser, works as the role that owns nothing', async (t) => {
  const url = await managedAccount(t, 'createrole')
  const schema = `docket_${randomBytes(4).toString('hex')}`
  const store = await openStore({ env: { DATABASE_URL: url }, schema })
  t.teardown(() => store.close())
  t.true(store.asWriter)
  t.true(E.isRight(await appendOne(store)))
  t.deepEqual((await verifyChain(store.db)).differences, [])
})

test('an account that may make no role works as the owner, and the triggers still guard the ledger', async (t) => {
  const url = await managedAccount(t, 'nocreaterole')
  const schema = `docket_${randomBytes(4).toString('hex')}`
  const store = await openStore({ env: { DATABASE_URL: url }, schema })
  t.teardown(() => store.close())
  t.false(store.asWriter)
  t.true(E.isRight(await appendOne(store)))
  await t.throwsAsync(store.db.deleteFrom('events').execute(), { message: /append-only/ })
})

const appendOne = (store: Awaited<ReturnType<typeof openStore>>) =>
  store.append({
    stream: 's',
    expected: 'none',
    events: [{ type: 'A', schemaVersion: 1, data: {} }],
    actor: 'test',
    commandId: 'c',
    correlationId: 'a',
  })

for (const level of Object.keys(migrationsOf('docket')).slice(0, -1)) {
  test(`a ledger at level ${level} is brought to the newest, and keeps what it held`, async (t) => {
    const url = await freshDatabase(t)
    await migrateTo(url, '0001-ledger')
    await asOwner(url, async (client) => {
      const body =
        '{"actor":"a","causationId":"c","correlationId":"j","data":{},"schemaVersion":1,"type":"Old"}'
      await client.query(
        `select docket.append_events('s', 'none', null, null, null, 'c', $1, 'a', 'j', '{Old}', '{1}', array[$2::bytea])`,
        [Buffer.from('anything'), Buffer.from(body)],
      )
    })
    await migrateTo(url, level)
    const store = await openStore({ env: { DATABASE_URL: url } })
    t.teardown(() => store.close())
    const appended = await store.append({
      stream: 's',
      expected: 1,
      events: [{ type: 'New', schemaVersion: 1, data: {} }],
      actor: 'a',
      commandId: randomBytes(8).toString('hex'),
      correlationId: 'j',
    })
    t.true(E.isRight(appended))
    t.deepEqual(
      (await store.readStream('s')).map(({ position, type }) => ({ position, type })),
      [
        { position: 1, type: 'Old' },
        { position: 2, type: 'New' },
      ],
    )
    t.deepEqual(await verifyChain(store.db), { events: 2, differences: [] })
  })
}

/** Does what a Docket did whose newest level was this one. */
const migrateTo = async (url: string, level: string): Promise<void> => {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrationsOf('docket')) },
    migrationTableSchema: 'docket',
  })
  const { error } = await migrator.migrateTo(level)
  await db.destroy()
  if (error !== undefined) throw error
}

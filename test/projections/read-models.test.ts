import { randomUUID } from 'node:crypto'
import test from 'ava'
import { writeEvent } from '../../events/read-event.js'
import type { OpenedStore } from '../../events/store/open-store.js'
import { listJobs } from '../../projections/list-jobs.js'
import { readModels } from '../../projections/read-models.js'
import { verifyLedger } from '../../projections/verify-ledger.js'
import { artifact, artifactBytes } from '../support/job-events.js'
import { asOwner, freshLedger } from '../support/ledger.js'
import { acceptedJob } from '../support/story.js'

const append = async (store: OpenedStore, job: string): Promise<void> => {
  await store.putArtifact(artifactBytes)
  await store.append({
    stream: `job-${job}`,
    expected: 'none',
    events: acceptedJob.map(writeEvent),
    actor: 'test',
    commandId: randomUUID(),
    correlationId: job,
  })
}

const ledgerOf = (store: OpenedStore) => ({ store, db: store.db })

const rows = async (store: OpenedStore): Promise<ReadonlyArray<string>> => {
  const all = await store.db
    .selectFrom('projection_rows')
    .selectAll()
    .orderBy('projection')
    .orderBy('key')
    .execute()
  return all.map(({ projection, key, body }) => `${projection} ${key} ${body.toString('utf8')}`)
}

const rebuildAll = async (store: OpenedStore): Promise<void> => {
  for (const model of readModels) await model.rebuild(ledgerOf(store), () => {})
}

test('deleting every read model and rebuilding gives the same bytes', async (t) => {
  const { store } = await freshLedger(t)
  for (const job of ['one', 'two', 'three']) await append(store, job)
  await rebuildAll(store)
  const before = await rows(store)
  t.is(before.length, 3)
  await store.db.deleteFrom('projection_rows').execute()
  await store.db.deleteFrom('projections').execute()
  await rebuildAll(store)
  t.deepEqual(await rows(store), before)
})

test('a read model that caught up step by step is the one that was built at once', async (t) => {
  const { store } = await freshLedger(t)
  for (const job of ['one', 'two', 'three']) {
    await append(store, job)
    await listJobs(ledgerOf(store))
  }
  const caughtUp = (await rows(store)).filter((row) => row.startsWith('job-summaries'))
  await rebuildAll(store)
  t.deepEqual(
    (await rows(store)).filter((row) => row.startsWith('job-summaries')),
    caughtUp,
  )
})

test('many readers that catch up at once fold no event twice', async (t) => {
  const { store, another } = await freshLedger(t)
  const stores = [store, await another(), await another()]
  for (let n = 0; n < 20; n++) await append(store, `job${n}`)
  const lists = await Promise.all([...stores, ...stores].map((one) => listJobs(ledgerOf(one))))
  for (const list of lists) {
    t.is(list.length, 20)
    t.true(list.every(({ failedRounds, rounds }) => failedRounds === 1 && rounds === 2))
  }
})

test('more readers of one store than it has connections catch up at once', async (t) => {
  const { store } = await freshLedger(t)
  for (let n = 0; n < 5; n++) await append(store, `old${n}`)
  await listJobs(ledgerOf(store))
  for (let n = 0; n < 5; n++) await append(store, `new${n}`)
  const lists = await Promise.all(Array.from({ length: 12 }, () => listJobs(ledgerOf(store))))
  t.true(lists.every((list) => list.length === 10))
})

test('rebuilds that race leave one generation, whole', async (t) => {
  const { store, another } = await freshLedger(t)
  const other = await another()
  for (let n = 0; n < 5; n++) await append(store, `job${n}`)
  await Promise.all([rebuildAll(store), rebuildAll(other), rebuildAll(store), rebuildAll(other)])
  t.is((await rows(store)).length, 5)
  t.deepEqual((await verifyLedger(ledgerOf(store), () => {})).differences, [])
})

test('a read model of another version of its rule is built anew', async (t) => {
  const { store } = await freshLedger(t)
  await append(store, 'one')
  await rebuildAll(store)
  const before = await rows(store)
  await store.db.updateTable('projections').set({ version: 99 }).execute()
  await store.db
    .updateTable('projection_rows')
    .set({ body: Buffer.from('{"of":"another"}') })
    .execute()
  t.is((await listJobs(ledgerOf(store))).length, 1)
  await rebuildAll(store)
  t.deepEqual(await rows(store), before)
})

test('a rebuild goes on where the clock of the database was set back', async (t) => {
  const { store } = await freshLedger(t)
  await append(store, 'one')
  await rebuildAll(store)
  const before = await rows(store)
  const later = 9_000_000_000_000_000
  await store.db.updateTable('projections').set({ generation: later }).execute()
  await store.db.deleteFrom('projection_rows').execute()
  await rebuildAll(store)
  t.deepEqual(await rows(store), before)
})

test('verification names an artifact that is gone or changed, at the event that names it first', async (t) => {
  const { store, url } = await freshLedger(t)
  await append(store, 'one')
  const tampered = async (statement: string): Promise<ReadonlyArray<unknown>> => {
    await asOwner(url, async (client) => {
      await client.query("set search_path = docket; set session_replication_role = 'replica'")
      await client.query(statement)
    })
    return (await verifyLedger(ledgerOf(store), () => {})).differences
  }
  const { sha256 } = artifact
  t.deepEqual(await tampered("update artifact_chunks set bytes = 'ax'"), [
    { position: 1, what: `the bytes of artifact ${sha256} are others` },
  ])
  t.deepEqual(await tampered('truncate artifacts, artifact_chunks'), [
    { position: 1, what: `artifact ${sha256} is missing` },
  ])
})

test('a rebuild beside appends ends with everything, and readers see a whole list all the while', async (t) => {
  const { store, another } = await freshLedger(t)
  const writer = await another()
  for (let n = 0; n < 30; n++) await append(store, `old${n}`)
  await rebuildAll(store)
  const writing = (async () => {
    for (let n = 0; n < 20; n++) await append(writer, `new${n}`)
  })()
  for (let n = 0; n < 5; n++) {
    await rebuildAll(store)
    t.true((await listJobs(ledgerOf(store))).length >= 30)
  }
  await writing
  t.is((await listJobs(ledgerOf(store))).length, 50)
  t.deepEqual((await verifyLedger(ledgerOf(store), () => {})).differences, [])
})

test('an event that cannot be read stops a rebuild at its position and leaves the old rows in use', async (t) => {
  const { store } = await freshLedger(t)
  await append(store, 'one')
  await rebuildAll(store)
  const before = await rows(store)
  await store.append({
    stream: 'job-two',
    expected: 'none',
    events: [{ type: 'FromTheFuture', schemaVersion: 7, data: {} }],
    actor: 'test',
    commandId: randomUUID(),
    correlationId: 'two',
  })
  await t.throwsAsync(rebuildAll(store), { message: /position 40.*FromTheFuture@7/ })
  t.deepEqual(await rows(store), before)
  const { differences } = await verifyLedger(ledgerOf(store), () => {})
  t.deepEqual(
    differences.map(({ position }) => position),
    [40],
  )
})

test('verification names a read model that was tampered with', async (t) => {
  const { store } = await freshLedger(t)
  await append(store, 'one')
  await rebuildAll(store)
  await store.db
    .updateTable('projection_rows')
    .set({ body: Buffer.from('{"job":"one","status":"accepted"}') })
    .where('projection', '=', 'job-summaries')
    .execute()
  const { differences } = await verifyLedger(ledgerOf(store), () => {})
  t.regex(differences[0]?.what ?? '', /job-summaries holds another one/)
})

test('an empty ledger has empty read models and nothing that differs', async (t) => {
  const { store } = await freshLedger(t)
  await rebuildAll(store)
  t.deepEqual(await listJobs(ledgerOf(store)), [])
  t.deepEqual(await verifyLedger(ledgerOf(store), () => {}), { events: 0, differences: [] })
})

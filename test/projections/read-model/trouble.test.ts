import { randomUUID } from 'node:crypto'
import test from 'ava'
import { writeEvent } from '../../../events/read-event.js'
import { UnreadableLedger } from '../../../events/read-stream.js'
import type { OpenedStore } from '../../../events/store/open-store.js'
import { verifyChain } from '../../../events/store/verify-chain.js'
import { listJobs } from '../../../projections/list-jobs.js'
import type { Projection } from '../../../projections/read-model/projection.js'
import { readModel } from '../../../projections/read-model/read-model.js'
import { readModels } from '../../../projections/read-models.js'
import { rebuildAll } from '../../../projections/rebuild-all.js'
import { verifyLedger } from '../../../projections/verify-ledger.js'
import { artifactBytes } from '../../support/job-events.js'
import { asOwner, freshLedger } from '../../support/ledger.js'
import { acceptedJob } from '../../support/story.js'

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

/** Changes the ledger as only its owner can, with every trigger out of the way. */
const tamper = (url: string, statement: string): Promise<void> =>
  asOwner(url, async (client) => {
    await client.query("set search_path = docket; set session_replication_role = 'replica'")
    await client.query(statement)
  })

test('verification beside appends finds no read model that differs', async (t) => {
  const { store, another } = await freshLedger(t)
  const writer = await another()
  await append(store, 'first')
  let done = false
  const writing = (async () => {
    for (let n = 0; !done; n++) await append(writer, `n${n}`)
  })()
  try {
    for (let n = 0; n < 5; n++) {
      t.deepEqual((await verifyLedger(ledgerOf(store), () => {})).differences, [])
    }
  } finally {
    done = true
    await writing
  }
})

test('a tail that was cut off keeps no read model waiting for it', async (t) => {
  const { store, url } = await freshLedger(t)
  await append(store, 'one')
  await listJobs(ledgerOf(store))
  await append(store, 'two')
  const { position } = await store.head()
  await tamper(url, `delete from events where position > ${position - 3}`)
  t.is((await listJobs(ledgerOf(store))).length, 2)
  const { differences } = await verifyChain(store.db)
  t.is(differences[0]?.position, position - 2)
})

test('bytes that are no event stop a rebuild at their position and leave the old rows in use', async (t) => {
  const { store, url } = await freshLedger(t)
  await append(store, 'one')
  const before = await listJobs(ledgerOf(store))
  for (const body of ['no JSON', 'null', '{"actor":"x"}', '"\\\\ud800"']) {
    await tamper(url, `update events set body = convert_to('${body}', 'utf8') where position = 3`)
    for (const model of readModels) {
      await t.throwsAsync(
        model.rebuild(ledgerOf(store), () => {}),
        {
          name: 'UnreadableLedger',
          message: /position 3 /,
        },
      )
    }
    t.deepEqual(await listJobs(ledgerOf(store)), before)
    t.is((await verifyChain(store.db)).differences[0]?.position, 3)
  }
})

test('an event that cannot be read is named once, and every other stream is verified all the same', async (t) => {
  const { store, url } = await freshLedger(t)
  for (const job of ['one', 'two']) await append(store, job)
  await listJobs(ledgerOf(store))
  const length = acceptedJob.length
  const changed = `convert_to('{"no":"event"}', 'utf8')`
  await tamper(url, `update events set body = ${changed}, event_hash = sha256(${changed}) where position = 3`)
  await store.db
    .updateTable('projection_rows')
    .set({ body: Buffer.from('{}') })
    .execute()
  const { events, differences } = await verifyLedger(ledgerOf(store), () => {})
  t.is(events, 2 * length)
  t.true(differences.some(({ position, what }) => position === 3 && /not those of an event/.test(what)))
  const models = differences.flatMap(({ what }) => /holds another (\w+)/.exec(what)?.[1] ?? [])
  t.deepEqual(models, ['two'])
})

test('bytes that say the same in another way are named: a key given twice would hide a value', async (t) => {
  const { store, url } = await freshLedger(t)
  await append(store, 'one')
  const ways = [
    `replace(convert_from(body, 'utf8'), '"data":{', '"data":{"hidden":1,"hidden":2,')`,
    `replace(convert_from(body, 'utf8'), '"data":{', '"data": {')`,
  ]
  for (const way of ways) {
    const changed = `convert_to(${way}, 'utf8')`
    await tamper(
      url,
      `update events set body = ${changed}, event_hash = sha256(${changed}) where position = 2`,
    )
    const { differences } = await verifyLedger(ledgerOf(store), () => {})
    t.true(
      differences.some(({ position, what }) => position === 2 && what === 'its bytes are not canonical'),
      JSON.stringify(differences),
    )
  }
})

test('a read model that meets what it cannot read is told, and those after it are built', async (t) => {
  const { store } = await freshLedger(t)
  await append(store, 'one')
  const stops: Projection<null> = {
    name: 'stops',
    version: 1,
    keyOf: () => 'key',
    streamsOf: () => ['job-one'],
    evolve: (_, { position }) => {
      throw new UnreadableLedger({ tag: 'unreadable-event', position, reasons: ['it is from the future'] })
    },
    decode: () => null,
  }
  const told: Array<string> = []
  for await (const one of rebuildAll(ledgerOf(store), [readModel(stops), ...readModels], () => {})) {
    told.push('position' in one ? `${one.name} at ${one.position}` : one.unreadable.message)
  }
  t.deepEqual(told, [
    'the event at position 1 cannot be read: it is from the future',
    `job-summaries at ${acceptedJob.length}`,
  ])
  t.is((await listJobs(ledgerOf(store))).length, 1)
})

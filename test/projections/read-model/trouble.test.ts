import { randomUUID } from 'node:crypto'
import test from 'ava'
import { writeEvent } from '../../../events/read-event.js'
import type { OpenedStore } from '../../../events/store/open-store.js'
import { verifyChain } from '../../../events/store/verify-chain.js'
import { listJobs } from '../../../projections/list-jobs.js'
import { readModels } from '../../../projections/read-models.js'
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

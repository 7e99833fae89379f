import { randomUUID } from 'node:crypto'
import test from 'ava'
import { writeEvent } from '../../../events/read-event.js'
import { openStore } from '../../../events/store/open-store.js'
import { listJobs } from '../../../projections/list-jobs.js'
import { readModels } from '../../../projections/read-models.js'
import { verifyLedger } from '../../../projections/verify-ledger.js'
import { docketOn } from '../../support/docket.js'
import { acceptedJob } from '../../support/story.js'

const jobs = 300

test('a rebuild that is killed leaves the old rows in use, and the next one leaves nothing of it', async (t) => {
  t.timeout(60_000)
  const docket = await docketOn(t)
  const store = await openStore({ env: docket.env })
  t.teardown(() => store.close())
  const ledger = { store, db: store.db }
  const events = acceptedJob.map(writeEvent)
  for (let n = 0; n < jobs; n++) {
    const correlationId = `job${n}`
    await store.append({
      stream: `job-${correlationId}`,
      expected: 'none',
      events,
      actor: 'test',
      commandId: randomUUID(),
      correlationId,
    })
  }
  const before = await listJobs(ledger)
  const generations = async (): Promise<number> => {
    const rows = await store.db.selectFrom('projection_rows').select('generation').distinct().execute()
    return rows.length
  }
  t.is(await generations(), 1)

  // The lock of the pointer is held, so that the kill comes after the new rows and before the swap.
  await store.db.transaction().execute(async (transaction) => {
    await transaction
      .selectFrom('projections')
      .selectAll()
      .where('name', '=', 'job-summaries')
      .forUpdate()
      .execute()
    const rebuild = docket.start(['rebuild'])
    for (;;) {
      const { n } = await transaction
        .selectFrom('projection_rows')
        .select(({ fn }) => fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
      if (Number(n) > jobs) break
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    rebuild.kill('SIGKILL')
    t.is((await rebuild.ended).signal, 'SIGKILL')
  })
  t.is(await generations(), 2)
  t.deepEqual(await listJobs(ledger), before)

  for (const model of readModels) await model.rebuild(ledger, () => {})
  t.is(await generations(), 1)
  t.deepEqual(await listJobs(ledger), before)
  const { differences } = await verifyLedger(ledger, () => {})
  t.deepEqual(
    differences.filter(({ what }) => !what.startsWith('artifact ')),
    [],
  )
})

import test from 'ava'
import type { Head } from '../../../events/store/event-store.js'
import { eventsInRecord } from '../../../events/transfer/record.js'
import { verifyExport } from '../../../projections/verify-export.js'
import { altered, interleavedJobs, jobLines, streamOf } from '../../support/exports.js'
import { freshLedger } from '../../support/ledger.js'

const differencesIn = async (lines: ReadonlyArray<string>): Promise<ReadonlyArray<string>> =>
  (await verifyExport(streamOf(lines))).differences.map(({ what }) => what)

test('a job is exported with its own events alone, and links to the head as it was', async (t) => {
  const { store } = await freshLedger(t)
  await interleavedJobs(store, 'before')
  await interleavedJobs(store, 'one', 'two')
  await interleavedJobs(store, 'after')
  const head = await store.head()
  const lines = await jobLines(store, 'one')
  await interleavedJobs(store, 'later')
  const { header, events, artifacts, linkThere, differences } = await verifyExport(streamOf(lines), {
    linkAt: head.position,
  })
  t.deepEqual(differences, [])
  t.deepEqual([header.job, header.position, header.hash], ['one', head.position, head.hash])
  t.is(linkThere, head.hash)
  t.is(artifacts, 1)
  const own = await store.readStream('job-one')
  t.is(events, own.length)
  t.deepEqual(
    eventsInRecord(Buffer.from(lines.join('\n'))).map(({ position, hash, at }) => ({ position, hash, at })),
    own.map(({ position, hash, at }) => ({ position, hash, at })),
  )
  t.false(lines.some((line) => line.includes('job-two') || line.includes('"two"')))
})

test('a job without a proof holds its hashes, and can be held against no head', async (t) => {
  const { store } = await freshLedger(t)
  await interleavedJobs(store, 'one', 'two')
  const head: Head = await store.head()
  const lines = await jobLines(store, 'one', false)
  t.false(lines.some((line) => line.includes('"line":"links"')))
  const { header, linkThere, differences } = await verifyExport(streamOf(lines), { linkAt: head.position })
  t.deepEqual(differences, [])
  t.is(header.proof, false)
  t.is(linkThere, null)
})

test('a job that does not exist has no export', async (t) => {
  const { store } = await freshLedger(t)
  t.deepEqual(await jobLines(store, 'none'), [])
})

const tamperings: ReadonlyArray<readonly [string, (line: string) => string]> = [
  ['a changed payload', (line) => line.replace('"round":2', '"round":3')],
  ['a changed time', (line) => line.replace('"at":1', '"at":2')],
  ['a changed link before the first event', (line) => line.replace(/"previous":"../, '"previous":"zz')],
  ['changed bytes of an artifact', (line) => line.replace(/"bytes":"../, '"bytes":"AA')],
  ['an event of another job', (line) => line.replace('"stream":"job-one"', '"stream":"job-two"')],
]

for (const [what, alter] of tamperings) {
  for (const proof of [true, false]) {
    test(`${what} is found in the export of a job ${proof ? 'with' : 'without'} a proof`, async (t) => {
      const { store } = await freshLedger(t)
      await interleavedJobs(store, 'zero')
      await interleavedJobs(store, 'one', 'two')
      const changed = altered(await jobLines(store, 'one', proof), alter)
      t.true((await differencesIn(changed)).length > 0)
    })
  }
}

test('links that were changed or left out do not lead to the head', async (t) => {
  const { store } = await freshLedger(t)
  await interleavedJobs(store, 'one', 'two')
  const lines = await jobLines(store, 'one')
  const links = lines.findIndex((line) => line.includes('"line":"links"'))
  const changed = altered(lines, (line, n) =>
    n === links ? line.replace(/"leaves":"../, '"leaves":"AA') : line,
  )
  t.true((await differencesIn(changed)).some((what) => what.includes('link')))
  const without = altered(
    lines.filter((_, n) => n !== links),
    (line) => line,
  )
  t.true((await differencesIn(without)).some((what) => what.includes('missing')))
})

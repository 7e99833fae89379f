import { createHash } from 'node:crypto'
import test from 'ava'
import { freshLedger } from '../../support/ledger.js'

test('bytes come back as they were, whatever they are and however many', async (t) => {
  const { store, another } = await freshLedger(t)
  const other = await another()
  const samples = [
    Buffer.alloc(0),
    Buffer.from([0, 255, 10, 13, 0]),
    Buffer.alloc(1024 * 1024, 1),
    Buffer.alloc(5 * 1024 * 1024 + 3, 'chunks'),
  ]
  for (const bytes of samples) {
    const kept = await store.putArtifact(bytes)
    t.deepEqual(kept, { sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length })
    t.true(Buffer.from((await other.getArtifact(kept.sha256)) ?? 'nothing').equals(bytes))
  }
})

test('keeping the same bytes twice, also at once, keeps them once', async (t) => {
  const { store, another } = await freshLedger(t)
  const other = await another()
  const bytes = Buffer.from('the same')
  const kept = await Promise.all([store, other, store, other].map((one) => one.putArtifact(bytes)))
  t.is(new Set(kept.map(({ sha256 }) => sha256)).size, 1)
  const rows = await store.db.selectFrom('artifact_chunks').selectAll().execute()
  t.is(rows.length, 1)
})

test('bytes that nobody kept are not there', async (t) => {
  const { store } = await freshLedger(t)
  t.is(await store.getArtifact('00'.repeat(32)), null)
})

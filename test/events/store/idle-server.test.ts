import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { stopServer } from '../../../events/server/stop.js'
import { type OpenedStore, openStore } from '../../../events/store/open-store.js'
import { verifyChain } from '../../../events/store/verify-chain.js'

const openedAt = async (t: ExecutionContext): Promise<{ store: OpenedStore; stop: () => Promise<void> }> => {
  const home = mkdtempSync(join(tmpdir(), 'docket-idle-'))
  const store = await openStore({ env: { DOCKET_HOME: home } })
  t.teardown(async () => {
    await store.close()
    await stopServer(home)
    rmSync(home, { recursive: true, force: true })
  })
  return {
    store,
    stop: async () => {
      await stopServer(home)
      // The store learns of its idle connections' end when it next looks around.
      await new Promise((resolve) => setTimeout(resolve, 100))
    },
  }
}

const append = (store: OpenedStore) =>
  store.append({
    stream: 's',
    expected: 'any',
    events: [{ type: 'A', schemaVersion: 1, data: {} }],
    actor: 'test',
    commandId: randomUUID(),
    correlationId: 'a',
  })

test('a store that was quiet while its server ended starts it again, whatever it is asked first', async (t) => {
  const { store, stop } = await openedAt(t)
  await append(store)
  const asked: Readonly<Record<string, () => Promise<unknown>>> = {
    head: () => store.head(),
    readStream: () => store.readStream('s'),
    readAll: () => store.readAll(0, 10),
    streams: () => store.streams(''),
    putArtifact: () => store.putArtifact(Buffer.from('kept')),
    getArtifact: () => store.getArtifact('00'.repeat(32)),
    append: () => append(store),
    verifyChain: () => verifyChain(store.db),
    transaction: () => store.db.transaction().execute((db) => db.selectFrom('head').selectAll().execute()),
  }
  for (const [what, ask] of Object.entries(asked)) {
    await stop()
    await t.notThrowsAsync(ask(), what)
  }
  t.is((await store.head()).position, 2)
})

test('many that ask at once after the server ended are all answered', async (t) => {
  const { store, stop } = await openedAt(t)
  await append(store)
  await stop()
  const heads = await Promise.all(Array.from({ length: 20 }, () => store.head()))
  t.true(heads.every(({ position }) => position === 1))
})

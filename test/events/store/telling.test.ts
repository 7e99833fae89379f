import { randomUUID } from 'node:crypto'
import test from 'ava'
import { asOwner, freshLedger } from '../../support/ledger.js'

test('a burst of appends is told in a few words, the last of which names the head', async (t) => {
  const { store, url } = await freshLedger(t)
  await asOwner(url, async (client) => {
    const words: Array<string> = []
    client.on('notification', ({ payload = '' }) => words.push(payload))
    await client.query('listen docket_docket')
    await Promise.all(
      Array.from({ length: 200 }, () =>
        store.append({
          stream: 's',
          expected: 'any',
          events: [{ type: 'A', schemaVersion: 1, data: {} }],
          actor: 'test',
          commandId: randomUUID(),
          correlationId: 'a',
        }),
      ),
    )
    for (let tries = 0; words.at(-1) !== '200' && tries < 200; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    t.is(words.at(-1), '200')
    t.true(words.length < 20, `${words.length} words`)
  })
})

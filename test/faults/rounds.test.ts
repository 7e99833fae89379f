import test from 'ava'
import { bundleWriter } from './bundle-writer.js'
import { startFaultServer } from './fault-server.js'
import { runRound } from './round.js'

test('writers that are killed, cut off and crashed under lose nothing acknowledged and double nothing', async (t) => {
  t.timeout(180_000)
  const server = await startFaultServer()
  const { program, remove } = await bundleWriter()
  t.teardown(async () => {
    remove()
    await server.stop()
  })
  for (const [seed, crashes] of [
    [11, false],
    [12, true],
    [13, false],
    [14, true],
    [15, false],
  ] as const) {
    const round = await runRound({ server, program, seed, writers: 20, forMs: 1000, crashes })
    t.deepEqual(round.faults, [], `seed ${seed}`)
    t.true(round.acknowledged > 0, `seed ${seed}: nothing was acknowledged`)
    t.true(round.misfortunes.killed > 0, `seed ${seed}: nothing was killed`)
    t.is(round.misfortunes.crashed, crashes ? 1 : 0)
  }
})

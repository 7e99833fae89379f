import { readFileSync } from 'node:fs'
import test from 'ava'
import { engines } from '../../domain/engine.js'
import { startOracle } from './support/oracle-process.js'

const oracle = startOracle()

/** The processes of one engine's start, by the folder that their environment names. */
const processesOf = (engine: string): ReadonlyArray<number> =>
  oracle.processes().filter((pid) => readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`/${engine}-`))

test.before(() => oracle.ask({ id: 'up', op: 'ping' }))

test.after.always('the oracle ends well', async (t) => {
  t.is(await oracle.end(), 0)
  t.deepEqual(oracle.processes(), [])
})

for (const engine of engines) {
  test.serial(`${engine} that was killed is started again for the next page`, async (t) => {
    const before = processesOf(engine)
    t.not(before.length, 0)
    for (const pid of before) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It ended with another that was killed before it.
      }
    }
    const answer = await oracle.ask({ id: engine, html: '<!doctype html><p>', engines: [...engines] })
    t.deepEqual(answer.errors, undefined)
    t.is(answer.dumps?.[engine]?.nodes.length, 4)
    t.false(processesOf(engine).some((pid) => before.includes(pid)))
  })
}

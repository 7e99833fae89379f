import test from 'ava'
import { engines } from '../../domain/engine.js'
import { startOracle } from './support/oracle-process.js'

// Long enough for the first page of a browser that was started again on a machine with much else to do.
const oracle = startOracle({ DOCKET_ORACLE_DEADLINE_MS: '10000' })

test.after.always('the oracle ends well', async (t) => {
  t.is(await oracle.end(), 0)
})

test('a script that never ends is the error of each engine, and the next page is measured', async (t) => {
  t.timeout(120_000)
  await oracle.ask({ id: 'up', op: 'ping' })
  const endless = await oracle.ask({ id: 'endless', html: '<!doctype html><script>for(;;);</script>' })
  t.deepEqual(endless.dumps, {})
  for (const engine of engines) t.is(endless.errors?.[engine], 'the page did not end within 10 s')
  const next = await oracle.ask({ id: 'next', html: '<!doctype html><div style="width:10px"></div>' })
  for (const engine of engines) t.is(next.dumps?.[engine]?.nodes[3]?.bounding.w, 10, next.errors?.[engine])
})

import { spawn } from 'node:child_process'
import test from 'ava'
import { eventually, type OracleProcess, startOracle } from './support/oracle-process.js'

/** An oracle with a page in each engine, and all its processes up. */
const busyOracle = async (): Promise<OracleProcess> => {
  const oracle = startOracle()
  await oracle.ask({ id: 'a', html: '<!doctype html><p>' })
  return oracle
}

const isGone = (oracle: OracleProcess): Promise<boolean> =>
  eventually(() => oracle.processes().length === 0 && oracle.files().length === 0)

test.serial('an oracle whose input ends answers what is in flight and leaves nothing', async (t) => {
  const oracle = await busyOracle()
  const last = oracle.ask({ id: 'last', html: '<!doctype html><p>' })
  t.is(await oracle.end(), 0)
  t.deepEqual(Object.keys((await last).dumps ?? {}), ['chromium', 'firefox', 'webkit'])
  t.true(await isGone(oracle))
})

test.serial('shutdown is answered last, and leaves nothing', async (t) => {
  const oracle = startOracle()
  const page = oracle.ask({ id: 'page', html: '<!doctype html><p>' })
  t.deepEqual(await oracle.ask({ id: 'end', op: 'shutdown' }), { id: 'end', ok: true })
  t.truthy((await page).dumps)
  t.is(await oracle.exited, 0)
  t.true(await isGone(oracle))
})

test.serial('SIGTERM ends an oracle with 143, and leaves nothing', async (t) => {
  const oracle = await busyOracle()
  oracle.child.kill('SIGTERM')
  t.is(await oracle.exited, 143)
  t.true(await isGone(oracle))
})

test.serial('an oracle that is killed leaves no browser, driver, display or profile', async (t) => {
  const oracle = await busyOracle()
  const endless = oracle.ask({ id: 'b', html: '<script>for(;;);</script>' })
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  t.not(oracle.processes().length, 0)
  oracle.child.kill('SIGKILL')
  t.true(await isGone(oracle))
  await Promise.race([endless, oracle.exited])
})

test.serial('an oracle that no browser starts for says so, and exits with 6', async (t) => {
  const oracle = spawn(process.execPath, ['oracle/oracle.mjs'], {
    cwd: new URL('../../../', import.meta.url),
    env: { ...process.env, PATH: '/nonexistent', PLAYWRIGHT_BROWSERS_PATH: '/nonexistent' },
  })
  let said = ''
  oracle.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const code = await new Promise((resolve) => oracle.once('exit', resolve))
  t.is(code, 6)
  t.regex(said, /no webkit: .*Type: npx playwright install/)
  t.regex(said, /no browser could be started/)
})

import { resolve } from 'node:path'
import test from 'ava'
import { runTool, stubRunner } from './run-tool.js'

const lines = (text: string): ReadonlyArray<unknown> =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line))

test("in a job each probe goes to the runner, and its response comes back under the request's id", async (t) => {
  const runner = await stubRunner(t, () => ({
    ok: true,
    response: { id: 'whatever', dumps: { chromium: {} } },
  }))
  const request = { id: 'a', html: '<p>', engines: ['chromium'] }
  const { code, stdout } = await runTool('oracle', { env: runner.env, input: `${JSON.stringify(request)}\n` })
  t.is(code, 0)
  t.deepEqual(runner.asked, [{ token: 'secret', op: 'probe', request }])
  t.deepEqual(lines(stdout), [{ id: 'a', dumps: { chromium: {} } }])
})

test('in a job what the runner refuses is the error of every engine', async (t) => {
  const runner = await stubRunner(t, () => ({ ok: false, tag: 'not-yours', message: 'no' }))
  const { stdout } = await runTool('oracle', { env: runner.env, input: '{"id":"a","html":""}' })
  const error = 'not-yours: no'
  t.deepEqual(lines(stdout), [
    { id: 'a', dumps: {}, errors: { chromium: error, firefox: error, webkit: error } },
  ])
})

test('in a job ping and shutdown are answered here, and a line that is no request has an error', async (t) => {
  const runner = await stubRunner(t, () => null)
  const input = 'nonsense\n{"id":"p","op":"ping"}\n{"id":"s","op":"shutdown"}\n{"id":"late","html":""}\n'
  const { code, stdout } = await runTool('oracle', { env: runner.env, input })
  t.is(code, 0)
  const [first, second, ...more] = lines(stdout)
  t.like(first, { id: null, dumps: {} })
  t.deepEqual(second, { id: 'p', ok: true, engines: ['chromium', 'firefox', 'webkit'] })
  t.deepEqual(more, [])
  t.deepEqual(runner.asked, [])
})

test('without a job JOBS_ORACLE has stdin and stdout', async (t) => {
  const stub = resolve('fixtures', 'reference-check', 'stub-oracle.mjs')
  const { code, stdout } = await runTool('oracle', {
    env: { JOBS_ORACLE: `exec node '${stub}'` },
    input: '{"id":"all-agree","html":""}\n{"id":"s","op":"shutdown"}\n',
  })
  t.is(code, 0)
  t.like(lines(stdout)[0], { id: 'all-agree' })
})

test('bad usage exits 2, help is on stdout', async (t) => {
  t.is((await runTool('oracle', { args: ['x'] })).code, 2)
  t.regex((await runTool('oracle', { args: ['--help'] })).stdout, /^usage: oracle/)
})

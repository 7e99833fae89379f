import test from 'ava'
import { startOracle } from './support/oracle-process.js'

const oracle = startOracle()
const page = '<!doctype html><p>a'

test.after.always('an oracle whose input ended exits with 0', async (t) => {
  t.is(await oracle.end(), 0)
})

test('ping names every engine that came up', async (t) => {
  t.deepEqual(await oracle.ask({ id: 'ping', op: 'ping' }), {
    id: 'ping',
    ok: true,
    engines: ['chromium', 'firefox', 'webkit'],
  })
})

test('describe names the version of each engine and how it is driven', async (t) => {
  const { ok, protocol, engines } = await oracle.ask({ id: 'about', op: 'describe' })
  t.true(ok)
  t.is(protocol, 1)
  for (const engine of ['chromium', 'firefox', 'webkit']) {
    const about = (engines as Record<string, { version: string; driver: string }>)[engine]
    t.regex(about?.version ?? '', /^\d+\.\d/)
    t.regex(about?.driver ?? '', /Playwright|WebKitWebDriver/)
  }
})

test('a request without engines is answered by all three, and has no errors', async (t) => {
  const answer = await oracle.ask({ id: 'all', html: page })
  t.deepEqual(Object.keys(answer), ['id', 'dumps'])
  t.deepEqual(Object.keys(answer.dumps ?? {}), ['chromium', 'firefox', 'webkit'])
})

test('a request with engines is answered by these alone', async (t) => {
  const answer = await oracle.ask({ id: 'one', html: page, engines: ['webkit'] })
  t.deepEqual(Object.keys(answer.dumps ?? {}), ['webkit'])
})

test('an unknown engine is an error beside the answers of the others', async (t) => {
  const answer = await oracle.ask({ id: 'unknown', html: page, engines: ['servo', 'webkit'] })
  t.deepEqual(Object.keys(answer.dumps ?? {}), ['webkit'])
  t.deepEqual(answer.errors, { servo: 'there is no such engine (chromium, firefox, webkit)' })
})

test.serial('a line that asks for nothing is a protocol error, and the next one is answered', async (t) => {
  for (const line of ['not JSON', '[1]', '{"html":"a"}', '{"id":7,"html":"a"}', '{"id":"cut']) {
    oracle.send(line)
    const answer = await oracle.answerTo(null)
    t.deepEqual(answer.dumps, {})
    t.truthy(answer.errors?.protocol, line)
  }
  const answer = await oracle.ask({ id: 'next', html: page, engines: ['webkit'] })
  t.truthy(answer.dumps?.webkit)
})

test('a request that is wrong keeps its id', async (t) => {
  for (const [id, request] of Object.entries({
    a: {},
    b: { html: 1 },
    c: { html: '', engines: 'webkit' },
    d: { op: 'x' },
  })) {
    const answer = await oracle.ask({ id, ...request })
    t.deepEqual(answer.dumps, {})
    t.truthy(answer.errors?.protocol)
  }
})

test('many requests in flight are each answered once, whole', async (t) => {
  const ids = Array.from({ length: 30 }, (_, n) => `many-${n}`)
  const widths = await Promise.all(
    ids.map(async (id, n) => {
      const html = `<!doctype html><body style="margin:0"><div style="width:${n}px"></div>`
      const answer = await oracle.ask({ id, html, engines: ['webkit', 'firefox'] })
      return [answer.dumps?.webkit?.nodes[3]?.bounding.w, answer.dumps?.firefox?.nodes[3]?.bounding.w]
    }),
  )
  t.deepEqual(
    widths,
    ids.map((_, n) => [n, n]),
  )
})

test('an answer of several megabytes reaches a slow reader whole', async (t) => {
  const asked = oracle.ask({
    id: 'large',
    html: `<!doctype html>${'<i></i>'.repeat(4_000)}`,
    engines: ['webkit'],
  })
  oracle.child.stdout?.pause()
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  oracle.child.stdout?.resume()
  const answer = await asked
  t.is(answer.dumps?.webkit?.nodes.length, 4_003)
})

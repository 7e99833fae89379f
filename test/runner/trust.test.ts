import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { limits, manifestOf, passing, review, script, writer } from '../support/manifests.js'
import { scratchJob } from '../support/scratch-job.js'

/** Says lines to the stage's socket and keeps what comes back in the state folder. */
const saying = (...lines: ReadonlyArray<string>): string => `
  const { createConnection } = require('node:net')
  const { writeFileSync } = require('node:fs')
  const { DOCKET_SOCKET, DOCKET_TOKEN: token, DOCKET_STATE } = process.env
  const lines = [${lines.join(', ')}]
  const socket = createConnection(DOCKET_SOCKET, () => socket.write(lines.join('\\n') + '\\n'))
  let heard = ''
  socket.on('data', (chunk) => {
    heard += chunk
    if (heard.split('\\n').length > lines.length) socket.end()
  })
  socket.on('close', () => writeFileSync(DOCKET_STATE + '/heard', heard))
  socket.on('error', () => {})`

const say = (fields: string): string => `JSON.stringify({ token, ${fields} })`

test('a stage sees a short environment, in which nothing leads to the ledger', async (t) => {
  const job = await scratchJob(t)
  const printing = 'process.stdout.write(JSON.stringify(process.env))'
  const { events, view } = await job.run(
    {
      ...manifestOf({ ...writer('{agent}'), agent: 'w' }),
      agents: { w: { command: [job.program('writer', printing)], env: ['LET_THROUGH'] } },
    },
    { env: { ...job.runner.env, LET_THROUGH: 'one', JOBS_ORACLE: 'an oracle' } },
  )
  const ended = events.find((event) => event.type === 'StageEnded')
  if (ended?.type !== 'StageEnded') return t.fail()
  const bytes = await job.store.getArtifact(ended.data.stdout.sha256)
  const seen = JSON.parse(Buffer.from(bytes ?? []).toString('utf8')) as Record<string, string>
  const hidden = Object.keys(seen).filter((name) =>
    /^(DATABASE_URL|PG|SECRET|JOBS_|NODE_OPTIONS|LD_|GIT_)/.test(name),
  )
  t.deepEqual(hidden, [])
  t.is(seen.LET_THROUGH, 'one')
  t.is(seen.DOCKET_STATE, view.submitted.state)
  t.false(JSON.stringify(seen).includes(new URL(job.url.replace('@/', '@h/')).password))
})

test('a stage that speaks out of turn is refused, and the ledger shows what it tried', async (t) => {
  const job = await scratchJob(t)
  const accept = say("op: 'verdict', verdict: 'pass'")
  const forge = say("op: 'record-answers', answers: []")
  const { view } = await job.run(
    manifestOf(writer(job.program('writer', saying(accept, forge))), script('test', 'true'), passing),
  )
  const heard = readFileSync(join(view.submitted.state, 'heard'), 'utf8').trim().split('\n')
  t.deepEqual(
    heard.map((line) => (JSON.parse(line) as { tag: string }).tag),
    ['out-of-turn', 'out-of-turn'],
  )
  const refused = await job.refusals()
  t.deepEqual(
    refused.map((event) => event.type === 'CommandRefused' && [event.actor, event.data.refusal]),
    [
      ['stage:write', 'out-of-turn'],
      ['stage:write', 'out-of-turn'],
    ],
  )
  t.is(view.status, 'accepted')
})

test('a wrong token and what is no message are turned away, and the connection goes on', async (t) => {
  const job = await scratchJob(t)
  const lines = [
    "'garbage'",
    'JSON.stringify([1])',
    "JSON.stringify({ token: 'x', op: 'verdict' })",
    "'\\u0000'",
  ]
  const { view } = await job.run(manifestOf(writer(job.program('writer', saying(...lines))), passing))
  const heard = readFileSync(join(view.submitted.state, 'heard'), 'utf8').trim().split('\n')
  t.deepEqual(
    heard.map((line) => (JSON.parse(line) as { tag: string }).tag),
    ['not-a-message', 'not-a-message', 'bad-token', 'not-a-message'],
  )
})

test('the token of a stage that has ended is good for nothing', async (t) => {
  const job = await scratchJob(t)
  const keeping = `require('node:fs').writeFileSync(process.env.DOCKET_STATE + '/old',
    JSON.stringify([process.env.DOCKET_SOCKET, process.env.DOCKET_TOKEN]))`
  const replaying = `
    const old = JSON.parse(require('node:fs').readFileSync(process.env.DOCKET_STATE + '/old', 'utf8'))
    process.env.DOCKET_TOKEN = old[1]
    ${saying(say("op: 'verdict', verdict: 'pass'"))}`
  const { view } = await job.run({
    ...manifestOf(writer(job.program('writer', keeping)), review(job.program('reviewer', replaying))),
    limits: { ...limits, fault_reruns: 0 },
  })
  t.is(view.waiting?.why, 'faults-spent')
  t.regex(readFileSync(join(view.submitted.state, 'heard'), 'utf8'), /bad-token/)
})

test('a review gives one verdict', async (t) => {
  const job = await scratchJob(t)
  const twice = saying(
    say("op: 'verdict', verdict: 'findings', findings: ['it is wrong']"),
    say("op: 'verdict', verdict: 'pass'"),
  )
  const { view } = await job.run({
    ...manifestOf(writer('true'), review(job.program('reviewer', twice))),
    limits: { ...limits, failed_rounds: 0 },
  })
  t.is(view.waiting?.why, 'allowance-spent')
  t.deepEqual(
    view.rounds[0]?.found.map(({ text }) => text),
    ['it is wrong'],
  )
})

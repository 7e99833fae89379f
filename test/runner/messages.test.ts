import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import type { Recorded } from '../../events/recorded.js'
import { limits, manifestOf, passing, reference, review, script, writer } from '../support/manifests.js'
import { type ScratchJob, scratchJob } from '../support/scratch-job.js'

/** Says to the stage's socket what the source's `lines` yields, each after the answer to the one before. */
const saying = (lines: string): string => `
  const { createConnection } = require('node:net')
  const { writeFileSync } = require('node:fs')
  const { createInterface } = require('node:readline')
  const { DOCKET_SOCKET, DOCKET_TOKEN: token, DOCKET_STATE, DOCKET_STAGE } = process.env
  const say = (fields) => JSON.stringify({ token, ...fields })
  const main = async () => {
    const socket = createConnection(DOCKET_SOCKET)
    const answers = createInterface({ input: socket })[Symbol.asyncIterator]()
    const heard = []
    for (const line of ${lines}) {
      socket.write(line + '\\n')
      const { value, done } = await answers.next()
      if (done) break
      heard.push(JSON.parse(value))
    }
    socket.destroy()
    writeFileSync(DOCKET_STATE + '/heard-' + DOCKET_STAGE, JSON.stringify(heard))
  }
  main()`

type Heard = { readonly ok: boolean; readonly tag?: string; readonly message?: string }

const heardBy = (state: string, stage: string): ReadonlyArray<Heard> =>
  JSON.parse(readFileSync(join(state, `heard-${stage}`), 'utf8')) as ReadonlyArray<Heard>

const recorded = async (job: ScratchJob) =>
  (await job.refusals()).filter(
    (event): event is Extract<Recorded, { type: 'CommandRefused' }> => event.type === 'CommandRefused',
  )

test('a wrong token, what is no message, and a malformed one are recorded as what they are', async (t) => {
  const job = await scratchJob(t)
  const wrong = saying(`[
    JSON.stringify({ token: 'x', op: 'probe' }), 'garbage', '[1]', JSON.stringify({ token, op: 7 }),
    say({ op: 'probe' }), say({ op: 'probe', request: { id: 1, html: '' } })]`)
  const { view } = await job.run(manifestOf(writer(job.program('writer', wrong)), passing))
  t.is(view.status, 'accepted')
  const tags = ['bad-token', 'not-a-message', 'not-a-message', 'not-a-message', 'malformed', 'malformed']
  const answers = heardBy(view.submitted.state, 'write')
  t.deepEqual(
    answers.map(({ ok, tag }) => [ok, tag]),
    tags.map((tag) => [false, tag]),
  )
  const refused = await recorded(job)
  t.deepEqual(
    refused.map(({ actor, correlationId, data }) => [actor, correlationId, data.stream, data.command]),
    tags.map(() => ['stage:write', view.job, `job-${view.job}`, 'stage-message']),
  )
  t.deepEqual(
    refused.map(({ data }) => [data.refusal, data.message]),
    answers.map(({ tag, message }) => [tag, message]),
  )
})

test('a verdict that is none is recorded as malformed, and a right one with any text counts after it', async (t) => {
  const job = await scratchJob(t)
  const wrong = saying(`[
    say({ op: 'verdict', verdict: 'maybe' }), say({ op: 'verdict', verdict: 'findings', findings: [' '] }),
    say({ op: 'verdict', verdict: 'pass', notes: 'a \\u0000 and half a pair \\ud83d' })]`)
  const { view } = await job.run(manifestOf(writer('true'), review(job.program('reviewer', wrong))))
  t.is(view.status, 'accepted')
  t.deepEqual(
    heardBy(view.submitted.state, 'review').map(({ ok, tag }) => tag ?? ok),
    ['malformed', 'malformed', true],
  )
  t.deepEqual(
    (await recorded(job)).map(({ actor, data }) => [actor, data.refusal]),
    [
      ['stage:review', 'malformed'],
      ['stage:review', 'malformed'],
    ],
  )
})

test('a finding that is cut in the middle of a pair of characters is kept up to there', async (t) => {
  const job = await scratchJob(t)
  const long = saying(
    "[say({ op: 'verdict', verdict: 'findings', findings: ['x' + '\u{1f600}'.repeat(10000)] })]",
  )
  const { view } = await job.run({
    ...manifestOf(writer('true'), review(job.program('reviewer', long))),
    limits: { ...limits, failed_rounds: 0 },
  })
  t.is(view.waiting?.why, 'allowance-spent')
  t.is(view.rounds[0]?.found[0]?.text, `x${'\u{1f600}'.repeat(9999)}\ufffd`)
})

test('a script that has no reference check may not ask for one, and one that has may ask once', async (t) => {
  const job = await scratchJob(t)
  const asking = job.program(
    'asking',
    saying("[say({ op: 'check-references' }), say({ op: 'check-references' })]"),
  )
  const { view } = await job.run(
    manifestOf(
      writer('true'),
      script('test', asking),
      reference('sh', '-c', `"${asking}" && "$DOCKET_TOOLS/reference-check.sh"; exit 0`),
    ),
  )
  t.is(view.status, 'waiting')
  t.deepEqual(
    heardBy(view.submitted.state, 'test').map(({ tag }) => tag),
    ['out-of-turn', 'out-of-turn'],
  )
  t.deepEqual(
    heardBy(view.submitted.state, 'reference').map(({ ok, tag }) => tag ?? ok),
    [true, 'out-of-turn'],
  )
})

test('a message that is too long is refused and recorded, and ends its connection', async (t) => {
  const job = await scratchJob(t)
  const long = saying("['x'.repeat(32 * 1024 * 1024 + 1), say({ op: 'verdict' })]")
  const { view } = await job.run(manifestOf(writer(job.program('writer', long)), passing))
  t.is(view.status, 'accepted')
  t.deepEqual(heardBy(view.submitted.state, 'write'), [
    { ok: false, tag: 'too-long', message: 'the message is too long' },
  ])
  t.deepEqual(
    (await recorded(job)).map(({ data }) => data.refusal),
    ['too-long'],
  )
})

test('a hundred refusals of a run are recorded, the last of which says so; all of them are answered', async (t) => {
  const job = await scratchJob(t)
  const many = job.program('many', saying("Array.from({ length: 120 }, () => '{}')"))
  const { view } = await job.run(manifestOf(writer(many), passing))
  t.is(view.status, 'accepted')
  const heard = heardBy(view.submitted.state, 'write')
  t.is(heard.length, 120)
  t.true(heard.every(({ tag }) => tag === 'not-a-message'))
  const messages = (await recorded(job)).map(({ data }) => data.message)
  t.is(messages.length, 100)
  t.is(messages.filter((message) => message.endsWith('further ones of this run are not recorded')).length, 1)
  t.true(messages.at(-1)?.endsWith('; further ones of this run are not recorded'))
})

test('each run of a stage has a hundred of its own', async (t) => {
  const job = await scratchJob(t)
  const many = job.program('many', saying("Array.from({ length: 101 }, () => '{}')"))
  const { view } = await job.run({
    ...manifestOf(writer('sh', '-c', `"${many}"; kill -9 $$`)),
    limits: { ...limits, writer_relaunches: 1 },
  })
  t.is(view.waiting?.why, 'relaunches-spent')
  t.is((await recorded(job)).length, 200)
})

test('a right message is still taken after a hundred were refused', async (t) => {
  const job = await scratchJob(t)
  const many = saying("[...Array.from({ length: 101 }, () => '{}'), say({ op: 'verdict', verdict: 'pass' })]")
  const { view } = await job.run(manifestOf(writer('true'), review(job.program('reviewer', many))))
  t.is(view.status, 'accepted')
})

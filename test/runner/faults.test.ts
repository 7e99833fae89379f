import { existsSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { limits, manifestOf, passing, reference, review, script, writer } from '../support/manifests.js'
import { root, scratchJob } from '../support/scratch-job.js'

const oneDecision = `
  const probe = { html: '<p>', expect: [{ node: 0, field: 'bounding.w', value: 1 }] }
  require('node:fs').writeFileSync(process.env.DOCKET_STATE + '/decisions.json',
    JSON.stringify([{ id: 'a', question: 'q', spec: 's', choice: 'c', probe, sources: [] }]))`

test('a writer that dies is started again once, then the job waits, and no round is spent', async (t) => {
  const job = await scratchJob(t)
  const { view, types } = await job.run(manifestOf(writer('sh', '-c', 'kill -9 $$')))
  t.is(view.waiting?.why, 'relaunches-spent')
  t.is(view.spent.failedRounds, 0)
  t.is(types.filter((type) => type === 'StageStarted').length, 2)
})

test('a script that cannot start at all is a fault of its own, and no round is spent', async (t) => {
  const job = await scratchJob(t)
  const commands = [['README.md/program'], ['true', 'x'.repeat(2 ** 18)], ['./not-made-yet']]
  for (const command of commands) {
    const { view } = await job.run({
      ...manifestOf(writer('true'), script('test', ...command), passing),
      limits: { ...limits, fault_reruns: 0 },
    })
    t.is(view.waiting?.why, 'faults-spent')
    t.regex(view.waiting?.message ?? '', /could not start: spawn (ENOTDIR|E2BIG|.* ENOENT)/)
    t.is(view.spent.failedRounds, 0)
  }
})

test('a writer that cannot start has died: it is started again as often as is allowed', async (t) => {
  const job = await scratchJob(t)
  const { view, types } = await job.run(manifestOf(writer('README.md/program'), passing))
  t.is(view.waiting?.why, 'relaunches-spent')
  t.is(types.filter((type) => type === 'StageStarted').length, 2)
})

test('an oracle that exits at once is a fault: reruns are spent, rounds are not', async (t) => {
  const job = await scratchJob(t)
  const manifest = manifestOf(writer(job.program('writer', oneDecision)), reference(), passing)
  const { view } = await job.run(
    { ...manifest, limits: { ...limits, fault_reruns: 1 } },
    { oracle: 'echo no browsers here >&2; exit 3' },
  )
  t.is(view.waiting?.why, 'faults-spent')
  t.regex(view.waiting?.message ?? '', /no browsers here/)
  t.deepEqual(view.spent, { ...view.spent, failedRounds: 0, faults: 2 })
})

test('a browser that does not start is a fault too, and leaves no decision unchecked', async (t) => {
  const job = await scratchJob(t)
  const half = join(root, 'fixtures', 'reference-check', 'half-started-oracle.mjs')
  const manifest = manifestOf(writer(job.program('writer', oneDecision)), reference(), passing)
  const { view, types } = await job.run(
    { ...manifest, limits: { ...limits, fault_reruns: 0 } },
    { oracle: [process.execPath, half] },
  )
  t.is(view.waiting?.why, 'faults-spent')
  t.regex(view.waiting?.message ?? '', /firefox did not start: no such program/)
  t.false(types.includes('ProbeAnswered'))
})

test('a reference stage that never asked makes its check unable to run', async (t) => {
  const job = await scratchJob(t)
  const lying = `sh -c 'echo "{\\"format\\":1,\\"decisions\\":[]}" > "$DOCKET_STATE/reference-check.json"'`
  const manifest = manifestOf(writer('true'), reference('sh', '-c', lying), passing)
  const { view, events } = await job.run({ ...manifest, limits: { ...limits, fault_reruns: 0 } })
  t.is(view.status, 'waiting')
  const unable = events.find((event) => event.type === 'CheckCouldNotRun')
  t.regex(unable?.type === 'CheckCouldNotRun' ? unable.data.why : '', /never asked/)
})

test('a reference-check.json that was altered fails the check, which says so', async (t) => {
  const job = await scratchJob(t)
  const forging = '"$DOCKET_TOOLS/reference-check.sh" && echo >> "$DOCKET_STATE/reference-check.json"'
  const manifest = manifestOf(writer('true'), reference('sh', '-c', forging), passing)
  const { events } = await job.run({ ...manifest, limits: { ...limits, failed_rounds: 0 } })
  const failed = events.find((event) => event.type === 'RoundFailed')
  t.regex(failed?.type === 'RoundFailed' ? (failed.data.findings[0]?.text ?? '') : '', /altered/)
})

test('a decisions.json that changed after the writer had ended fails the check, which says so', async (t) => {
  const job = await scratchJob(t)
  const decision = '[{"id":"a","question":"q","spec":"s","choice":"c","probe":null,"sources":[]}]'
  const changing = `"$DOCKET_TOOLS/reference-check.sh" && printf '${decision}' > "$DOCKET_STATE/decisions.json"`
  const manifest = manifestOf(writer('true'), reference('sh', '-c', changing), passing)
  const { events } = await job.run({ ...manifest, limits: { ...limits, failed_rounds: 0 } })
  const failed = events.find((event) => event.type === 'RoundFailed')
  t.regex(
    failed?.type === 'RoundFailed' ? (failed.data.findings[0]?.text ?? '') : '',
    /decisions.json changed/,
  )
})

test('a decision file that is no list of decisions goes back to the writer with every reason', async (t) => {
  const job = await scratchJob(t)
  const broken = '[{"id":"a b"},{"id":"c","question":1,"spec":"s","choice":"c"}]'
  const files = [
    ['printf "{}" > "$DOCKET_STATE/decisions.json"', /expected a list/],
    [`printf '${broken}' > "$DOCKET_STATE/decisions.json"`, /\[0\]\.id[\s\S]*\[1\]\.question/],
    ['mkfifo "$DOCKET_STATE/decisions.json"', /not a regular file/],
    ['ln -s /etc/passwd "$DOCKET_STATE/decisions.json"', /link/],
  ] as const
  for (const [command, expected] of files) {
    const manifest = manifestOf(writer('sh', '-c', command), passing)
    const { events, view } = await job.run({ ...manifest, limits: { ...limits, failed_rounds: 0 } })
    t.is(view.status, 'waiting')
    const refused = events.find((event) => event.type === 'DecisionsRefused')
    t.regex(refused?.type === 'DecisionsRefused' ? refused.data.reasons.join('\n') : '', expected)
  }
})

test('a script that changes the files of the writer fails, naming them; ignored files are its own', async (t) => {
  const job = await scratchJob(t)
  const manifest = manifestOf(
    writer('true'),
    script('test', 'sh', '-c', 'echo x > new.txt; echo y > made.log'),
  )
  const { events } = await job.run({
    ...manifest,
    ignores: ['*.log'],
    limits: { ...limits, failed_rounds: 0 },
  })
  const failed = events.find((event) => event.type === 'RoundFailed')
  const text = failed?.type === 'RoundFailed' ? (failed.data.findings[0]?.text ?? '') : ''
  t.true(text.includes('new.txt'))
  t.false(text.includes('made.log'))
})

test('a review that says nothing is run again from the files it began with', async (t) => {
  const job = await scratchJob(t)
  const silent = review('sh', '-c', 'echo left > by-the-review; exit 0')
  const { view, types } = await job.run({
    ...manifestOf(writer('true'), silent),
    limits: { ...limits, fault_reruns: 1 },
  })
  t.is(view.waiting?.why, 'faults-spent')
  t.is(types.filter((type) => type === 'StageFaulted').length, 2)
  t.is(view.spent.failedRounds, 0)
  t.true(existsSync(join(job.workdir, 'by-the-review')), 'the last attempt leaves what it made')
})

test('a stage that takes too long is ended and sent back', async (t) => {
  const job = await scratchJob(t)
  const slow = { ...script('test', 'sleep', '60'), timeout_seconds: 1 }
  const { events } = await job.run({
    ...manifestOf(writer('true'), slow),
    limits: { ...limits, failed_rounds: 0 },
  })
  const ended = events.findLast((event) => event.type === 'StageEnded')
  t.is(ended?.type === 'StageEnded' && ended.data.ending.cause, 'timed-out')
})

test('a job that is out of time waits for a person', async (t) => {
  const job = await scratchJob(t)
  const manifest = { ...manifestOf(writer('sleep', '60')), limits: { ...limits, wall_clock_seconds: 1 } }
  const { view } = await job.run(manifest)
  t.is(view.waiting?.why, 'out-of-time')
  t.true(view.spent.runningMs >= 1000)
})

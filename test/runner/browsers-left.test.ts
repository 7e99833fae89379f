import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { limits, manifestOf, passing, reference, writer } from '../support/manifests.js'
import { type ScratchJob, scratchJob } from '../support/scratch-job.js'

/** An oracle that takes a request, notes its process id, and never answers. */
const silentOracle = (
  job: ScratchJob,
): { readonly command: ReadonlyArray<string>; readonly asked: string } => {
  const asked = join(job.home, 'asked')
  const source = `
    const { renameSync, writeFileSync } = require('node:fs')
    process.stdin.once('data', () => {
      writeFileSync(${JSON.stringify(`${asked}.new`)}, String(process.pid))
      renameSync(${JSON.stringify(`${asked}.new`)}, ${JSON.stringify(asked)})
    })
    setInterval(() => {}, 1000)`
  return { command: [job.program('oracle', source)], asked }
}

/** Says one thing to its runner, ends itself when the browsers have been asked, and never reads an answer. */
const leaving = (fields: string, asked: string): string => `
  const { existsSync } = require('node:fs')
  const { DOCKET_SOCKET, DOCKET_TOKEN: token } = process.env
  require('node:net').createConnection(DOCKET_SOCKET).write(JSON.stringify({ token, ...${fields} }) + '\\n')
  setInterval(() => existsSync(${JSON.stringify(asked)}) && process.exit(0), 10)`

const oneDecision = `
  const probe = { html: '<p>', expect: [{ node: 0, field: 'bounding.w', value: 1 }] }
  require('node:fs').writeFileSync(process.env.DOCKET_STATE + '/decisions.json',
    JSON.stringify([{ id: 'a', question: 'q', spec: 's', choice: 'c', probe, sources: [] }]))`

/** The oracle itself would go on for ever, so a test that ends tells that nobody waited for it. */
const isGone = (asked: string): boolean => {
  try {
    return !process.kill(Number(readFileSync(asked, 'utf8')), 0)
  } catch {
    return true
  }
}

test('a reference stage that ended is not kept by the browsers: its check could not run', async (t) => {
  const job = await scratchJob(t)
  const { command, asked } = silentOracle(job)
  const stage = reference(job.program('asking', leaving("{ op: 'check-references' }", asked)))
  const { view, events } = await job.run(
    {
      ...manifestOf(writer(job.program('writer', oneDecision)), stage),
      limits: { ...limits, fault_reruns: 0 },
    },
    { oracle: command },
  )
  t.is(view.waiting?.why, 'faults-spent')
  const unable = events.find((event) => event.type === 'CheckCouldNotRun')
  t.regex(unable?.data.why ?? '', /ended before it was answered/)
  t.false(events.some(({ type }) => type === 'ProbeAnswered'))
  t.true(isGone(asked))
})

test('a writer that ended is not kept by the page that it tried, and passes', async (t) => {
  const job = await scratchJob(t)
  const { command, asked } = silentOracle(job)
  const trying = leaving("{ op: 'probe', request: { id: 'x', html: '<p>' } }", asked)
  const { view, types } = await job.run(manifestOf(writer(job.program('writer', trying)), passing), {
    oracle: command,
  })
  t.is(view.status, 'accepted')
  t.false(types.includes('ProbeTried'))
  t.deepEqual(await job.refusals(), [])
  t.true(isGone(asked))
})

test('a runner that is told to stop does not wait for the browsers, and the job goes on later', async (t) => {
  const job = await scratchJob(t)
  const { command, asked } = silentOracle(job)
  const interrupt = new AbortController()
  const running = job.run(manifestOf(writer(job.program('writer', oneDecision)), reference(), passing), {
    oracle: command,
    interrupt: interrupt.signal,
  })
  while (!existsSync(asked)) await new Promise((resolve) => setTimeout(resolve, 10))
  interrupt.abort('SIGTERM')
  const first = await running
  t.is(first.types.at(-1), 'RunnerReleased')
  t.true(isGone(asked))
  t.is(first.view.spent.faults, 0)
  t.is((await job.drive(first.job)).view.status, 'accepted')
})

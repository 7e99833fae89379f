import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import type { Recorded } from '../../events/recorded.js'
import { referenceFile } from '../../projections/reference-file.js'
import { limits, manifestOf, passing, reference, review, script, writer } from '../support/manifests.js'
import { type Ran, scratchJob } from '../support/scratch-job.js'

/** A writer whose one decision is wrong until the brief tells it so; it keeps each brief in its state folder. */
const decidingWriter = `
  const { readFileSync, writeFileSync, readdirSync } = require('node:fs')
  const { DOCKET_STATE, DOCKET_ROUND } = process.env
  const brief = readFileSync(0, 'utf8')
  writeFileSync(DOCKET_STATE + '/brief-' + DOCKET_ROUND, brief)
  const value = brief.includes('disagrees') ? 100 : 99
  const probe = { html: '<div>', expect: [{ node: 2, field: 'bounding.w', value }] }
  const decision = { id: 'all-agree', question: 'how wide?', spec: 'a spec', choice: String(value), probe, sources: [] }
  writeFileSync(DOCKET_STATE + '/decisions.json', JSON.stringify([decision]))
  writeFileSync('width.txt', String(value))`

const findings = ({ events }: Ran, round: number): ReadonlyArray<string> =>
  events.flatMap((event) =>
    event.type === 'RoundFailed' && event.data.round === round
      ? event.data.findings.map(({ text }) => text)
      : [],
  )

test('a reference check that fails once sends the job back with its message, and the next round is accepted', async (t) => {
  const job = await scratchJob(t)
  const stages = [writer(job.program('writer', decidingWriter)), reference(), passing]
  const ran = await job.run(manifestOf(...stages))
  t.is(ran.view.status, 'accepted')
  t.is(ran.view.spent.failedRounds, 1)
  const [found] = findings(ran, 1)
  t.regex(found ?? '', /decision all-agree \(how wide\?\) disagrees.*\n.*99.*100/)
  const state = ran.view.submitted.state
  t.true(readFileSync(join(state, 'brief-2'), 'utf8').includes('decision all-agree (how wide?) disagrees'))
  t.is(referenceFile(ran.view), readFileSync(join(state, 'reference-check.json'), 'utf8'))
  const [asked] = ran.events.filter((event) => event.type === 'ProbeAnswered')
  t.is(asked?.type === 'ProbeAnswered' && asked.data.answers.engines.webkit.version, 'unknown')
  t.is(ran.view.accepted?.treeIsCommit, false, 'the writer committed nothing')
})

test('a round that nothing turns down is accepted, on the tree that Git itself would write', async (t) => {
  const job = await scratchJob(t)
  const committing = `
    require('node:fs').writeFileSync('a file', 'x')
    const { execFileSync } = require('node:child_process')
    const git = (...args) => execFileSync('git', ['-c', 'user.name=w', '-c', 'user.email=w@w', ...args])
    git('add', '--all'); git('commit', '--quiet', '--message', 'done')`
  const ran = await job.run(
    manifestOf(writer(job.program('writer', committing)), script('test', 'true'), passing),
  )
  t.is(ran.view.status, 'accepted')
  t.true(ran.view.accepted?.treeIsCommit)
  const tree = execFileSync('git', ['rev-parse', 'HEAD^{tree}'], {
    cwd: job.workdir,
    encoding: 'utf8',
  }).trim()
  t.is(ran.view.accepted?.workspace.tree, tree)
})

test('an allowance that is spent waits for a person', async (t) => {
  const job = await scratchJob(t)
  const manifest = manifestOf(
    writer('true'),
    script('test', 'sh', '-c', 'echo three boxes are wrong; exit 4'),
  )
  const { view, events, types } = await job.run({ ...manifest, limits: { ...limits, failed_rounds: 1 } })
  t.is(view.status, 'waiting')
  t.is(view.waiting?.why, 'allowance-spent')
  t.is(view.rounds.length, 2)
  t.is(types.at(-1), 'JobWaiting')
  const failed = events.find((event) => event.type === 'RoundFailed')
  t.deepEqual(failed?.type === 'RoundFailed' && failed.data.findings, [
    { id: 'F1', source: 'stage', text: 'Stage test failed (exit 4).\nthree boxes are wrong' },
  ])
})

test('a script without on_fail stops the job', async (t) => {
  const job = await scratchJob(t)
  const { on_fail: _, ...stage } = script('test', 'false')
  const { view } = await job.run(manifestOf(writer('true'), stage))
  t.is(view.status, 'stopped')
  t.is(view.stopped?.stage, 'test')
})

test('a review that finds something sends the job back with it', async (t) => {
  const job = await scratchJob(t)
  const reviewing = `
    const { execFileSync } = require('node:child_process')
    const { DOCKET_TOOLS, DOCKET_ROUND } = process.env
    const args = DOCKET_ROUND === '1' ? ['find', 'the name is wrong', 'and so is the test'] : ['pass']
    execFileSync(DOCKET_TOOLS + '/verdict', args, { stdio: 'inherit' })`
  const ran = await job.run(manifestOf(writer('true'), review(job.program('reviewer', reviewing))))
  t.is(ran.view.status, 'accepted')
  t.deepEqual(findings(ran, 1), ['the name is wrong', 'and so is the test'])
})

test("the review's prompt has the unchecked decision, and the one that stands by chromium-default, in it", async (t) => {
  const job = await scratchJob(t)
  const deciding = `
    const decision = (id, node, value) => ({ id, question: 'of ' + id, spec: 's', choice: 'c', sources: [],
      probe: { html: '<div>', expect: [{ node, field: 'bounding.w', value }] } })
    require('node:fs').writeFileSync(process.env.DOCKET_STATE + '/decisions.json',
      JSON.stringify([decision('all-differ', 2, 90), decision('close', 77, 100)]))`
  const keeping = `
    const { readFileSync, writeFileSync } = require('node:fs')
    writeFileSync(process.env.DOCKET_STATE + '/prompt', readFileSync(0))
    require('node:child_process').execFileSync(process.env.DOCKET_TOOLS + '/verdict', ['pass'])`
  const stages = [
    writer(job.program('writer', deciding)),
    reference(),
    review(job.program('reviewer', keeping)),
  ]
  const { view } = await job.run(manifestOf(...stages))
  t.is(view.status, 'accepted')
  const prompt = readFileSync(join(view.submitted.state, 'prompt'), 'utf8')
  t.true(prompt.includes('Decision close is unchecked'))
  t.true(prompt.includes('Decision all-differ: for bounding.w of node 2 all three browsers differ'))
  t.true(prompt.includes('|     "id": "close"'), 'decisions.json')
})

test('output is kept byte for byte, whatever the bytes', async (t) => {
  const job = await scratchJob(t)
  const printing = `
    process.stdout.write(Buffer.from([0, 255, 254, 10, 13, 27, 91, 50, 74]))
    process.stderr.write(Buffer.alloc(300000, 'x'))`
  const { events } = await job.run(manifestOf(writer(job.program('writer', printing))))
  const ended = events.find(
    (event): event is Extract<Recorded, { type: 'StageEnded' }> => event.type === 'StageEnded',
  )
  const out = await job.store.getArtifact(ended?.data.stdout.sha256 ?? '')
  t.deepEqual([...(out ?? [])], [0, 255, 254, 10, 13, 27, 91, 50, 74])
  t.is(ended?.data.stderr.size, 300_000)
})

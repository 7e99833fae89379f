import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../events/read-stream.js'
import { driveJob } from '../../runner/drive-job.js'
import { ownIdentity } from '../../runner/identity.js'
import { manifestOf, passing, script, writer } from '../support/manifests.js'
import { type ScratchJob, scratchJob } from '../support/scratch-job.js'

/** Waits until a stage of the only job is running, and gives the job's id. */
const stageStarted = async ({ store }: ScratchJob, stage: string): Promise<string> => {
  for (;;) {
    const events = (await store.readAll(0, 100)).map(decodeOrThrow)
    const started = events.find((event) => event.type === 'StageStarted' && event.data.stage === stage)
    if (started !== undefined) return started.correlationId
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

test('a job that was interrupted is resumed where it was, and accepted', async (t) => {
  const job = await scratchJob(t)
  const counting = `
    const { appendFileSync, readFileSync } = require('node:fs')
    appendFileSync(process.env.DOCKET_STATE + '/runs', 'x')
    if (readFileSync(process.env.DOCKET_STATE + '/runs', 'utf8') === 'x') setTimeout(() => {}, 60000)`
  const interrupt = new AbortController()
  const manifest = manifestOf(writer('true'), script('test', job.program('slow', counting)), passing)
  const running = job.run(manifest, { interrupt: interrupt.signal })
  const id = await stageStarted(job, 'test')
  while (!existsSync(join(job.home, 'jobs', id, 'state', 'runs'))) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  interrupt.abort('SIGINT')
  const first = await running
  t.is(first.view.status, 'ready')
  t.is(first.types.at(-1), 'RunnerReleased')
  const second = await job.drive(first.job)
  t.is(second.view.status, 'accepted')
  t.is(second.view.spent.faults, 0)
  t.is(readFileSync(join(second.view.submitted.state, 'runs'), 'utf8'), 'xx')
})

test('a job that is being run has one runner, and its checkout one job', async (t) => {
  const job = await scratchJob(t)
  const interrupt = new AbortController()
  const waiting = job.run(manifestOf(writer('sleep', '30')), { interrupt: interrupt.signal })
  const id = await stageStarted(job, 'write')
  const again = await driveJob({ ...job.runner, identity: ownIdentity() }, id)
  t.is(E.isLeft(again) && again.left.tag === 'refused' && again.left.refusal.tag, 'job-has-runner')
  const other = await t.throwsAsync(job.run(manifestOf(writer('true'))))
  t.regex(other?.message ?? '', /workdir-taken/)
  interrupt.abort('SIGTERM')
  await waiting
  const refused = await job.refusals()
  t.deepEqual(
    refused.map((event) => event.type === 'CommandRefused' && event.data.refusal),
    ['job-has-runner', 'workdir-taken'],
  )
})

test('a runner that is dead is taken over, and what it was running is a fault', async (t) => {
  const job = await scratchJob(t)
  const dead = { ...ownIdentity(), pid: 2 ** 22 - 1, startTime: '1' }
  const interrupt = new AbortController()
  const hung = job.run(manifestOf(writer('sleep', '2'), passing), {
    identity: dead,
    interrupt: interrupt.signal,
  })
  const id = await stageStarted(job, 'write')
  const taken = await job.drive(id)
  t.is(taken.view.status, 'accepted')
  t.is(taken.view.spent.faults, 1)
  t.true(taken.types.includes('RunnerLost'))
  const old = await t.throwsAsync(hung)
  t.regex(old?.message ?? '', /claim-lost|job-ended/)
})

import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import * as E from 'fp-ts/lib/Either.js'
import { jobStream, readStream } from '../../events/read-stream.js'
import type { RunFailure } from '../../runner/failure.js'
import type { Runner } from '../../runner/runner.js'
import { submit } from '../../runner/submit.js'
import { docketOn } from '../support/docket.js'
import { manifestOf, passing, writer } from '../support/manifests.js'
import { scratchCheckout } from '../support/scratch-checkout.js'
import { root, type ScratchJob, scratchJob } from '../support/scratch-job.js'

const submitAs = (
  job: ScratchJob,
  id: string,
  runner: Partial<Runner> = {},
): Promise<E.Either<RunFailure, string>> => {
  const manifest = join(job.home, 'manifest.json')
  writeFileSync(manifest, JSON.stringify(manifestOf(writer('true'), passing)))
  const tools = join(root, 'dist', 'tools')
  const lackingBrowsers = () => Promise.resolve([])
  return submit(
    { ...job.runner, ...runner },
    { manifest, workdir: job.workdir, tools, person: 'test', id, lackingBrowsers },
  )
}

const refusalOf = (submitted: E.Either<RunFailure, string>): readonly [string, string] | null =>
  E.isLeft(submitted) && submitted.left.tag === 'refused'
    ? [submitted.left.refusal.tag, submitted.left.refusal.message]
    : null

test('of several that begin a job of one id at once, one gets it and the others are refused', async (t) => {
  const job = await scratchJob(t)
  const store = await job.another()
  const submitted = await Promise.all(
    [0, 1, 2, 3].map((place) => submitAs(job, 'mine', place % 2 === 0 ? {} : { store })),
  )
  t.is(submitted.filter(E.isRight).length, 1)
  t.deepEqual(
    submitted.filter(E.isLeft).map(refusalOf),
    Array.from({ length: 3 }, () => ['job-exists', 'a job mine exists already']),
  )
  const driven = await job.drive('mine')
  t.is(driven.view.status, 'accepted', 'the refused ones left its folder as it was')
  t.is(driven.types.filter((type) => type === 'JobSubmitted').length, 1)
})

test('of two homes on one ledger one gets the id, and the other keeps no folder of it', async (t) => {
  const job = await scratchJob(t)
  const homes = [job.home, join(job.home, 'another')]
  const submitted = await Promise.all(homes.map((home) => submitAs(job, 'mine', { home })))
  t.is(submitted.filter(E.isRight).length, 1)
  const [refused] = submitted.filter(E.isLeft).map(refusalOf)
  t.is(refused?.[0], 'job-exists')
  const folders = homes.map((home) => (existsSync(join(home, 'jobs')) ? readdirSync(join(home, 'jobs')) : []))
  t.deepEqual([...folders].sort(), [[], ['mine']])
  t.is((await readStream(job.store, jobStream('mine'))).length, 1)
})

test('an id that a job has is refused later as well, and the job goes on', async (t) => {
  const job = await scratchJob(t)
  t.deepEqual(await submitAs(job, 'mine'), E.right('mine'))
  t.deepEqual(refusalOf(await submitAs(job, 'mine')), ['job-exists', 'a job mine exists already'])
  t.is((await job.drive('mine')).view.status, 'accepted')
  t.deepEqual(refusalOf(await submitAs(job, 'mine')), ['job-exists', 'a job mine exists already'])
})

test('of two runs with one id as processes of their own, one is accepted and the other exits with its refusal', async (t) => {
  const docket = await docketOn(t)
  const one = scratchCheckout(t)
  const manifest = one.manifest(manifestOf(writer('true'), passing))
  const args = ['run', manifest, '--workdir', one.workdir, '--id', 'mine', '--quiet', '--json'] as const
  const ended = await Promise.all([docket.run(...args), docket.run(...args)])
  t.deepEqual(ended.map(({ code }) => code).sort(), [0, 7])
  const refused = ended.find(({ code }) => code === 7)
  t.is(refused?.stdout, '')
  t.regex(refused?.stderr ?? '', /refused: a job mine exists already\n$/)
  t.notRegex(refused?.stderr ?? '', /\n\s+at /, 'no stack trace')
})

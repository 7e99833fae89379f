import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import * as E from 'fp-ts/lib/Either.js'
import { jobStream, readStream } from '../../events/read-stream.js'
import { foldJob } from '../../projections/job/fold.js'
import { driveJob } from '../../runner/drive-job.js'
import { jobFolders } from '../../runner/job-folders.js'
import { manifestOf, passing, script, writer } from '../support/manifests.js'
import { type ScratchJob, scratchJob } from '../support/scratch-job.js'

/** A job that was interrupted after its writer had made a file; the signal is this process's, so one at a time. */
const interrupted = async (job: ScratchJob): Promise<string> => {
  const interrupt = new AbortController()
  const stopping = job.program(
    'stopping',
    `require('node:fs').writeFileSync('made.txt', 'x')
    process.kill(${process.pid}, 'SIGUSR2')
    setInterval(() => {}, 1000)`,
  )
  const told = (): void => interrupt.abort('SIGTERM')
  process.once('SIGUSR2', told)
  const manifest = manifestOf(
    writer('sh', '-c', `[ "$DOCKET_ATTEMPT" != 1 ] || "${stopping}"`),
    script('test', 'cat', 'made.txt'),
    passing,
  )
  const ran = await job.run(manifest, { interrupt: interrupt.signal })
  return ran.job
}

const resumed = async (job: ScratchJob, id: string) => {
  const before = await readStream(job.store, jobStream(id))
  const driven = await driveJob(job.runner, id)
  const after = await readStream(job.store, jobStream(id))
  return {
    failure: E.isLeft(driven) ? driven.left : null,
    claim: foldJob(after)?.claim,
    added: after.slice(before.length).map(({ type }) => type),
  }
}

for (const [what, folderOf] of [
  ['checkout', (job: ScratchJob) => job.workdir],
  ['state', (job: ScratchJob, id: string) => jobFolders(job.home, id).state],
] as const) {
  test.serial(`a job whose ${what} is gone says so, is nobody's, and goes on once it is back`, async (t) => {
    const job = await scratchJob(t)
    const id = await interrupted(job)
    const folder = folderOf(job, id)
    renameSync(folder, `${folder} away`)
    const { failure, claim, added } = await resumed(job, id)
    t.deepEqual(failure, { tag: 'missing', reasons: [`the job needs ${folder}, which is gone`] })
    t.is(claim, null)
    t.deepEqual(added, [])
    renameSync(`${folder} away`, folder)
    t.is((await job.drive(id)).view.status, 'accepted')
  })
}

test.serial('a job whose checkout and state are both gone says so of both', async (t) => {
  const job = await scratchJob(t)
  const id = await interrupted(job)
  const { state } = jobFolders(job.home, id)
  for (const folder of [job.workdir, state]) rmSync(folder, { recursive: true })
  const { failure } = await resumed(job, id)
  t.deepEqual(failure, {
    tag: 'missing',
    reasons: [job.workdir, state].map((folder) => `the job needs ${folder}, which is gone`),
  })
})

test.serial('a link to nowhere in the place of the checkout counts as gone', async (t) => {
  const job = await scratchJob(t)
  const id = await interrupted(job)
  rmSync(job.workdir, { recursive: true })
  symlinkSync(join(job.home, 'nowhere'), job.workdir)
  const { failure, claim } = await resumed(job, id)
  t.is(failure?.tag, 'missing')
  t.is(claim, null)
})

test.serial('a checkout that is a file by now cannot be worked in, and the job is let go', async (t) => {
  const job = await scratchJob(t)
  const id = await interrupted(job)
  rmSync(job.workdir, { recursive: true })
  writeFileSync(job.workdir, '')
  const { failure, claim, added } = await resumed(job, id)
  t.is(failure?.tag, 'missing')
  t.is(claim, null)
  t.deepEqual(added, ['JobClaimed', 'RunnerReleased'])
})

test.serial('a checkout without its repository cannot be worked in, and the job is let go', async (t) => {
  const job = await scratchJob(t)
  const id = await interrupted(job)
  rmSync(join(job.workdir, '.git'), { recursive: true })
  const { failure, claim, added } = await resumed(job, id)
  t.is(failure?.tag, 'missing')
  t.regex(failure?.tag === 'missing' ? (failure.reasons[0] ?? '') : '', /cannot be worked in: git /)
  t.is(claim, null)
  t.deepEqual(added, ['JobClaimed', 'RunnerReleased'])
})

test.serial('a job that cannot be worked in leaves its folder to other jobs', async (t) => {
  const job = await scratchJob(t)
  const id = await interrupted(job)
  renameSync(join(job.workdir, '.git'), join(job.home, 'kept.git'))
  await resumed(job, id)
  renameSync(join(job.home, 'kept.git'), join(job.workdir, '.git'))
  t.is((await job.run(manifestOf(writer('true'), passing))).view.status, 'accepted')
})

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import * as E from 'fp-ts/lib/Either.js'
import { jobStream, readStream } from '../../events/read-stream.js'
import type { Recorded } from '../../events/recorded.js'
import { driveJob } from '../../runner/drive-job.js'
import { limits, manifestOf, passing, review, script, writer } from '../support/manifests.js'
import { commitAll, type Ran, type ScratchJob, scratchJob } from '../support/scratch-job.js'

const git = ({ workdir }: ScratchJob, ...args: ReadonlyArray<string>): string =>
  execFileSync('git', [...args], { cwd: workdir, encoding: 'utf8' }).trim()

/** A writer that does one thing in its first attempt, and in the next notes what it found. */
const firstThen = (first: string, then = 'true'): ReadonlyArray<string> => [
  'sh',
  '-c',
  `if [ "$DOCKET_ATTEMPT" = 1 ]; then ${first}; else ${then}; fi`,
]

const faults = ({ events }: Ran): ReadonlyArray<string> =>
  events.flatMap((event) => (event.type === 'StageFaulted' ? [event.data.message] : []))

const started = ({ events }: Ran): ReadonlyArray<Extract<Recorded, { type: 'StageStarted' }>> =>
  events.filter((event) => event.type === 'StageStarted')

test('a writer that leaves HEAD on no commit is run again from the checkout as it was', async (t) => {
  const job = await scratchJob(t)
  const head = git(job, 'rev-parse', 'HEAD')
  const orphaning = 'git switch --quiet --orphan empty; echo x > left.txt'
  const ran = await job.run(manifestOf(writer(...firstThen(orphaning)), passing))
  t.is(ran.view.status, 'accepted')
  t.deepEqual(faults(ran), ['stage write left a checkout whose HEAD names no commit'])
  t.is(ran.view.spent.writerRelaunches, 0)
  const [first, second] = started(ran)
  t.deepEqual(second?.data.workspace, first?.data.workspace)
  t.is(git(job, 'symbolic-ref', 'HEAD'), 'refs/heads/main')
  t.is(git(job, 'rev-parse', 'HEAD'), head)
  t.is(git(job, 'status', '--porcelain'), '')
})

test('a script that leaves HEAD on no commit is a fault too, and its checks are not run', async (t) => {
  const job = await scratchJob(t)
  const unborn = {
    ...script('test', ...firstThen('git update-ref -d HEAD')),
    checks: [{ check: 'touches', args: [] }],
  }
  const ran = await job.run({ ...manifestOf(writer('true'), unborn, passing), touches: ['**'] })
  t.is(ran.view.status, 'accepted')
  t.deepEqual(faults(ran), ['stage test left a checkout whose HEAD names no commit'])
  t.is(ran.types.filter((type) => type.startsWith('Check')).length, 1)
})

test('a review that switches the branch and says nothing is run again on the branch of the writer', async (t) => {
  const job = await scratchJob(t)
  const reviewing = firstThen(
    'git switch --quiet --create other',
    'git symbolic-ref HEAD > "$DOCKET_STATE/branch"; "$DOCKET_TOOLS/verdict" pass',
  )
  const ran = await job.run(manifestOf(writer('true'), review(...reviewing)))
  t.is(ran.view.status, 'accepted')
  t.is(readFileSync(join(ran.view.submitted.state, 'branch'), 'utf8'), 'refs/heads/main\n')
})

test('a writer that removes .git is a fault; the job is let go, and goes on once the repository is back', async (t) => {
  const job = await scratchJob(t)
  const removing = 'cp -R .git "$DOCKET_STATE/kept.git"; rm -rf .git README.md'
  const failed = await t.throwsAsync(job.run(manifestOf(writer(...firstThen(removing)), passing)))
  t.regex(failed?.message ?? '', /"tag":"missing".*cannot be worked in: git .*not a git repository/)
  const id = await onlyJob(job)
  const events = await readStream(job.store, jobStream(id))
  t.deepEqual(
    events.slice(-2).map(({ type }) => type),
    ['StageFaulted', 'RunnerReleased'],
  )
  t.is(readFileSync(join(job.workdir, 'README.md'), 'utf8'), 'a checkout\n')
  const again = await driveJob(job.runner, id)
  t.is(E.isLeft(again) && again.left.tag, 'missing')
  execFileSync('cp', ['-R', join(job.home, 'jobs', id, 'state', 'kept.git'), join(job.workdir, '.git')])
  t.is((await job.drive(id)).view.status, 'accepted')
})

test('a writer that removes the whole checkout is a fault, and the job is let go', async (t) => {
  const job = await scratchJob(t)
  const failed = await t.throwsAsync(job.run(manifestOf(writer('sh', '-c', 'rm -rf "$PWD"'), passing)))
  t.regex(failed?.message ?? '', /"tag":"missing"/)
  const events = await readStream(job.store, jobStream(await onlyJob(job)))
  t.deepEqual(
    events.slice(-2).map(({ type }) => type),
    ['StageFaulted', 'RunnerReleased'],
  )
})

test('a link that a stage puts where a folder was is never written through', async (t) => {
  const job = await scratchJob(t)
  commitAll(job.workdir, { 'folder/b.txt': 'b' })
  const outside = join(job.home, 'outside')
  mkdirSync(outside)
  writeFileSync(join(outside, 'b.txt'), 'not yours')
  const linking = `rm -r folder; ln -s '${outside}' folder; git update-ref -d HEAD`
  const ran = await job.run(manifestOf(writer(...firstThen(linking)), passing))
  t.is(ran.view.status, 'accepted')
  t.is(readFileSync(join(outside, 'b.txt'), 'utf8'), 'not yours')
  t.is(readFileSync(join(job.workdir, 'folder', 'b.txt'), 'utf8'), 'b')
})

test('a lock that a killed Git left is gone when the writer is started again', async (t) => {
  const job = await scratchJob(t)
  const dying = 'touch .git/index.lock .git/HEAD.lock .git/refs/heads/main.lock; kill -9 $$'
  const committing = `
    echo x > new.txt
    git -c user.name=w -c user.email=w@w add --all
    git -c user.name=w -c user.email=w@w commit --quiet --message done`
  const ran = await job.run(manifestOf(writer(...firstThen(dying, committing)), passing))
  t.is(ran.view.status, 'accepted')
  t.true(ran.view.accepted?.treeIsCommit)
  t.is(ran.view.spent.writerRelaunches, 1)
})

test('what the snapshots of a stage leave out is in the ledger with the reason', async (t) => {
  const job = await scratchJob(t)
  const ran = await job.run(
    manifestOf(writer('sh', '-c', 'echo x > .GIT; mkfifo pipe; echo y > kept.txt'), passing),
  )
  t.is(ran.view.status, 'accepted')
  t.deepEqual(ran.view.accepted?.workspace.leftOut, [
    { path: '.GIT', why: 'Git keeps nothing under this name' },
    { path: 'pipe', why: 'neither a file, a folder nor a link' },
  ])
})

test('a job in a repository of SHA-256 objects is accepted like any other', async (t) => {
  const job = await scratchJob(t)
  rmSync(join(job.workdir, '.git'), { recursive: true })
  git(job, 'init', '--quiet', '--object-format=sha256')
  commitAll(job.workdir, {})
  const ran = await job.run(
    manifestOf(
      writer(...firstThen('echo x > new.txt; git symbolic-ref HEAD refs/heads/none', 'echo y > new.txt')),
      script('test', 'grep', 'y', 'new.txt'),
      passing,
    ),
  )
  t.is(ran.view.status, 'accepted')
  t.regex(ran.view.accepted?.workspace.commit ?? '', /^[0-9a-f]{64}$/)
  t.deepEqual(faults(ran), ['stage write left a checkout whose HEAD names no commit'])
})

test('faults of the checkout are spent like any others', async (t) => {
  const job = await scratchJob(t)
  const ran = await job.run({
    ...manifestOf(writer('git', 'update-ref', '-d', 'HEAD'), passing),
    limits: { ...limits, fault_reruns: 1 },
  })
  t.is(ran.view.waiting?.why, 'faults-spent')
  t.is(faults(ran).length, 2)
  t.is(ran.view.spent.failedRounds, 0)
})

const onlyJob = async (job: ScratchJob): Promise<string> => {
  const [first] = await job.store.readAll(0, 1)
  return first?.correlationId ?? ''
}

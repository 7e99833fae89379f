import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import { claimJob } from '../commands/claim-job.js'
import { claimWorkdir, evolveWorkdir, freeWorkdir, releaseWorkdir } from '../commands/claim-workdir.js'
import { handle } from '../commands/handle.js'
import { evolve } from '../commands/job/evolve.js'
import { nextStep } from '../commands/job/next-step.js'
import { absent, type Job } from '../commands/job/state.js'
import { releaseJob } from '../commands/release-job.js'
import { jobStream, readStream } from '../events/read-stream.js'
import { foldJob } from '../projections/job/fold.js'
import type { JobView } from '../projections/job/view.js'
import { badInput, missing, RunEnded, type RunFailure } from './failure.js'
import { lifeOf } from './identity.js'
import { type JobCommands, jobCommands } from './job-commands.js'
import { jobFolders } from './job-folders.js'
import { type Drive, runStage } from './run-stage.js'
import { docketVersion, type Runner } from './runner.js'
import { workdirStream } from './workdir-stream.js'
import { GitFailed } from './workspace/git.js'
import { NotPutBack } from './workspace/restore.js'
import { openCheckout } from './workspace/workspace.js'

/** Claims a job and runs its stages until it has ended, waits for a person, or the runner is interrupted. */
export const driveJob = async (runner: Runner, job: string): Promise<E.Either<RunFailure, JobView>> => {
  const view = foldJob(await readStream(runner.store, jobStream(job)))
  if (view === null) return E.left(badInput(`there is no job ${job}`))
  const gone = [view.submitted.workdir, view.submitted.state].filter((folder) => !existsSync(folder))
  if (gone.length > 0)
    return E.left(missing(...gone.map((folder) => `the job needs ${folder}, which is gone`)))
  const workdir = await takeWorkdir(runner, view)
  if (E.isLeft(workdir)) return workdir
  const claimed = await claim(runner, view)
  if (E.isLeft(claimed)) return claimed
  const commands = jobCommands(runner, job, claimed.right.epoch)
  const takeSpentMs = spentMs()
  try {
    await goOn(await prepare(runner, view, commands, takeSpentMs), claimed.right)
    return E.right(await commands.view())
  } catch (cause) {
    if (cause instanceof RunEnded) return E.left(cause.failure)
    if (!(cause instanceof GitFailed || cause instanceof NotPutBack)) throw cause
    await release(commands, cause.message, takeSpentMs())
    return E.left(missing(`${view.submitted.workdir} cannot be worked in: ${cause.message}`))
  } finally {
    await leaveWorkdir(runner, view)
  }
}

const goOn = async (drive: Drive, claimed: Job): Promise<void> => {
  const { runner, commands } = drive
  for (let job = claimed; ; ) {
    const step = nextStep(job)
    if (step.do === 'stop') return
    if (runner.interrupt.aborted) {
      const why = `told to stop by ${String(runner.interrupt.reason ?? 'a signal')}`
      return release(commands, why, drive.takeSpentMs())
    }
    job = await runStage(drive, job, step)
  }
}

const release = async (commands: JobCommands, why: string, spentMs: number): Promise<void> => {
  await commands.send('release-job', 'end', releaseJob, { epoch: commands.epoch, why, spentMs })
}

const prepare = async (
  runner: Runner,
  view: JobView,
  commands: JobCommands,
  takeSpentMs: () => number,
): Promise<Drive> => {
  const folders = jobFolders(runner.home, view.job)
  const { workdir, base, manifestFolder } = view.submitted
  return {
    runner,
    commands,
    folders,
    checkout: await openCheckout(workdir, folders.snapshots, base.commit, view.manifest.ignores),
    places: { manifestFolder, workdir, state: folders.state, tools: folders.tools },
    takeSpentMs,
  }
}

/** Each call gives the whole milliseconds since the one before. */
const spentMs = (): (() => number) => {
  let recorded = performance.now()
  return () => {
    const now = performance.now()
    const spent = Math.round(now - recorded)
    recorded = now
    return spent
  }
}

const claim = async (runner: Runner, view: JobView): Promise<E.Either<RunFailure, Job>> => {
  const { identity } = runner
  const handled = await handle(
    runner.store,
    { name: 'claim-job', initial: absent, evolve, decide: claimJob },
    {
      stream: jobStream(view.job),
      actor: `runner:${identity.runner}`,
      commandId: `${view.job}/claim-job/${randomUUID()}`,
      correlationId: view.job,
    },
    {
      runner: { ...identity, docket: docketVersion, node: process.version },
      holder: view.claim === null ? null : { epoch: view.claim.epoch, life: lifeOf(view.claim) },
    },
  )
  if (E.isLeft(handled)) return handled
  const { state } = handled.right
  return state.status === 'absent' ? E.left(badInput(`there is no job ${view.job}`)) : E.right(state)
}

const workdirEnvelope = (runner: Runner, view: JobView, name: string) => ({
  stream: workdirStream(view.submitted.workdir),
  actor: `runner:${runner.identity.runner}`,
  commandId: `${view.job}/${name}/${randomUUID()}`,
  correlationId: view.job,
})

const takeWorkdir = async (runner: Runner, view: JobView): Promise<E.Either<RunFailure, unknown>> => {
  const { workdir } = view.submitted
  const holder = (await readStream(runner.store, workdirStream(workdir))).reduce(evolveWorkdir, freeWorkdir)
  const claim =
    holder.job === null ? null : foldJob(await readStream(runner.store, jobStream(holder.job)))?.claim
  return handle(
    runner.store,
    { name: 'claim-workdir', initial: freeWorkdir, evolve: evolveWorkdir, decide: claimWorkdir },
    workdirEnvelope(runner, view, 'claim-workdir'),
    { job: view.job, workdir, idle: claim == null || lifeOf(claim) === 'dead' ? holder.job : null },
  )
}

const leaveWorkdir = (runner: Runner, view: JobView): Promise<unknown> =>
  handle(
    runner.store,
    { name: 'release-workdir', initial: freeWorkdir, evolve: evolveWorkdir, decide: releaseWorkdir },
    workdirEnvelope(runner, view, 'release-workdir'),
    { job: view.job, workdir: view.submitted.workdir },
  )

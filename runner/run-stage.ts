import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { endStage } from '../commands/end-stage.js'
import { endedWell } from '../commands/job/describe-ending.js'
import type { NextStep } from '../commands/job/next-step.js'
import type { Checked } from '../commands/job/stage-end.js'
import type { Job } from '../commands/job/state.js'
import { startStage } from '../commands/start-stage.js'
import { remainingMs } from '../domain/budget.js'
import type { FileContent } from '../domain/checks/check.js'
import { type Decisions, readDecisions } from '../domain/decision.js'
import { renderViolation } from '../domain/decode.js'
import type { Manifest, Stage } from '../domain/manifest.js'
import { sameJson } from '../domain/same-json.js'
import type { Ending } from '../events/values/ending.js'
import type { Workspace } from '../events/values/workspace.js'
import { reviewPrompt } from '../projections/review-prompt.js'
import { writerBrief } from '../projections/writer-brief.js'
import { answerStage } from './answer-stage.js'
import { agentOf, commandLine, type Places } from './command-line.js'
import type { JobCommands } from './job-commands.js'
import type { JobFolders } from './job-folders.js'
import { lastWords } from './last-words.js'
import { readStageFile } from './read-stage-file.js'
import { runChecks } from './run-checks.js'
import { type ProcessSpec, runProcess } from './run-process.js'
import type { Runner } from './runner.js'
import { stageEnvironment } from './stage-environment.js'
import { newSession, type StageSession } from './stage-session.js'
import { openStageSocket } from './stage-socket.js'
import type { Checkout } from './workspace/workspace.js'

export type Drive = {
  readonly runner: Runner
  readonly commands: JobCommands
  readonly checkout: Checkout
  readonly folders: JobFolders
  readonly places: Places
  /** Running time since it was last recorded as spent, in whole milliseconds; starts anew at each call. */
  readonly takeSpentMs: () => number
}

type StageStep = Extract<NextStep, { readonly do: 'run-stage' }>

/** Runs the stage that is due, from its first snapshot to the one append that says how it ended. */
export const runStage = async (drive: Drive, job: Job, step: StageStep): Promise<Job> => {
  const { commands, checkout, runner, places } = drive
  const { stage, attempt, round } = step
  const command = { epoch: commands.epoch, stage: stage.name, attempt }
  const key = `${round}/${stage.name}/${attempt}`
  if (step.restore !== null) {
    await checkout.restore(step.restore, `${round}/${stage.name}/${attempt - 1}/start`)
  }
  const before = await checkout.snapshot(`${key}/start`)
  const input = await inputOf(drive, stage)
  const argv = commandLine(job.manifest, stage, places)
  const started = await commands.send('start-stage', key, startStage, {
    ...command,
    argv,
    workspace: before,
    changed: await changedSinceWriter(checkout, job, before.tree),
    input: input === null ? null : await runner.store.putArtifact(input),
    isolation: 'same-user',
  })
  if (started.running === null) return started

  const files = await logFiles(drive, key, input)
  const session = newSession()
  const over = new AbortController()
  const signal = AbortSignal.any([runner.interrupt, over.signal])
  const socket = await openStageSocket(
    answerStage({ runner, commands, stage, command, session, key, signal }),
  )
  const environment = stageEnvironment(
    {
      job: commands.job,
      round,
      stage: stage.name,
      attempt,
      ...places,
      socket: socket.path,
      token: socket.token,
    },
    runner.env,
    agentOf(job.manifest, stage)?.env ?? [],
  )
  const { ending, durationMs } = await runProcess({
    argv,
    cwd: places.workdir,
    env: environment,
    ...files,
    limit: limitOf(job, stage),
    interrupt: runner.interrupt,
    hurry: runner.hurry,
    graceMs: runner.graceMs,
  })
  over.abort()
  await socket.close()

  await checkout.removeLocks()
  const workspace = await checkout.snapshot(`${key}/end`)
  const fault = session.fault ?? faultIn(ending, stage, workspace)
  return commands.send('end-stage', key, endStage, {
    ...command,
    ending,
    durationMs,
    spentMs: drive.takeSpentMs(),
    stdout: await runner.store.putArtifact(await readFile(files.stdout)),
    stderr: await runner.store.putArtifact(await readFile(files.stderr)),
    workspace,
    lastWords: `${await lastWords(files.stdout)}${await lastWords(files.stderr)}`,
    changed: await changedSinceWriter(checkout, started, workspace.tree),
    fault,
    decisions: stage.kind === 'writer' ? await decisionsIn(places.state) : E.right([]),
    checks: fault === null ? await checksOf(drive, job.manifest, stage, ending, session) : [],
    verdict: session.verdict,
  })
}

/** What the stage reads on its standard input: the brief of a writer, the prompt of a review. */
const inputOf = async ({ commands }: Drive, stage: Stage): Promise<Buffer | null> => {
  if (stage.kind === 'script') return null
  const view = await commands.view()
  return Buffer.from(stage.kind === 'writer' ? writerBrief(view) : reviewPrompt(view))
}

const changedSinceWriter = (checkout: Checkout, job: Job, tree: string): Promise<ReadonlyArray<string>> => {
  const left = job.round?.writerTree ?? null
  return left === null || left === tree ? Promise.resolve([]) : checkout.changes(left, tree)
}

const logFiles = async (
  { folders }: Drive,
  key: string,
  input: Buffer | null,
): Promise<Pick<ProcessSpec, 'stdin' | 'stdout' | 'stderr'>> => {
  const folder = join(folders.logs, key)
  await mkdir(folder, { recursive: true })
  const stdin = join(folder, 'stdin')
  await writeFile(stdin, input ?? '')
  return { stdin, stdout: join(folder, 'stdout'), stderr: join(folder, 'stderr') }
}

/** The nearer of the stage's own limit and the time that the job has left. */
const limitOf = ({ manifest, granted, spent }: Job, stage: Stage): ProcessSpec['limit'] => {
  const leftMs = remainingMs(manifest.limits, granted, spent.runningMs)
  const ownMs = stage.timeout_seconds === null ? Number.POSITIVE_INFINITY : stage.timeout_seconds * 1000
  return ownMs < leftMs ? { ms: ownMs, cause: 'timed-out' } : { ms: leftMs, cause: 'out-of-time' }
}

/**
 * A program that could not be started at all never had a chance; that of a writer counts as its death. Without
 * a commit under HEAD there is nothing to compare with, and the stage is run again from what it began with.
 */
const faultIn = (ending: Ending, stage: Stage, { commit }: Workspace): string | null => {
  if (ending.cause === 'could-not-start' && stage.kind !== 'writer') {
    return `${stage.command[0]} could not start: ${ending.message}`
  }
  return commit === '' ? `stage ${stage.name} left a checkout whose HEAD names no commit` : null
}

const decisionsIn = async (state: string): Promise<E.Either<ReadonlyArray<string>, Decisions>> => {
  const content = await readStageFile(join(state, 'decisions.json'))
  if (content.tag === 'unreadable') return E.left([content.why])
  const decisions = readDecisions(content.tag === 'missing' ? null : content.bytes)
  return E.isLeft(decisions) ? E.left(decisions.left.map(renderViolation)) : decisions
}

const checksOf = async (
  { checkout, places, commands }: Drive,
  manifest: Manifest,
  stage: Stage,
  ending: Ending,
  session: StageSession,
): Promise<ReadonlyArray<Checked>> => {
  if (stage.kind !== 'script' || !endedWell(ending)) return []
  const recorded = (await commands.view()).decisions.map(({ decision }) => decision)
  const decisionsUnchanged = (content: FileContent): boolean => {
    if (content.tag === 'unreadable') return false
    const now = readDecisions(content.tag === 'missing' ? null : content.bytes)
    return E.isRight(now) && sameJson(now.right, recorded)
  }
  return runChecks({ manifest, places, checkout, session, decisionsUnchanged }, stage.checks)
}

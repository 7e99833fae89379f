import { createHash, randomInt, randomUUID } from 'node:crypto'
import { cp, mkdir, readdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { handle } from '../commands/handle.js'
import { evolve } from '../commands/job/evolve.js'
import { absent } from '../commands/job/state.js'
import { refusal } from '../commands/refusal.js'
import { submitJob } from '../commands/submit-job.js'
import { renderViolation } from '../domain/decode.js'
import { type Manifest, manifestMaxBytes, readManifest } from '../domain/manifest.js'
import { usesAgent } from '../domain/placeholders.js'
import { jobStream } from '../events/read-stream.js'
import { agentOf, commandLine, isProgram, type Places } from './command-line.js'
import { badInput, missing, type RunFailure } from './failure.js'
import { type JobFolders, jobFolders } from './job-folders.js'
import { readStageFile } from './read-stage-file.js'
import type { Runner } from './runner.js'
import { git } from './workspace/git.js'
import { openCheckout } from './workspace/workspace.js'

export type Submission = {
  readonly manifest: string
  readonly workdir: string
  /** The folder of Docket's stage tools, of which the job gets a copy of its own. */
  readonly tools: string
  readonly person: string
  readonly id: string
  /** The browsers that the oracle would lack, each with why and what to type. */
  readonly lackingBrowsers: () => Promise<ReadonlyArray<string>>
}

/** Looks at everything that a job needs before the first thing is written, then submits it. */
export const submit = async (
  runner: Pick<Runner, 'store' | 'home'>,
  submission: Submission,
): Promise<E.Either<RunFailure, string>> => {
  const read = await manifestAt(submission.manifest)
  if (E.isLeft(read)) return read
  const { manifest, path } = read.right
  const workdir = await checkoutAt(submission.workdir, runner.home)
  if (E.isLeft(workdir)) return workdir

  const { id } = submission
  const folders = jobFolders(runner.home, id)
  const places: Places = { manifestFolder: dirname(path), workdir: workdir.right, ...folders }
  const lacking = lackingPrograms(manifest, places, submission.tools)
  if (E.isLeft(lacking)) return lacking
  const browsers = asksBrowsers(manifest) ? await submission.lackingBrowsers() : []
  if (browsers.length > 0) return E.left(missing(...browsers))

  if (!(await takeFolder(folders.folder))) {
    return E.left({ tag: 'refused', refusal: refusal('job-exists', `a job ${id} exists already`) })
  }
  try {
    const handled = await open(runner, submission, { ...read.right, places, folders })
    if (E.isLeft(handled)) await rm(folders.folder, { recursive: true, force: true })
    return handled
  } catch (cause) {
    await rm(folders.folder, { recursive: true, force: true })
    throw cause
  }
}

type Opening = ReadManifest & { readonly places: Places; readonly folders: JobFolders }

/** Makes the job's folders and appends its first event. */
const open = async (
  runner: Pick<Runner, 'store' | 'home'>,
  { id, person, tools: from }: Submission,
  { manifest, bytes, path, places, folders }: Opening,
): Promise<E.Either<RunFailure, string>> => {
  const { workdir } = places
  await mkdir(folders.state, { mode: 0o700 })
  const tools = await copyTools(from, folders.tools)
  const head = (await git(['rev-parse', 'HEAD'], { cwd: workdir })).toString('latin1').trim()
  const checkout = await openCheckout(workdir, folders.snapshots, head, manifest.ignores)
  const handled = await handle(
    runner.store,
    { name: 'submit-job', initial: absent, evolve, decide: submitJob },
    {
      stream: jobStream(id),
      actor: `person:${person}`,
      commandId: `${id}/submit-job/${randomUUID()}`,
      correlationId: id,
    },
    {
      name: manifest.name ?? nameFrom(path),
      manifest,
      manifestFile: await runner.store.putArtifact(bytes),
      manifestFolder: dirname(path),
      workdir,
      state: folders.state,
      base: await checkout.snapshot('base'),
      tools,
    },
  )
  return E.isLeft(handled) ? handled : E.right(id)
}

/** Ten characters of an alphabet without look-alikes: short enough to type, and no two are the same. */
export const newJobId = (): string =>
  Array.from({ length: 10 }, () => alphabet[randomInt(alphabet.length)]).join('')

const alphabet = 'abcdefghjkmnpqrstvwxyz23456789'

type ReadManifest = { readonly manifest: Manifest; readonly bytes: Uint8Array; readonly path: string }

const manifestAt = async (given: string): Promise<E.Either<RunFailure, ReadManifest>> => {
  const path = await realpath(given).catch(() => null)
  if (path === null) return E.left(badInput(`there is no manifest ${given}`))
  const content = await readStageFile(path, manifestMaxBytes)
  if (content.tag !== 'bytes') {
    const why = content.tag === 'unreadable' ? content.why : 'it is not there'
    return E.left(badInput(`the manifest ${given} cannot be read: ${why}`))
  }
  const manifest = readManifest(content.bytes)
  return E.isLeft(manifest)
    ? E.left(badInput(...manifest.left.map((violation) => `${given}: ${renderViolation(violation)}`)))
    : E.right({ manifest: manifest.right, bytes: content.bytes, path })
}

/** `percentage-boxes/manifest.json` and `percentage-boxes.job.json` are both the job `percentage-boxes`. */
const nameFrom = (path: string): string =>
  basename(path) === 'manifest.json' ? basename(dirname(path)) : basename(path).replace(/(\.job)?\.json$/, '')

const checkoutAt = async (given: string, home: string): Promise<E.Either<RunFailure, string>> => {
  const workdir = await realpath(given).catch(() => null)
  if (workdir === null || !(await stat(workdir)).isDirectory()) {
    return E.left(badInput(`there is no folder ${given} to work in`))
  }
  const top = await git(['rev-parse', '--show-toplevel'], { within: workdir }).catch(() => null)
  if (top === null) return E.left(badInput(`${workdir} is not a Git repository with a working tree`))
  const root = top.toString('utf8').replace(/\n$/, '')
  if (root !== workdir) {
    return E.left(badInput(`${workdir} lies inside the checkout ${root}; name that folder instead`))
  }
  if (holds(workdir, resolve(home))) {
    return E.left(badInput(`${workdir} holds Docket's home ${home}, which no stage may reach`))
  }
  const head = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { cwd: workdir }).catch(
    () => null,
  )
  return head === null
    ? E.left(badInput(`${workdir} has no commit yet, so there is nothing to begin from`))
    : E.right(workdir)
}

const holds = (folder: string, path: string): boolean => {
  const way = relative(folder, path)
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`))
}

/**
 * Every stage's program has to be there before the job begins, except what lies in the checkout, which
 * the writer may still have to make.
 */
const lackingPrograms = (manifest: Manifest, places: Places, tools: string): E.Either<RunFailure, null> => {
  const unknown = manifest.stages.flatMap((stage, index) =>
    usesAgent(stage.command) && agentOf(manifest, stage) === null
      ? [`stages[${index}].agent: there is no agent ${'agent' in stage ? stage.agent : ''} under agents`]
      : [],
  )
  if (unknown.length > 0) return E.left(badInput(...unknown))
  const lacking = manifest.stages.flatMap((stage) => {
    const [program = ''] = commandLine(manifest, stage, { ...places, tools })
    return holds(places.workdir, resolve(places.workdir, program)) && program.includes('/')
      ? []
      : isProgram(program)
        ? []
        : [`stage ${stage.name} needs the program ${program}, which is not there or cannot be run`]
  })
  return lacking.length > 0 ? E.left(missing(...lacking)) : E.right(null)
}

/** Makes the job's folder; of several that begin a job of one id at once, one gets it. */
const takeFolder = async (folder: string): Promise<boolean> => {
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 })
  return mkdir(folder, { mode: 0o700 }).then(
    () => true,
    (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'EEXIST') return false
      throw cause
    },
  )
}

const asksBrowsers = ({ stages }: Manifest): boolean =>
  stages.some((stage) => stage.kind === 'script' && stage.checks.some(({ check }) => check === 'reference'))

const copyTools = async (from: string, to: string) => {
  await cp(from, to, { recursive: true, errorOnExist: true, force: false })
  const names = (await readdir(to)).sort()
  return Promise.all(
    names.map(async (path) => ({
      path,
      sha256: createHash('sha256')
        .update(await readFile(join(to, path)))
        .digest('hex'),
    })),
  )
}

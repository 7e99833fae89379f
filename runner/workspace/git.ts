import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { join } from 'node:path'

/** A Git command that failed, with what it printed, or that could not be started at all. */
export class GitFailed extends Error {
  constructor(args: ReadonlyArray<string>, how: string, said: string, options?: ErrorOptions) {
    super(`git ${args[0] ?? ''} ${how}: ${said.trim().slice(0, 500)}`, options)
    this.name = 'GitFailed'
  }
}

export type GitOptions = {
  /** The top folder of a checkout. A repository around it is none of its own, so none is looked for above. */
  readonly cwd?: string
  /** Any folder, of whatever checkout it lies in. */
  readonly within?: string
  readonly gitDir?: string
  readonly index?: string
  readonly input?: string | Uint8Array
}

/**
 * Runs Git on the runner's own terms: no configuration of the system, the user or a hook, no monitor,
 * no prompt. Returns its standard output as bytes, or throws `GitFailed`.
 */
export const git = (args: ReadonlyArray<string>, options: GitOptions = {}): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const couldNotStart = (cause: unknown): void =>
      reject(
        new GitFailed(args, 'could not start', cause instanceof Error ? cause.message : String(cause), {
          cause,
        }),
      )
    const child = start(args, options, couldNotStart)
    if (child === null) return
    const out: Array<Buffer> = []
    const err: Array<Buffer> = []
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
    child.stdin.on('error', () => {
      // Git may end before it has read everything; its exit code tells.
    })
    child.on('error', couldNotStart)
    child.on('close', (code) =>
      code === 0
        ? resolve(Buffer.concat(out))
        : reject(new GitFailed(args, `failed (${code})`, Buffer.concat(err).toString('utf8'))),
    )
    child.stdin.end(options.input ?? '')
  })

/** Node.js throws some reasons not to start: a folder to start in that is a file by now. */
const start = (
  args: ReadonlyArray<string>,
  options: GitOptions,
  couldNotStart: (cause: unknown) => void,
): ChildProcessWithoutNullStreams | null => {
  const cwd = options.cwd ?? options.within
  try {
    return spawn('git', [...ownTerms, ...args], {
      ...(cwd === undefined ? {} : { cwd }),
      env: environment(options),
      stdio: ['pipe', 'pipe', 'pipe'],
    })
  } catch (cause) {
    couldNotStart(cause)
    return null
  }
}

/** Names that other systems could not hold are names here; no file of a stage may make Git refuse the rest. */
const ownTerms = [
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'safe.directory=*',
  '-c',
  'core.quotePath=false',
  '-c',
  'core.protectNTFS=false',
  '-c',
  'core.protectHFS=false',
]

const environment = ({ cwd, gitDir = cwd && join(cwd, '.git'), index }: GitOptions): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  // An object that a checkout lacks is not fetched: its configuration may name any program to do that.
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  ...(gitDir === undefined ? {} : { GIT_DIR: gitDir }),
  ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
})

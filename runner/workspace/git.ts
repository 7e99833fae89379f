import { spawn } from 'node:child_process'

/** A Git command that failed, with what it printed. */
class GitFailed extends Error {
  constructor(args: ReadonlyArray<string>, code: number | null, stderr: string) {
    super(`git ${args[0] ?? ''} failed (${code}): ${stderr.trim().slice(0, 500)}`)
    this.name = 'GitFailed'
  }
}

export type GitOptions = {
  readonly cwd?: string
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
    const child = spawn('git', [...ownTerms, ...args], {
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      env: environment(options),
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    const out: Array<Buffer> = []
    const err: Array<Buffer> = []
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
    child.stdin.on('error', () => {
      // Git may end before it has read everything; its exit code tells.
    })
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0
        ? resolve(Buffer.concat(out))
        : reject(new GitFailed(args, code, Buffer.concat(err).toString('utf8'))),
    )
    child.stdin.end(options.input ?? '')
  })

const ownTerms = [
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'safe.directory=*',
  '-c',
  'core.quotePath=false',
]

const environment = ({ gitDir, index }: GitOptions): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  ...(gitDir === undefined ? {} : { GIT_DIR: gitDir }),
  ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
})

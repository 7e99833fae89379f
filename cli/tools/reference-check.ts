import { rm, stat } from 'node:fs/promises'
import { constants } from 'node:os'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { checkByHand } from './check-by-hand.js'
import { replaceFile } from './replace-file.js'
import { askStage, type StageSocket, stageSocket } from './stage-socket.js'

const usage = `usage: reference-check.sh [STATE_FOLDER]

Checks the decisions in STATE_FOLDER/decisions.json against three browsers and writes
STATE_FOLDER/reference-check.json. The folder is DOCKET_STATE when it is not given.

By hand the browsers are those of JOBS_ORACLE (a command line), else of oracle/oracle.mjs in the
current folder, else Docket's own. In a job the runner asks them.

exit 0  the file was written, also when a decision disagrees
     2  decisions.json cannot be read or is malformed, the oracle could not start, or bad usage
`

const main = async (args: ReadonlyArray<string>, env: NodeJS.ProcessEnv): Promise<number> => {
  const [given, ...rest] = args[0] === '--' ? args.slice(1) : args
  if (given === '--help' || given === '-h') {
    process.stdout.write(usage)
    return 0
  }
  if (rest.length > 0 || given === '' || (given?.startsWith('-') === true && args[0] !== '--')) {
    process.stderr.write(usage)
    return 2
  }
  const state = given ?? env.DOCKET_STATE ?? ''
  if (state === '') {
    process.stderr.write(`reference-check: no state folder is given, and DOCKET_STATE is not set\n${usage}`)
    return 2
  }
  return check(state, env)
}

const check = async (state: string, env: NodeJS.ProcessEnv): Promise<number> => {
  const stop = new AbortController()
  let stoppedBy: 'SIGINT' | 'SIGTERM' | null = null
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      stoppedBy = signal
      stop.abort()
    })
  }
  const exitCode = (otherwise: number): number =>
    stoppedBy === null ? otherwise : 128 + constants.signals[stoppedBy]
  const target = join(state, 'reference-check.json')
  try {
    if (!(await stat(state)).isDirectory()) return complain(`${state} is no folder`)
    // What an earlier run found must not be taken for what this one finds.
    await rm(target, { force: true })
    const socket = stageSocket(env)
    const text =
      socket === null
        ? await checkByHand({
            state,
            workdir: process.cwd(),
            env,
            tool: import.meta.url,
            signal: stop.signal,
          })
        : await checkInJob(socket)
    if (E.isLeft(text)) return exitCode(complain(text.left))
    await replaceFile(target, text.right)
    return 0
  } catch (cause) {
    return exitCode(complain(cause instanceof Error ? cause.message : String(cause)))
  }
}

/** The runner asks its own oracle and derives the file from what it recorded; its bytes are written as they are. */
const checkInJob = async (socket: StageSocket): Promise<E.Either<string, string>> => {
  const reply = await askStage(socket, { op: 'check-references' })()
  if (E.isLeft(reply)) return E.left(`${reply.left.tag}: ${reply.left.message}`)
  const { file } = reply.right
  return typeof file === 'string' ? E.right(file) : E.left('the runner answered without a file')
}

const complain = (message: string): number => {
  process.stderr.write(`reference-check: ${message}\n`)
  return 2
}

process.exitCode = await main(process.argv.slice(2), process.env)

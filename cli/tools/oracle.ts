import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import * as E from 'fp-ts/lib/Either.js'
import { engines } from '../../domain/engine.js'
import { lineReader } from '../../oracle/client/line-reader.js'
import { readLine } from '../../oracle/client/read-line.js'
import { oracleCommand } from './oracle-command.js'
import { askStage, type StageSocket, stageSocket } from './stage-socket.js'

const usage = `usage: oracle

Speaks the oracle protocol on stdin and stdout: a JSON object a line, {"id", "html", "engines"}, answered by
{"id", "dumps", "errors"}. In a job the probes go to the runner, which records each trial; by hand they go to
JOBS_ORACLE, else to oracle/oracle.mjs in the current folder, else to Docket's own oracle.

exit 0  stdin ended or a shutdown was asked for, and everything was answered
     2  bad usage, or there is no oracle
`

const main = async (args: ReadonlyArray<string>, env: NodeJS.ProcessEnv): Promise<number> => {
  if (args[0] === '--help' || args[0] === '-h') {
    process.stdout.write(usage)
    return 0
  }
  if (args.length > 0) {
    process.stderr.write(usage)
    return 2
  }
  const socket = stageSocket(env)
  return socket === null ? runOracle(env) : forwardTo(socket)
}

/** Hands stdin and stdout over to an oracle, and ends as it ends. */
const runOracle = (env: NodeJS.ProcessEnv): Promise<number> => {
  const command = oracleCommand(env, process.cwd(), import.meta.url)
  if (command === null) {
    process.stderr.write('oracle: there is none here; set JOBS_ORACLE\n')
    return Promise.resolve(2)
  }
  const [program, ...args] = typeof command === 'string' ? ['sh', '-c', command] : command
  const child = spawn(program ?? '', args, { stdio: 'inherit', env })
  // A terminal signals the child itself; it decides when both end.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => {
    child.on('error', (cause) => {
      process.stderr.write(`oracle: it could not start: ${cause.message}\n`)
      resolve(2)
    })
    child.on('exit', (code, signal) =>
      resolve(signal === null ? (code ?? 2) : 128 + constants.signals[signal]),
    )
  })
}

/** Many requests may be in flight; each has a connection of its own. */
const forwardTo = async (socket: StageSocket): Promise<number> => {
  const inFlight = new Set<Promise<void>>()
  let ended = false
  await new Promise<void>((resolve) => {
    const reader = lineReader(
      maxRequestBytes,
      (line) => {
        if (ended) return
        const { id, op, answer } = answerTo(line, socket)
        if (op === 'shutdown') {
          ended = true
          process.stdin.destroy()
          resolve()
          return
        }
        const answering = answer().then((response) => {
          process.stdout.write(`${JSON.stringify(Object.assign({ id }, response, { id }))}\n`)
          inFlight.delete(answering)
        })
        inFlight.add(answering)
      },
      () => {
        process.stderr.write(
          `oracle: a request is longer than ${maxRequestBytes} bytes; nothing after it is read\n`,
        )
        resolve()
      },
    )
    process.stdin.on('data', reader.push)
    process.stdin.on('end', () => {
      reader.end()
      resolve()
    })
  })
  await Promise.all(inFlight)
  return 0
}

const maxRequestBytes = 4 * 1024 * 1024

type Forwarded = {
  readonly id: string | null
  readonly op: unknown
  readonly answer: () => Promise<object>
}

const answerTo = (line: string, socket: StageSocket): Forwarded => {
  const message = readLine(line)
  if (message.tag !== 'message') {
    return { id: null, op: null, answer: async () => failed('expected a JSON object with an id') }
  }
  const { id, body } = message
  if (body.op === 'ping') return { id, op: body.op, answer: async () => ({ ok: true, engines }) }
  return {
    id,
    op: body.op,
    answer: async () => {
      const reply = await askStage(socket, { op: 'probe', request: body })()
      if (E.isLeft(reply)) return failed(`${reply.left.tag}: ${reply.left.message}`)
      const { response } = reply.right
      return typeof response === 'object' && response !== null
        ? response
        : failed('no response from the runner')
    },
  }
}

const failed = (why: string): object => ({
  dumps: {},
  errors: Object.fromEntries(engines.map((engine) => [engine, why])),
})

process.exitCode = await main(process.argv.slice(2), process.env)

import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import * as E from 'fp-ts/lib/Either.js'
import { askStage, type StageRequest, stageSocket } from './stage-socket.js'

const usage = `usage: verdict pass [--notes TEXT]
       verdict find TEXT...
       verdict findings [FILE]

Reports a review's verdict to the job that it belongs to: that it passes, or what it found, one TEXT for
each finding. FILE holds a JSON list of strings; without it, or with '-', the list is read from stdin.

exit 0  the runner took the verdict
     2  bad usage or input, no job around it, or the runner turned it down
`

const main = async (args: ReadonlyArray<string>, env: NodeJS.ProcessEnv): Promise<number> => {
  if (args[0] === '--help' || args[0] === '-h') {
    process.stdout.write(usage)
    return 0
  }
  const request = await requestFrom(args)
  if (E.isLeft(request)) return complain(request.left)
  const socket = stageSocket(env)
  if (socket === null) return complain('there is no job around this: DOCKET_SOCKET is not set')
  const reply = await askStage(socket, request.right)()
  return E.isLeft(reply) ? complain(`${reply.left.tag}: ${reply.left.message}`) : 0
}

const requestFrom = async ([word, ...rest]: ReadonlyArray<string>): Promise<
  E.Either<string, StageRequest>
> => {
  switch (word) {
    case 'pass': {
      const [option, notes, ...more] = rest
      if (option === undefined) return E.right({ op: 'verdict', verdict: 'pass', notes: '', findings: [] })
      if (option !== '--notes' || notes === undefined || more.length > 0) return E.left(usage)
      return E.right({ op: 'verdict', verdict: 'pass', notes, findings: [] })
    }
    case 'find':
      return found(rest)
    case 'findings':
      return rest.length > 1 ? E.left(usage) : findingsIn(rest[0] ?? '-')
    default:
      return E.left(usage)
  }
}

const findingsIn = async (file: string): Promise<E.Either<string, StageRequest>> => {
  const place = file === '-' ? 'stdin' : file
  try {
    const findings: unknown = JSON.parse(
      file === '-' ? await text(process.stdin) : await readFile(file, 'utf8'),
    )
    const isList = Array.isArray(findings) && findings.every((finding) => typeof finding === 'string')
    return isList ? found(findings) : E.left(`${place}: expected a JSON list of strings`)
  } catch (cause) {
    return E.left(`${place}: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

const found = (findings: ReadonlyArray<string>): E.Either<string, StageRequest> =>
  findings.length === 0 || findings.some((finding) => finding.trim() === '')
    ? E.left('expected at least one finding, and none of them empty; without any it is `verdict pass`')
    : E.right({ op: 'verdict', verdict: 'findings', notes: '', findings })

const complain = (message: string): number => {
  process.stderr.write(message === usage ? usage : `verdict: ${message}\n`)
  return 2
}

process.exitCode = await main(process.argv.slice(2), process.env)

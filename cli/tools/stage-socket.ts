import { connect } from 'node:net'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { isObject } from '../../domain/codecs.js'

/** What a tool asks of the runner; `op` says what, and the runner decides whether this stage may. */
export type StageRequest = { readonly op: string } & Readonly<Record<string, unknown>>

export type StageReply = Readonly<Record<string, unknown>>

/** `tag` is the runner's own where it turned the request down, else `stage-socket`. */
export type StageFailure = { readonly tag: string; readonly message: string }

/** Where the runner of a stage listens, and the token that is good for this stage alone. */
export type StageSocket = { readonly path: string; readonly token: string }

/** The socket that the environment names; `null` outside of a job. */
export const stageSocket = (env: NodeJS.ProcessEnv): StageSocket | null =>
  env.DOCKET_SOCKET === undefined || env.DOCKET_SOCKET === ''
    ? null
    : { path: env.DOCKET_SOCKET, token: env.DOCKET_TOKEN ?? '' }

/**
 * Asks the runner one thing over a connection of its own: a JSON line with the token and the request,
 * answered by a JSON line with `ok`. It waits for as long as the runner keeps the connection: the stage's
 * own timeout bounds it.
 */
export const askStage =
  (socket: StageSocket, request: StageRequest): TaskEither<StageFailure, StageReply> =>
  () =>
    new Promise((resolve) => {
      const pieces: Array<Buffer> = []
      let size = 0
      const connection = connect(socket.path)
      const fail = (message: string): void => {
        connection.destroy()
        resolve(E.left({ tag: 'stage-socket', message }))
      }
      connection.on('connect', () => {
        connection.write(`${JSON.stringify({ token: socket.token, ...request })}\n`)
      })
      connection.on('data', (chunk) => {
        const newline = chunk.indexOf(0x0a)
        const piece = newline === -1 ? chunk : chunk.subarray(0, newline)
        pieces.push(piece)
        size += piece.length
        if (size > maxReplyBytes) fail(`the runner's answer is longer than ${maxReplyBytes} bytes`)
        if (newline === -1) return
        connection.end()
        resolve(readReply(Buffer.concat(pieces).toString('utf8')))
      })
      connection.on('error', (cause) => fail(`the runner cannot be reached: ${cause.message}`))
      connection.on('close', () => fail('the runner closed the connection without an answer'))
    })

const maxReplyBytes = 256 * 1024 * 1024

const readReply = (line: string): E.Either<StageFailure, StageReply> => {
  try {
    const reply: unknown = JSON.parse(line)
    if (!isObject(reply)) return E.left({ tag: 'stage-socket', message: 'the runner answered no object' })
    if (reply.ok === true) return E.right(reply)
    return E.left({
      tag: typeof reply.tag === 'string' ? reply.tag : 'refused',
      message: typeof reply.message === 'string' ? reply.message : 'the runner turned the request down',
    })
  } catch {
    return E.left({ tag: 'stage-socket', message: 'the runner answered no JSON' })
  }
}

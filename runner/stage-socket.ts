import { randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'

/** What a stage says: an operation with its own fields, after its token was found right. */
export type StageMessage = { readonly op: string; readonly fields: Readonly<Record<string, unknown>> }

/** One line back. A refused message has a tag and a message instead of what was asked for. */
export type StageReply =
  | ({ readonly ok: true } & Readonly<Record<string, unknown>>)
  | { readonly ok: false; readonly tag: string; readonly message: string }

export type StageSocket = {
  readonly path: string
  readonly token: string
  close(): Promise<void>
}

/** The most characters that one message may have. */
const longestLine = 32 * 1024 * 1024

/**
 * Listens for one stage alone: a Unix socket in a private folder, with a token that is good until it is
 * closed. One JSON object a line in each direction; messages of a connection are answered in order.
 */
export const openStageSocket = async (
  answer: (message: StageMessage) => Promise<StageReply>,
): Promise<StageSocket> => {
  const folder = mkdtempSync(join(tmpdir(), 'docket-'))
  const path = join(folder, 'stage')
  const token = randomBytes(24).toString('base64url')
  const connections = new Set<Socket>()
  const server = createServer((connection) => {
    connections.add(connection)
    connection.once('close', () => connections.delete(connection))
    serve(connection, token, answer)
  })
  await listen(server, path)
  return {
    path,
    token,
    close: async () => {
      for (const connection of connections) connection.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const listen = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => resolve())
  })

const serve = (
  connection: Socket,
  token: string,
  answer: (message: StageMessage) => Promise<StageReply>,
): void => {
  let waiting = ''
  let turn: Promise<void> = Promise.resolve()
  connection.setEncoding('utf8')
  connection.on('error', () => connection.destroy())
  connection.on('data', (chunk: string) => {
    waiting += chunk
    if (waiting.length > longestLine) {
      connection.end(`${JSON.stringify(refused('too-long', 'the message is too long'))}\n`)
      waiting = ''
      return
    }
    const lines = waiting.split('\n')
    waiting = lines.pop() ?? ''
    for (const line of lines) {
      turn = turn.then(async () => {
        const reply = await replyTo(line, token, answer)
        if (!connection.destroyed) connection.write(`${JSON.stringify(reply)}\n`)
      })
    }
  })
}

const Message = t.type({ token: t.string, op: t.string })

const replyTo = async (
  line: string,
  token: string,
  answer: (message: StageMessage) => Promise<StageReply>,
): Promise<StageReply> => {
  const parsed = parse(line)
  const message = Message.decode(parsed)
  if (E.isLeft(message)) return refused('not-a-message', 'expected an object with a token and an op')
  if (!sameToken(message.right.token, token)) return refused('bad-token', 'this token is not good here')
  const { token: _, op, ...fields } = { ...(parsed as Record<string, unknown>), ...message.right }
  return answer({ op, fields })
}

export const refused = (tag: string, message: string): StageReply => ({ ok: false, tag, message })

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

const sameToken = (given: string, token: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(token)]
  return a.length === b.length && timingSafeEqual(a, b)
}

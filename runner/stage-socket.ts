import { randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { lineReader } from '../oracle/client/line-reader.js'

/** What a stage says: an operation with its own fields, after its token was found right. */
export type StageMessage = { readonly op: string; readonly fields: Readonly<Record<string, unknown>> }

/** One line back. A refused message has a tag and a message instead of what was asked for. */
export type StageReply =
  | ({ readonly ok: true } & Readonly<Record<string, unknown>>)
  | { readonly ok: false; readonly tag: string; readonly message: string }

export type StageListener = {
  /** Answers a message that came with the right token. */
  answer(message: StageMessage): Promise<StageReply>
  /** Turns away what is none. */
  refuse(tag: 'not-a-message' | 'bad-token' | 'too-long', message: string): Promise<StageReply>
}

export type StageSocket = {
  readonly path: string
  readonly token: string
  /** Hears nothing any more, and settles when what was heard before has been dealt with. */
  close(): Promise<void>
}

/** The most bytes that one message may have. */
const longestLine = 32 * 1024 * 1024

/**
 * Listens for one stage alone: a Unix socket in a private folder, with a token that is good until it is
 * closed. One JSON object a line in each direction; messages of a connection are answered in order.
 */
export const openStageSocket = async (listener: StageListener): Promise<StageSocket> => {
  const folder = mkdtempSync(join(tmpdir(), 'docket-'))
  const path = join(folder, 'stage')
  const token = randomBytes(24).toString('base64url')
  const conversations = new Set<Conversation>()
  const server = createServer((connection) => {
    const conversation = converse(connection, token, listener)
    conversations.add(conversation)
    connection.once('close', () => void conversation.idle().then(() => conversations.delete(conversation)))
  })
  await listen(server, path)
  return {
    path,
    token,
    close: async () => {
      const open = [...conversations]
      for (const conversation of open) conversation.hangUp()
      await new Promise<void>((resolve) => server.close(() => resolve()))
      await Promise.all(open.map((conversation) => conversation.idle()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const listen = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => resolve())
  })

type Conversation = { hangUp(): void; idle(): Promise<void> }

/** Reads no further while a line is being answered, so that a stage cannot pile up work. */
const converse = (connection: Socket, token: string, listener: StageListener): Conversation => {
  let over = false
  let waiting = 0
  let turn: Promise<void> = Promise.resolve()
  const inTurn = (reply: () => Promise<StageReply>): void => {
    waiting += 1
    connection.pause()
    turn = turn.then(async () => {
      const said = over ? null : await reply()
      if (said !== null && connection.writable) connection.write(`${JSON.stringify(said)}\n`)
      waiting -= 1
      if (waiting === 0 && !connection.destroyed) connection.resume()
    })
  }
  const reader = lineReader(
    longestLine,
    (line) => inTurn(() => replyTo(line, token, listener)),
    () => {
      inTurn(() => listener.refuse('too-long', 'the message is too long'))
      turn = turn.then(() => void connection.end())
    },
  )
  connection.on('error', () => connection.destroy())
  connection.on('data', reader.push)
  return {
    hangUp: () => {
      over = true
      connection.destroy()
    },
    idle: () => turn,
  }
}

const Message = t.type({ token: t.string, op: t.string })

const replyTo = async (line: string, token: string, listener: StageListener): Promise<StageReply> => {
  const parsed = parse(line)
  const message = Message.decode(parsed)
  if (E.isLeft(message)) return listener.refuse('not-a-message', 'expected an object with a token and an op')
  if (!sameToken(message.right.token, token)) {
    return listener.refuse('bad-token', 'this token is not good here')
  }
  const { token: _, op, ...fields } = { ...(parsed as Record<string, unknown>), ...message.right }
  return listener.answer({ op, fields })
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

import * as E from 'fp-ts/lib/Either.js'
import type { AppendRequest } from '../envelope.js'
import { type AppendResult, appendBatch } from './append-batch.js'
import type { Connection } from './connect.js'
import { type EncodedRequest, encodeRequest } from './encode-request.js'

export type AppendQueue = {
  append(request: AppendRequest): Promise<AppendResult>
  /** Settles when nothing is waiting or under way. */
  idle(): Promise<void>
}

/** How much may share a transaction: requests, and events of theirs; a larger request goes alone. */
const mostRequests = 256
const mostEvents = 4096

type Waiting = {
  readonly encoded: EncodedRequest
  readonly settle: (result: AppendResult) => void
  readonly fail: (cause: unknown) => void
}

/**
 * Appends of one process, in the order in which they came. The head is locked by one append at a time in any
 * case, so those that come while one is under way wait here and share the next transaction, each with its own
 * result.
 */
export const openAppendQueue = (connection: Connection): AppendQueue => {
  let waiting: Array<Waiting> = []
  let running: Promise<void> | null = null

  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, fitting(waiting))
      waiting = waiting.slice(batch.length)
      await send(connection, batch)
      // Who was just answered may have more to append at once: taken now, the first of them would go alone.
      await turn()
    }
    running = null
  }

  return {
    append: (request) => {
      const encoded = encodeRequest(request)
      if (E.isLeft(encoded)) return Promise.resolve(encoded)
      return new Promise((settle, fail) => {
        waiting.push({ encoded: encoded.right, settle, fail })
        running ??= drain()
      })
    },
    idle: () => running ?? Promise.resolve(),
  }
}

/** Settles when everything that could go on has gone on. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** How many of those that wait fit into one transaction, at least one. */
const fitting = (waiting: ReadonlyArray<Waiting>): number => {
  let events = 0
  const tooMany = waiting.slice(0, mostRequests).findIndex(({ encoded }) => {
    events += encoded.request.events.length
    return events > mostEvents
  })
  return tooMany < 0 ? Math.min(waiting.length, mostRequests) : Math.max(1, tooMany)
}

/** A statement that the database refuses is a bug of one of them: sent alone, only that one fails. */
const send = async (connection: Connection, batch: ReadonlyArray<Waiting>): Promise<void> => {
  try {
    const results = await appendBatch(
      connection,
      batch.map(({ encoded }) => encoded),
    )
    for (const [place, { settle, fail }] of batch.entries()) {
      const result = results[place]
      if (result === undefined) fail(new Error('a request was left without a result'))
      else settle(result)
    }
  } catch (cause) {
    const [only, ...others] = batch
    if (others.length === 0) only?.fail(cause)
    else for (const one of batch) await send(connection, [one])
  }
}

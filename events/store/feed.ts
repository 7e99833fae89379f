import { EventEmitter } from 'eventemitter3'
import type pg from 'pg'
import type { RecordedEvent } from '../envelope.js'
import type { Connection } from './connect.js'
import type { Subscription } from './event-store.js'
import { channelOf, openTelling } from './telling.js'

/** Milliseconds between two looks at the head when nobody says that it moved. */
const pollMs = 500

export type Feed = {
  follow(after: number, onEvent: (event: RecordedEvent) => void | Promise<void>): Subscription
  /** Tells the readers of this process at once, and those of others through the database. */
  appended(position: number): void
  close(): Promise<void>
}

/**
 * Readers by position. A word on the emitter or from the database only says when to look; what is read is
 * everything after the last position, so a word that is lost costs a poll and never an event.
 */
export const openFeed = (
  connection: Connection,
  readAll: (after: number, limit: number) => Promise<ReadonlyArray<RecordedEvent>>,
): Feed => {
  const words = new EventEmitter<{ moved: [] }>()
  const subscriptions = new Set<Subscription>()
  const listener = listening(connection, () => words.emit('moved'))
  const telling = openTelling(connection)

  return {
    follow: (after, onEvent) => {
      listener.start()
      const subscription = subscribe(words, after, onEvent, readAll, () => subscriptions.delete(subscription))
      subscriptions.add(subscription)
      return subscription
    },
    appended: (position) => {
      words.emit('moved')
      telling.moved(position)
    },
    close: async () => {
      const closed = await Promise.allSettled([...subscriptions].map((subscription) => subscription.close()))
      await listener.stop()
      await telling.idle()
      for (const one of closed) if (one.status === 'rejected') throw one.reason
    },
  }
}

const subscribe = (
  words: EventEmitter<{ moved: [] }>,
  after: number,
  onEvent: (event: RecordedEvent) => void | Promise<void>,
  readAll: (after: number, limit: number) => Promise<ReadonlyArray<RecordedEvent>>,
  onClosed: () => void,
): Subscription => {
  let position = after
  let healthy = true
  let closing = false
  let wake: () => void = () => {}
  const onMoved = (): void => wake()
  words.on('moved', onMoved)

  const drain = async (): Promise<void> => {
    for (;;) {
      const events = await readAll(position, 500)
      healthy = true
      for (const event of events) {
        await onEvent(event)
        position = event.position
      }
      if (events.length < 500) return
    }
  }

  const run = async (): Promise<void> => {
    for (;;) {
      // Asked for before reading, so that a word that comes while we read is not missed.
      const moved = new Promise<void>((resolve) => {
        wake = resolve
      })
      const last = closing
      await drain().catch((cause: unknown) => {
        if (isOurs(cause)) throw cause
        healthy = false
      })
      if (last) return
      const timer = setTimeout(wake, pollMs)
      if (!closing) await moved
      clearTimeout(timer)
    }
  }
  const running = run()
  // Who closes it learns of it; until then an error of `onEvent` has nobody else to go to.
  running.catch(() => {
    healthy = false
  })

  return {
    healthy: () => healthy,
    close: async () => {
      closing = true
      wake()
      words.off('moved', onMoved)
      onClosed()
      await running
    },
  }
}

/** The database being away is waited out; anything else is a bug of the reader. */
const isOurs = (cause: unknown): boolean => !(cause instanceof Error && cause.name === 'StoreUnavailable')

/** Keeps one connection listening, and makes a new one when it dies. */
const listening = (connection: Connection, onWord: () => void) => {
  let client: pg.Client | null = null
  let stopped = true
  let connecting: Promise<void> = Promise.resolve()

  const listen = async (): Promise<void> => {
    if (stopped) return
    try {
      const fresh = await connection.client()
      fresh.on('notification', onWord)
      fresh.once('end', () => {
        client = null
        again()
      })
      client = fresh
      await fresh.query(`listen ${channelOf(connection.schema)}`)
      onWord()
    } catch {
      // Nobody waits for this: a server that does not start must not keep a store from closing.
      void connection
        .revive()
        .catch(() => {})
        .then(again)
    }
  }
  const again = (): void => {
    if (!stopped) setTimeout(() => void start(), pollMs).unref()
  }
  const start = (): Promise<void> => {
    connecting = connecting.then(() => (client === null ? listen() : undefined))
    return connecting
  }
  return {
    start: (): void => {
      if (!stopped) return
      stopped = false
      void start()
    },
    stop: async (): Promise<void> => {
      stopped = true
      await connecting
      await client?.end().catch(() => {})
    },
  }
}

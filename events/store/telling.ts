import type { Connection } from './connect.js'

export type Telling = {
  /** Tells the other processes that the head has come to a position. */
  moved(position: number): void
  /** Settles when everything was told. */
  idle(): Promise<void>
}

/** The channel on which a ledger says that its head moved. */
export const channelOf = (schema: string): string => `docket_${schema}`

/** Without a sync: a word that a crash takes is one that nobody is left to hear. */
const tell = `select pg_notify($1, $2) from set_config('synchronous_commit', 'off', true)`

/** Milliseconds between two words: a word costs the server half of what an append does. */
const pauseMs = 5

/**
 * Tells through the database, after the commit and on its own: inside, it would serialise the commits of every
 * ledger. What moves while a word is under way, or shortly after it, is told by the next one, so that a burst of
 * appends does not wait behind as many words. One that is lost costs its readers a poll.
 */
export const openTelling = ({ pool, schema }: Connection): Telling => {
  let newest = 0
  let told = 0
  let lastAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> | null = null

  const tellNewest = async (): Promise<void> => {
    while (told < newest) {
      const left = lastAt + pauseMs - performance.now()
      if (left > 0) await new Promise((resolve) => setTimeout(resolve, left))
      told = newest
      await pool.query(tell, [channelOf(schema), String(told)]).catch(() => {})
      lastAt = performance.now()
    }
    running = null
  }

  return {
    moved: (position) => {
      newest = Math.max(newest, position)
      running ??= tellNewest()
    },
    idle: () => running ?? Promise.resolve(),
  }
}

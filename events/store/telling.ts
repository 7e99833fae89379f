import type { Connection } from './connect.js'

export type Telling = {
  /** Tells the other processes that the head has come to a position. */
  moved(position: number): void
  /** Settles when everything was told. */
  idle(): Promise<void>
}

/** The channel on which a ledger says that its head moved. */
export const channelOf = (schema: string): string => `docket_${schema}`

/**
 * Tells through the database, after the commit and on its own: inside, it would serialise the commits of every
 * ledger. What moves while a word is under way is told by the next one, so that a burst of appends does not wait
 * behind as many words. One that is lost costs its readers a poll.
 */
export const openTelling = ({ pool, schema }: Connection): Telling => {
  let newest = 0
  let told = 0
  let running: Promise<void> | null = null

  const tell = async (): Promise<void> => {
    while (told < newest) {
      told = newest
      await pool.query('select pg_notify($1, $2)', [channelOf(schema), String(told)]).catch(() => {})
    }
    running = null
  }

  return {
    moved: (position) => {
      newest = Math.max(newest, position)
      running ??= tell()
    },
    idle: () => running ?? Promise.resolve(),
  }
}

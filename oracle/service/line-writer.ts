import type { Writable } from 'node:stream'

/** Writes whole lines of JSON, and lets the caller wait for a reader that is slow. */
export type LineWriter = {
  readonly write: (message: object) => void
  /** When what was written so far left enough room for more; at once for a reader that is gone. */
  readonly room: () => Promise<void>
  /** When everything is with the reader. */
  readonly flushed: () => Promise<void>
  readonly isGone: () => boolean
}

/** `onGone` is called once when nobody reads any more (EPIPE). */
export const writeLines = (output: Writable, onGone: () => void): LineWriter => {
  let gone = false
  let waiting: Array<() => void> = []
  const wake = (): void => {
    const woken = waiting
    waiting = []
    for (const resolve of woken) resolve()
  }
  output.on('drain', wake)
  output.on('error', () => {
    if (gone) return
    gone = true
    wake()
    onGone()
  })
  const until = async (done: () => boolean): Promise<void> => {
    while (!gone && !done()) await new Promise<void>((resolve) => waiting.push(resolve))
  }
  return {
    write: (message) => {
      if (!gone) output.write(`${JSON.stringify(message)}\n`)
    },
    room: () => until(() => !output.writableNeedDrain),
    flushed: () => until(() => output.writableLength === 0),
    isGone: () => gone,
  }
}

import { decodeOrThrow, jobStream } from '../events/read-stream.js'
import type { EventStore } from '../events/store/event-store.js'
import { duration } from '../projections/text.js'
import { note, noteColour } from './output.js'
import { renderEvent } from './render/story.js'

/**
 * Tells the story of a job on stderr as it is appended. On a terminal a last line counts how long the
 * running stage has taken so far.
 */
export const tellLive = (store: EventStore, job: string, after: number): { close(): Promise<void> } => {
  const terminal = process.stderr.isTTY === true
  let running: { readonly stage: string; readonly since: number } | null = null
  let drawn = false
  const wipe = (): void => {
    if (drawn) process.stderr.write('\r\u001b[K')
    drawn = false
  }
  const draw = (): void => {
    if (running === null) return
    const took = duration(performance.now() - running.since)
    process.stderr.write(`\r\u001b[K${noteColour.dim(`       ${running.stage} … ${took}`)}`)
    drawn = true
  }
  const clock = terminal ? setInterval(draw, 1000) : null
  const subscription = store.follow(after, (recorded) => {
    if (recorded.stream !== jobStream(job)) return
    const event = decodeOrThrow(recorded)
    wipe()
    note(renderEvent(event, noteColour.dim))
    if (event.type === 'StageStarted') running = { stage: event.data.stage, since: performance.now() }
    if (event.type === 'StageEnded') running = null
  })
  return {
    close: async () => {
      if (clock !== null) clearInterval(clock)
      await subscription.close()
      wipe()
    },
  }
}

import type { Recorded } from '../events/recorded.js'
import { badUsage } from './exit.js'

/**
 * The events of a job up to a moment. A moment is a position of the ledger (`120`), a version of the
 * job (`v12`), a time (`2026-12-01T10:00:00Z`), `round 2` or `stage test` (the end of the newest), or so
 * many events before the last (`-1`). A time means the last event at or before it.
 */
export const eventsUntil = (events: ReadonlyArray<Recorded>, when: string): ReadonlyArray<Recorded> => {
  const upTo = (holds: (event: Recorded) => boolean): ReadonlyArray<Recorded> => {
    const last = events.findLastIndex(holds)
    if (last < 0) throw badUsage(`the job has no event at or before ${when}`)
    return events.slice(0, last + 1)
  }
  const text = when.trim()
  const back = /^-(\d{1,9})$/.exec(text)
  if (back !== null) {
    const kept = events.length - Number(back[1])
    if (kept < 1) throw badUsage(`the job has ${events.length} events, so it cannot go back ${back[1]}`)
    return events.slice(0, kept)
  }
  if (/^\d{1,15}$/.test(text)) return upTo(({ position }) => position <= Number(text))
  const version = /^v(\d{1,9})$/.exec(text)
  if (version !== null) return upTo((event) => event.version <= Number(version[1]))
  const round = /^round (\d{1,9})$/.exec(text)
  if (round !== null) return endOfRound(events, Number(round[1]))
  const stage = /^stage (.+)$/.exec(text)
  if (stage !== null) {
    return upTo((event) => event.type === 'StageEnded' && event.data.stage === stage[1])
  }
  const time = timeOf(text)
  if (time !== null) return upTo(({ at }) => Date.parse(at) <= time)
  throw badUsage(
    `${JSON.stringify(when)} is no moment: give a position (120), a version (v12), a time with its zone`,
    '(2026-12-01T10:00:00Z), "round 2", "stage test", or a number of events back (-1)',
  )
}

/** Everything up to where the next round starts. */
const endOfRound = (events: ReadonlyArray<Recorded>, round: number): ReadonlyArray<Recorded> => {
  const started = (event: Recorded, number: number): boolean =>
    event.type === 'RoundStarted' && event.data.round === number
  if (!events.some((event) => started(event, round))) throw badUsage(`the job has no round ${round}`)
  const next = events.findIndex((event) => started(event, round + 1))
  return next < 0 ? events : events.slice(0, next)
}

const timeOf = (text: string): number | null => {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(text)) return null
  const time = Date.parse(text)
  return Number.isNaN(time) ? null : time
}

import { randomUUID } from 'node:crypto'
import type { DocketEvent } from '../../../events/docket-event.js'
import { inTurns, type Row, rowOf } from '../../measure.js'
import { roundsOf } from './job.js'
import { type Side, withPair } from './pair.js'

/** Milliseconds of one turn. */
const turnMs = 700

/** Events a second, appended by so many writers at once, each to a stream of its own at its exact version. */
export const appendRows = async (server: string): Promise<ReadonlyArray<Row>> => {
  const rows: Array<Row> = []
  for (const { writers, size, wanted } of loads) {
    const measured = await withPair(server, ({ docket, peer }) =>
      inTurns(
        5,
        () => rateOf(docket, writers, size),
        () => rateOf(peer, writers, size),
      ),
    )
    const appends = size === 1 ? 'singly' : `by ${size}`
    rows.push(
      rowOf(
        `append, ${writers} ${writers === 1 ? 'writer' : 'writers'}, ${appends}`,
        'events/s',
        measured,
        wanted,
      ),
    )
  }
  return rows
}

const ahead = 'ahead of the peer'
const loads = [
  { writers: 1, size: 1, wanted: ahead },
  { writers: 8, size: 1, wanted: ahead },
  { writers: 32, size: 1, wanted: `20,000, ${ahead}` },
  { writers: 1, size: 100, wanted: `60,000, ${ahead}` },
  { writers: 8, size: 100, wanted: `60,000, ${ahead}` },
  { writers: 32, size: 100, wanted: `60,000, ${ahead}` },
]

const rateOf = async ({ append }: Side<unknown>, writers: number, size: number): Promise<number> => {
  const began = performance.now()
  let appended = 0
  const write = async (): Promise<void> => {
    const job = randomUUID()
    for (let version = 0; performance.now() - began < turnMs; version += size) {
      await append(job, version, eventsAfter(version, size))
      appended += size
    }
  }
  await Promise.all(Array.from({ length: writers }, write))
  return appended / ((performance.now() - began) / 1000)
}

const events = roundsOf(1, 50)

/** The events of a long job from a version on; it begins anew where they end. */
const eventsAfter = (version: number, size: number): ReadonlyArray<DocketEvent> => {
  const from = version % (events.length - size)
  return events.slice(from, from + size)
}

/** Bytes of JSON of the data of one event, on average. */
export const bytesOfEvent = (): number =>
  Math.round(events.reduce((bytes, { data }) => bytes + JSON.stringify(data).length, 0) / events.length)

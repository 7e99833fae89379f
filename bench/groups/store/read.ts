import { decodeOrThrow } from '../../../events/read-stream.js'
import { evolveView } from '../../../projections/job/fold.js'
import type { JobView } from '../../../projections/job/view.js'
import { inTurns, type Row, rowOf, timed } from '../../measure.js'
import { fill } from './fill.js'
import { type Pair, withPair } from './pair.js'
import { dumbo, emmett, recordedOf } from './peer.js'

/** Events a second that are read in the order of the whole ledger and folded in memory, with nothing written. */
export const readRows = (server: string): Promise<ReadonlyArray<Row>> =>
  withPair(server, async (pair) => {
    const jobs = 300
    const events = await fill(pair, { docket: jobs, peer: jobs })
    const rate = async (count: number, read: () => Promise<number>): Promise<number> => {
      const ms = await timed(async () => {
        const accepted = await read()
        if (accepted !== jobs) throw new Error(`${accepted} jobs were accepted, and not ${jobs}`)
      })
      return count / (ms / 1000)
    }
    const measured = await inTurns(
      3,
      () => rate(events.docket, () => readDocket(pair.docket)),
      () => rate(events.peer, () => readPeer(pair.peer)),
    )
    const note = 'read all: the peer by readMessagesBatch, which checks no event against a codec'
    return [rowOf('read all and fold in memory', 'events/s', measured, 'ahead of the peer', note)]
  })

const size = 1000

const readDocket = async ({ store }: Pair['docket']): Promise<number> => {
  const views = new Map<string, JobView | null>()
  for (let after = 0; ; ) {
    const events = await store.readAll(after, size)
    for (const event of events.map(decodeOrThrow)) {
      views.set(event.correlationId, evolveView(views.get(event.correlationId) ?? null, event))
    }
    const last = events.at(-1)
    if (last === undefined) return acceptedOf(views)
    after = last.position
  }
}

const readPeer = async ({ address }: Pair['peer']): Promise<number> => {
  const views = new Map<string, JobView | null>()
  const pool = dumbo({ connectionString: address })
  try {
    for (let after = 0n; ; ) {
      const { messages, currentGlobalPosition } = await emmett.readMessagesBatch(pool.execute, {
        after,
        batchSize: size,
      })
      for (const event of messages.map(recordedOf)) {
        views.set(event.correlationId, evolveView(views.get(event.correlationId) ?? null, event))
      }
      if (messages.length === 0) return acceptedOf(views)
      after = currentGlobalPosition
    }
  } finally {
    await pool.close()
  }
}

const acceptedOf = (views: ReadonlyMap<string, JobView | null>): number =>
  [...views.values()].filter((view) => view?.status === 'accepted').length

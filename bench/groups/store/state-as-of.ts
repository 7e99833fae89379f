import { readStream } from '../../../events/read-stream.js'
import { evolveView, foldJob } from '../../../projections/job/fold.js'
import type { JobView } from '../../../projections/job/view.js'
import { inTurns, type Row, rowOf, timed } from '../../measure.js'
import { jobOf } from './job.js'
import { type Pair, streamOf, withPair } from './pair.js'
import { recordedOf } from './peer.js'

const length = 10_000
const job = 'long'

/** Milliseconds to the state of a job as it stood at a version of its stream. */
export const stateRows = (server: string): Promise<ReadonlyArray<Row>> =>
  withPair(server, async (pair) => {
    const events = jobOf(600).slice(0, length)
    for (const { append } of [pair.docket, pair.peer]) {
      for (let version = 0; version < length; version += 500) {
        await append(job, version, events.slice(version, version + 500))
      }
    }
    const rows: Array<Row> = []
    for (const version of [length / 2, length]) {
      const position = await positionOf(pair.docket, version)
      const measured = await inTurns(
        7,
        () => timed(async () => confirm(await stateOfDocket(pair.docket, position), version)),
        () => timed(async () => confirm(await stateOfPeer(pair.peer, version), version)),
      )
      const row = `state at version ${version} of ${length}`
      const note =
        'state: the peer by aggregateStream with `to` and the same fold; it checks no event against a codec'
      rows.push(rowOf(row, 'ms', measured, 'under 50, ahead of the peer', note))
    }
    return rows
  })

const positionOf = async ({ store }: Pair['docket'], version: number): Promise<number> =>
  (await store.readStream(streamOf(job))).find((event) => event.version === version)?.position ?? 0

const stateOfDocket = async ({ store }: Pair['docket'], position: number): Promise<JobView | null> =>
  foldJob(await readStream(store, streamOf(job), position))

const stateOfPeer = async ({ store }: Pair['peer'], version: number): Promise<JobView | null> => {
  const { state } = await store.aggregateStream<JobView | null>(streamOf(job), {
    initialState: () => null,
    evolve: (view, event) => evolveView(view, recordedOf(event)),
    read: { to: BigInt(version) },
  })
  return state
}

const confirm = (view: JobView | null, version: number): void => {
  if (view?.version !== version)
    throw new Error(`the state is as of version ${view?.version}, not ${version}`)
}

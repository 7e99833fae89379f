import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '../../../events/store/open-store.js'
import { percentile, type Row, rowOf } from '../../measure.js'
import { roundsOf } from './job.js'
import { type Pair, type Side, withPair } from './pair.js'
import { emmett, type PeerConsumer } from './peer.js'

/** Milliseconds from the call of an append to the event at a reader of the same store and at one of another. */
export const feedRows = (server: string): Promise<ReadonlyArray<Row>> =>
  withPair(server, async ({ docket, peer }) => {
    const own = { same: [] as number[], another: [] as number[] }
    const others = { same: [] as number[], another: [] as number[] }
    for (let turn = 0; turn < 2; turn++) {
      await followDocket(docket, own)
      await followPeer(peer, others)
    }
    const note = 'feed: the peer by a reactor of its consumer, which asks by default every 0.1 to 1 s'
    return (['same', 'another'] as const).flatMap((reader) =>
      [50, 99].map((share) => {
        const at = (all: ReadonlyArray<number>): number => percentile(all, share / 100)
        const measured = { docket: at(own[reader]), peer: at(others[reader]) }
        const row = `feed to ${reader === 'same' ? 'the same store' : 'another connection'}, p${share}`
        return rowOf(row, 'ms', measured, 'ahead of the peer', note)
      }),
    )
  })

/** Milliseconds of every event, by reader. */
type Latencies = { readonly same: Array<number>; readonly another: Array<number> }

const followDocket = async (side: Pair['docket'], into: Latencies): Promise<void> => {
  const another = await openStore({ env: { DATABASE_URL: side.address } })
  try {
    const { position } = await side.store.head()
    const watch = watching(into)
    const readers = [
      side.store.follow(position, ({ stream, version }) => watch.same(stream, version)),
      another.follow(position, ({ stream, version }) => watch.another(stream, version)),
    ]
    await appendSlowly(side, watch)
    for (const reader of readers) await reader.close()
  } finally {
    await another.close()
  }
}

const followPeer = async (side: Pair['peer'], into: Latencies): Promise<void> => {
  const watch = watching(into)
  const another = emmett.postgreSQLEventStoreConsumer({ connectionString: side.address })
  const read = (consumer: PeerConsumer, reader: 'same' | 'another'): Promise<void> => {
    consumer.reactor({
      processorId: randomUUID(),
      eachMessage: async ({ metadata }) =>
        watch[reader](metadata.streamName, Number(metadata.streamPosition)),
    })
    return consumer.start()
  }
  const same = side.store.consumer()
  const running = [read(same, 'same'), read(another, 'another')]
  await appendSlowly(side, watch)
  // Closing the one would close the store's own pool.
  await same.stop()
  await another.close()
  await Promise.all(running)
}

type Watch = ReturnType<typeof watching>

const watching = (into: Latencies) => {
  const sent = new Map<string, number>()
  let seen = 0
  let done: () => void = () => {}
  const allSeen = new Promise<void>((resolve) => {
    done = resolve
  })
  const at =
    (latencies: Array<number>) =>
    (stream: string, version: number): void => {
      const began = sent.get(`${stream} ${version}`)
      if (began === undefined) return
      // The first ones wait for the readers to be connected.
      if (version > unmeasured) latencies.push(performance.now() - began)
      seen++
      if (seen === 2 * events.length) done()
    }
  return { sent, allSeen, same: at(into.same), another: at(into.another) }
}

const events = roundsOf(1, 6)
const unmeasured = 5

/** One at a time and at no regular times, as a job writes them. */
const appendSlowly = async ({ append }: Side<unknown>, watch: Watch): Promise<void> => {
  const job = randomUUID()
  for (const [version, event] of events.entries()) {
    await sleep(version < unmeasured ? 200 : 20 + Math.random() * 40)
    watch.sent.set(`job-${job} ${version + 1}`, performance.now())
    await append(job, version, [event])
  }
  await watch.allSeen
}

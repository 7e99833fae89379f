import { randomUUID } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import type { DocketEvent } from '../../../events/docket-event.js'
import { writeEvent } from '../../../events/read-event.js'
import { type OpenedStore, openStore } from '../../../events/store/open-store.js'
import { withDatabase } from './database.js'
import { emmett, type PeerStore, Pool } from './peer.js'

/** Appends to the stream of a job that has so many events, and to no other version of it. */
type Append = (job: string, after: number, events: ReadonlyArray<DocketEvent>) => Promise<void>

export type Side<Store> = {
  readonly address: string
  readonly store: Store
  readonly append: Append
}

/** Both stores, each empty and migrated, in a database of its own on one server. */
export type Pair = { readonly docket: Side<OpenedStore>; readonly peer: Side<PeerStore> }

export const streamOf = (job: string): string => `job-${job}`

export const withPair = <A>(server: string, use: (pair: Pair) => Promise<A>): Promise<A> =>
  withDocket(server, (docket) => withPeer(server, (peer) => use({ docket, peer })))

const withDocket = <A>(server: string, use: (side: Side<OpenedStore>) => Promise<A>): Promise<A> =>
  withDatabase(server, async (address) => {
    const store = await openStore({ env: { DATABASE_URL: address } })
    try {
      return await use({ address, store, append: docketAppend(store) })
    } finally {
      await store.close()
    }
  })

const withPeer = <A>(server: string, use: (side: Side<PeerStore>) => Promise<A>): Promise<A> =>
  withDatabase(server, async (address) => {
    // As many connections as its documentation shows.
    const pool = new Pool({ connectionString: address, max: 20 })
    pool.on('error', () => {})
    const store = emmett.getPostgreSQLEventStore(address, {
      connectionOptions: { pool },
      schema: { autoMigration: 'None' },
    })
    try {
      await store.schema.migrate()
      return await use({ address, store, append: peerAppend(store) })
    } finally {
      await store.close()
      await pool.end()
    }
  })

const docketAppend =
  (store: OpenedStore): Append =>
  async (job, after, events) => {
    const appended = await store.append({
      stream: streamOf(job),
      expected: after === 0 ? 'none' : after,
      events: events.map(writeEvent),
      actor: 'bench',
      commandId: randomUUID(),
      correlationId: job,
    })
    if (E.isLeft(appended)) throw new Error(`Docket did not append: ${appended.left.tag}`)
  }

const peerAppend =
  (store: PeerStore): Append =>
  async (job, after, events) => {
    const about = { actor: 'bench', causationId: randomUUID(), correlationId: job }
    const metadata = { at: new Date().toISOString(), ...about }
    await store.appendToStream(
      streamOf(job),
      events.map(({ type, data }) => ({ type, data, metadata })),
      { expectedStreamVersion: BigInt(after) },
    )
  }

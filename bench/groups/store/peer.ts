import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type pg from 'pg'
import type { Recorded } from '../../../events/recorded.js'

/**
 * Emmett's event store for PostgreSQL, as far as it is measured here. It is no dependency of Docket: it is loaded
 * from a folder of its own, which `npm run bench` fills.
 */
type Emmett = {
  getPostgreSQLEventStore(address: string, options: PeerOptions): PeerStore
  pongoSingleStreamProjection<Doc>(options: {
    readonly collectionName: string
    readonly canHandle: ReadonlyArray<string>
    readonly getDocumentId: (event: PeerEvent) => string
    readonly evolve: (doc: Doc | null, event: PeerEvent) => Doc | null
  }): PeerProjection
  rebuildPostgreSQLProjections(options: {
    readonly connectionString: string
    readonly projections: ReadonlyArray<{ readonly projection: PeerProjection; readonly processorId: string }>
    readonly pulling: Pulling
  }): PeerConsumer
  postgreSQLEventStoreConsumer(options: { readonly connectionString: string }): PeerConsumer
  readMessagesBatch(
    execute: unknown,
    options: { readonly after: bigint; readonly batchSize: number },
  ): Promise<{ readonly messages: ReadonlyArray<PeerEvent>; readonly currentGlobalPosition: bigint }>
}

type PeerOptions = {
  readonly connectionOptions: { readonly pool: pg.Pool }
  readonly schema: { readonly autoMigration: 'None' }
}

type Pulling = { readonly batchSize: number; readonly pullingFrequencyInMs: number }

type PeerProjection = { readonly name?: string }

export type PeerConsumer = {
  reactor(options: {
    readonly processorId: string
    readonly eachMessage: (event: PeerEvent) => Promise<void>
  }): unknown
  start(): Promise<void>
  stop(): Promise<void>
  close(): Promise<void>
}

export type PeerStore = {
  readonly schema: { migrate(): Promise<unknown> }
  appendToStream(
    stream: string,
    events: ReadonlyArray<{ readonly type: string; readonly data: unknown; readonly metadata: Metadata }>,
    options: { readonly expectedStreamVersion: bigint },
  ): Promise<unknown>
  aggregateStream<State>(
    stream: string,
    options: {
      readonly initialState: () => State
      readonly evolve: (state: State, event: PeerEvent) => State
      readonly read: { readonly to: bigint }
    },
  ): Promise<{ readonly state: State; readonly currentStreamVersion: bigint }>
  consumer(): PeerConsumer
  close(): Promise<void>
}

/** What Docket keeps beside an event's data, kept by the peer as metadata. */
export type Metadata = {
  readonly at: string
  readonly actor: string
  readonly causationId: string
  readonly correlationId: string
}

export type PeerEvent = {
  readonly type: string
  readonly data: unknown
  readonly metadata: Metadata & {
    readonly streamName: string
    readonly streamPosition: bigint
    readonly globalPosition: bigint
  }
}

type Dumbo = (options: { readonly connectionString: string }) => {
  readonly execute: unknown
  close(): Promise<void>
}

const folder = new URL('../../../../bench/peers/package.json', import.meta.url)
const load = createRequire(folder)

export const emmett = load('@event-driven-io/emmett-postgresql') as Emmett
/** What the peer reaches the database with. */
export const { dumbo } = load('@event-driven-io/dumbo') as { readonly dumbo: Dumbo }
/** The peer's own copy of the driver, since it changes how that reads numbers. */
export const { Pool } = load('pg') as Pick<typeof pg, 'Pool'>

/** The peer's packages with their versions, as one line. */
export const peerVersions = (): string => {
  const { dependencies } = JSON.parse(readFileSync(folder, 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>
  }
  return Object.entries(dependencies)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')
}

/** The peer's event as the folds of Docket take it. */
export const recordedOf = ({ type, data, metadata }: PeerEvent): Recorded => {
  const { streamName, streamPosition, globalPosition, at, actor, causationId, correlationId } = metadata
  const place = {
    position: Number(globalPosition),
    stream: streamName,
    version: Number(streamPosition),
    at,
    actor,
    causationId,
    correlationId,
    hash: '',
  }
  // It was written with the data of its type, which the compiler cannot follow through the database.
  return { type, data, ...place } as Recorded
}

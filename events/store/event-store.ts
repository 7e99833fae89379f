import type { Either } from 'fp-ts/lib/Either.js'
import type { Appended, AppendFailure, AppendRequest, RecordedEvent } from '../envelope.js'

export type ArtifactRef = { readonly sha256: string; readonly size: number }

export type Head = {
  readonly ledger: string
  readonly position: number
  readonly hash: string
}

/**
 * One ledger. Reads throw `StoreUnavailable` when the database does not answer; an append tells
 * every known failure as data.
 */
export type EventStore = {
  append(request: AppendRequest): Promise<Either<AppendFailure, Appended>>
  /** The events of one stream, oldest first; `upTo` is a position in the whole ledger, inclusive. */
  readStream(stream: string, range?: { readonly upTo?: number }): Promise<ReadonlyArray<RecordedEvent>>
  /** Events of the whole ledger with a position greater than `after`, oldest first, at most `limit`. */
  readAll(after: number, limit: number): Promise<ReadonlyArray<RecordedEvent>>
  /** The streams whose name starts with a prefix, newest first. */
  streams(prefix: string): Promise<ReadonlyArray<string>>
  head(): Promise<Head>
  /** Keeps bytes by their SHA-256; keeping the same bytes again changes nothing. */
  putArtifact(bytes: Uint8Array): Promise<ArtifactRef>
  getArtifact(sha256: string): Promise<Uint8Array | null>
  /**
   * Calls `onEvent` for every event after a position, in order, none twice and none left out,
   * until it is closed. Survives a lost connection: it polls as well as listens.
   */
  follow(after: number, onEvent: (event: RecordedEvent) => void | Promise<void>): Subscription
  close(): Promise<void>
}

export type Subscription = {
  readonly healthy: () => boolean
  close(): Promise<void>
}

/** JSON as RFC 8785 can write it: finite numbers, well-formed strings. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }

/** An event as the ledger holds it, before its data is decoded with the codec of its type. */
export type RecordedEvent = {
  /** Place in the whole ledger, from 1, without gaps, in commit order. */
  readonly position: number
  readonly stream: string
  /** Place in its stream, from 1, without gaps. */
  readonly version: number
  readonly type: string
  readonly schemaVersion: number
  readonly data: Json
  /** UTC, ISO 8601 with microseconds; never earlier than that of the event before. */
  readonly at: string
  readonly actor: string
  /** The id of the command that appended it. */
  readonly causationId: string
  /** What belongs together: the job's id, usually. */
  readonly correlationId: string
  /** Hex SHA-256 link of the chain. */
  readonly hash: string
}

export type EventToAppend = {
  readonly type: string
  readonly schemaVersion: number
  readonly data: Json
}

/** What the stream must look like for an append to be taken; a number is its exact last version. */
export type ExpectedVersion = 'none' | 'exists' | 'any' | number

export type AppendRequest = {
  readonly stream: string
  readonly expected: ExpectedVersion
  readonly events: ReadonlyArray<EventToAppend>
  readonly actor: string
  /** Sending the same id again changes nothing and answers the same. */
  readonly commandId: string
  readonly correlationId: string
  /** The claim under which the append is made: refused unless it is the stream's current one. */
  readonly epoch?: number
  /** Takes the claim: the stream's epoch becomes this, which must be one more than it was. */
  readonly claims?: number
}

export type Appended = {
  readonly firstVersion: number
  readonly lastVersion: number
  readonly firstPosition: number
  readonly lastPosition: number
  readonly at: string
  /** The command had been appended before; nothing changed now. */
  readonly repeated: boolean
}

export type AppendFailure =
  | { readonly tag: 'version-conflict'; readonly expected: ExpectedVersion; readonly found: number }
  | { readonly tag: 'stale-epoch'; readonly epoch: number; readonly current: number }
  | { readonly tag: 'command-id-reused'; readonly commandId: string }
  | { readonly tag: 'not-storable'; readonly path: string; readonly reason: string }
  | { readonly tag: 'store-unavailable'; readonly message: string; readonly cause: unknown }

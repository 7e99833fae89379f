import type { ColumnType } from 'kysely'

/** `int8` arrives as a string and goes out as a number; what is recorded is never updated. */
type Int8 = ColumnType<string, number, never>
type Kept<A> = ColumnType<A, A, never>

/** The tables of a ledger as Kysely sees them; only `rows.ts` turns them into anything else. */
export type Tables = {
  readonly head: {
    readonly ledger: Kept<string>
    readonly format: Kept<number>
    readonly position: Int8
    readonly at: Int8
    readonly hash: Kept<Buffer>
  }
  readonly events: {
    readonly position: Int8
    readonly stream: Kept<string>
    readonly version: Int8
    readonly type: Kept<string>
    readonly schema_version: Kept<number>
    readonly at: Int8
    readonly actor: Kept<string>
    readonly causation_id: Kept<string>
    readonly correlation_id: Kept<string>
    readonly body: Kept<Buffer>
    readonly event_hash: Kept<Buffer>
    readonly hash: Kept<Buffer>
  }
  readonly streams: {
    readonly name: Kept<string>
    readonly version: Int8
    readonly epoch: Int8
    readonly opened_at: Int8
  }
  readonly commands: {
    readonly id: Kept<string>
    readonly request_hash: Kept<Buffer>
    readonly first_version: Int8
    readonly last_version: Int8
    readonly first_position: Int8
    readonly last_position: Int8
    readonly at: Int8
  }
  readonly artifacts: { readonly sha256: Kept<Buffer>; readonly size: Int8 }
  readonly artifact_chunks: {
    readonly sha256: Kept<Buffer>
    readonly place: Kept<number>
    readonly bytes: Kept<Buffer>
  }
  readonly projections: {
    readonly name: Kept<string>
    readonly version: number
    readonly generation: ColumnType<string, number, number>
    readonly position: ColumnType<string, number, number>
  }
  readonly projection_rows: {
    readonly projection: Kept<string>
    readonly generation: Int8
    readonly key: Kept<string>
    readonly body: Buffer
  }
}

/** The tables of a ledger. `at` is microseconds since 1970; hashes are SHA-256. */
export const tables: ReadonlyArray<string> = [
  `create table head (
    single boolean primary key default true check (single),
    ledger text not null,
    format integer not null,
    position bigint not null,
    at bigint not null,
    hash bytea not null
  )`,
  `create table events (
    position bigint primary key,
    stream text not null,
    version bigint not null,
    type text not null,
    schema_version integer not null,
    at bigint not null,
    actor text not null,
    causation_id text not null,
    correlation_id text not null,
    body bytea not null,
    event_hash bytea not null,
    hash bytea not null,
    unique (stream, version)
  )`,
  `create table streams (
    name text primary key,
    version bigint not null,
    epoch bigint not null,
    opened_at bigint not null
  )`,
  'create index streams_opened_at on streams (opened_at)',
  'create index streams_name_start on streams (name text_pattern_ops)',
  `create table commands (
    id text primary key,
    request_hash bytea not null,
    first_version bigint not null,
    last_version bigint not null,
    first_position bigint not null,
    last_position bigint not null,
    at bigint not null
  )`,
  `create table artifacts (
    sha256 bytea primary key,
    size bigint not null
  )`,
  `create table artifact_chunks (
    sha256 bytea not null references artifacts,
    place integer not null,
    bytes bytea not null,
    primary key (sha256, place)
  )`,
  `create table projections (
    name text primary key,
    version integer not null,
    generation bigint not null,
    position bigint not null
  )`,
  `create table projection_rows (
    projection text not null,
    generation bigint not null,
    key text not null,
    body bytea not null,
    primary key (projection, generation, key)
  )`,
]

/**
 * The head of an empty ledger. Its hash stands for the ledger's id and format, so that no event of one
 * ledger can pass for one of another.
 */
export const firstHead = `
  with made as (select gen_random_uuid()::text as ledger)
  insert into head (ledger, format, position, at, hash)
  select ledger, 1, 0, 0, sha256(convert_to('docket ledger, format 1, ' || ledger, 'utf8'))
  from made`

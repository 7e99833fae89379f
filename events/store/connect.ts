import pg from 'pg'
import { roleOf } from '../../migrations/0001-ledger/grants.js'
import { RevivingPool } from './reviving-pool.js'
import { StoreUnavailable } from './store-unavailable.js'

export type Connection = {
  readonly pool: pg.Pool
  readonly schema: string
  /** Starts the server again where it is ours to start; the address stays the same. */
  revive(): Promise<void>
  /** A client of its own, for listening. */
  client(): Promise<pg.Client>
  close(): Promise<void>
}

export type ConnectOptions = {
  readonly config: pg.ClientConfig
  readonly schema: string
  /** Null where the server is not ours to start. */
  readonly revive: (() => Promise<void>) | null
}

/**
 * Connections to one ledger; each sees that ledger's tables alone, and works as the role that owns none where
 * there is that role.
 */
export const connect = ({ config, schema, revive }: ConnectOptions): Connection => {
  const settings: pg.ClientConfig = {
    ...config,
    application_name: 'docket',
    connectionTimeoutMillis: 10_000,
    // A server that vanished without a word is noticed by the system instead of never.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  }
  const prepare = sessionOf(schema)
  const reviveOnce = oneAtATime(revive ?? (async () => {}))
  const pool = new RevivingPool(
    { ...settings, max: 4, idleTimeoutMillis: 10_000, onConnect: (client) => client.query(prepare) },
    async (cause) => {
      if (revive === null || !isAway(cause)) throw cause
      await reviveOnce()
    },
  )
  survive(pool)
  return {
    pool,
    schema,
    revive: reviveOnce,
    client: async () => {
      const client = new pg.Client(settings)
      client.on('error', () => {})
      try {
        await client.connect()
        await client.query(prepare)
        return client
      } catch (cause) {
        client.end().catch(() => {})
        throw cause
      }
    },
    close: () => pool.end(),
  }
}

/** Those that ask while it is under way share it: a start is the same for all. */
const oneAtATime = (act: () => Promise<void>): (() => Promise<void>) => {
  let acting: Promise<void> | null = null
  return () => {
    acting ??= act().finally(() => {
      acting = null
    })
    return acting
  }
}

/**
 * Keeps the death of a connection from ending the process. One that is idle is replaced when it is needed;
 * of one that is lent out, the query that runs on it tells, but its event has no listener while it is lent.
 */
export const survive = (pool: pg.Pool): void => {
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
  })
}

const sessionOf = (schema: string): string =>
  [
    `set search_path = ${schema}, pg_temp`,
    'set synchronous_commit = on',
    "set lock_timeout = '30s'",
    "set idle_in_transaction_session_timeout = '30s'",
    `select set_config('role', case when ${mayWorkAs(roleOf(schema), schema)} then '${roleOf(schema)}' else 'none' end, false)`,
  ].join('; ')

/** Whether there is the role, with its grants, and we may take it: being a member does not do from version 16 on. */
const mayWorkAs = (role: string, schema: string): string => `
  case when to_regrole('${role}') is null or to_regnamespace('${schema}') is null then false
    else has_schema_privilege('${role}', '${schema}', 'usage') and pg_has_role('${role}',
      case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end)
  end`

/** Turns what the driver threw into words, with its cause kept. */
export const unavailable = (cause: unknown): StoreUnavailable =>
  cause instanceof StoreUnavailable
    ? cause
    : new StoreUnavailable(`the database does not answer: ${messageOf(cause)}`, { cause })

const messageOf = (cause: unknown): string => {
  if (cause instanceof AggregateError && cause.message === '') return cause.errors.map(messageOf).join('; ')
  return cause instanceof Error ? cause.message : String(cause)
}

/** Does something on the database; throws `StoreUnavailable` when that is away, and everything else as it is. */
export const answered = async <A>(ask: () => Promise<A>): Promise<A> => {
  try {
    return await ask()
  } catch (cause) {
    throw isAway(cause) ? unavailable(cause) : cause
  }
}

/**
 * Whether the database is away, rather than saying no to a statement that is wrong. The driver and the system
 * throw plain errors; one of a class of its own is a bug, or means something to who threw it.
 */
export const isAway = (cause: unknown): boolean => {
  if (cause instanceof pg.DatabaseError) return away.some((start) => cause.code?.startsWith(start))
  return cause instanceof Error && ['Error', 'AggregateError', 'StoreUnavailable'].includes(cause.name)
}

/**
 * Connection exceptions, the operator's interventions, exhausted resources such as a full disk, errors of the
 * system, transactions rolled back by the server, a lock that was not had in time, a server that is read only
 * because another one took its place.
 */
const away = ['08', '57', '53', '58', '40', '55P03', '25006']

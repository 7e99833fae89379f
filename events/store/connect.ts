import pg from 'pg'
import { roleOf } from '../../migrations/0001-ledger/grants.js'
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
  /** Work as the role that owns nothing; false where the server has none. */
  readonly asWriter: boolean
  readonly revive: () => Promise<void>
}

/** Connections to one ledger; each sees that ledger's tables alone and works as the role that owns none. */
export const connect = ({ config, schema, asWriter, revive }: ConnectOptions): Connection => {
  const settings = { ...config, application_name: 'docket', connectionTimeoutMillis: 10_000 }
  const prepare = sessionOf(schema, asWriter)
  const pool = new pg.Pool({
    ...settings,
    max: 4,
    idleTimeoutMillis: 10_000,
    // Queries of one client run in order, so this comes before whatever the pool is asked for.
    onConnect: (client) => client.query(prepare),
  })
  // A connection that dies while it is idle is replaced when it is needed; that query tells if it cannot be.
  pool.on('error', () => {})
  return {
    pool,
    schema,
    revive,
    client: async () => {
      const client = new pg.Client(settings)
      await client.connect()
      await client.query(prepare)
      return client
    },
    close: () => pool.end(),
  }
}

const sessionOf = (schema: string, asWriter: boolean): string =>
  [
    `set search_path = ${schema}, pg_temp`,
    'set synchronous_commit = on',
    "set lock_timeout = '30s'",
    "set idle_in_transaction_session_timeout = '30s'",
    ...(asWriter ? [`set role ${roleOf(schema)}`] : []),
  ].join('; ')

/** Turns what the driver threw into words, with its cause kept. */
export const unavailable = (cause: unknown): StoreUnavailable =>
  cause instanceof StoreUnavailable
    ? cause
    : new StoreUnavailable(`the database does not answer: ${messageOf(cause)}`, { cause })

const messageOf = (cause: unknown): string => {
  if (cause instanceof AggregateError && cause.message === '') return cause.errors.map(messageOf).join('; ')
  return cause instanceof Error ? cause.message : String(cause)
}

/** Whether the server said no to a statement, rather than not answering at all. */
export const isRefusedByServer = (cause: unknown): boolean =>
  cause instanceof pg.DatabaseError && !lostClasses.some((start) => cause.code?.startsWith(start))

/** Connection exceptions, the operator's interventions, and exhausted resources such as a full disk. */
const lostClasses = ['08', '57', '53', '58']

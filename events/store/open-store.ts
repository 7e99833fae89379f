import pg from 'pg'
import { roleOf } from '../../migrations/0001-ledger/grants.js'
import { newestMigration } from '../../migrations/migrations.js'
import { docketHome } from '../server/home.js'
import { type Connection, connect, unavailable } from './connect.js'
import { ledgerOf, wrongName } from './ledger-name.js'
import { postgresStore } from './postgres-store.js'
import { StoreUnavailable } from './store-unavailable.js'

export type OpenOptions = {
  /** Read for `DATABASE_URL`, Docket's home, and `DOCKET_LEDGER`. */
  readonly env?: NodeJS.ProcessEnv
  /** Which of the ledgers of the database: its schema. `docket` unless the environment names another. */
  readonly schema?: string
  /** Whether a ledger that is not there is made. */
  readonly make?: boolean
}

export type OpenedStore = ReturnType<typeof postgresStore> & {
  /** False where the server let us make no role that owns nothing. */
  readonly asWriter: boolean
}

/**
 * Opens the ledger of the environment: that of `DATABASE_URL`, else the embedded server's, which is
 * started when it does not run. A new or older ledger is brought to the newest level; a newer one is left alone.
 *
 * Throws `StoreUnavailable` when there is no database that answers.
 */
export const openStore = async ({
  env = process.env,
  schema = ledgerOf(env),
  make = true,
}: OpenOptions = {}): Promise<OpenedStore> => {
  const wrong = wrongName(schema)
  if (wrong !== null) throw new StoreUnavailable(wrong)
  const config = await configOf(env)
  const start = async (): Promise<void> => {
    await configOf(env)
  }
  const revive = isSet(env.DATABASE_URL) ? null : start
  const open = (): Promise<Opened> => withLevel(connect({ config, schema, revive }))
  let { connection, level } = await open()
  if (level.newest === null && !make) {
    const there = await ledgersOf(connection).finally(connection.close)
    const others = there.length === 0 ? 'none yet' : there.join(', ')
    throw new StoreUnavailable(`there is no ledger ${schema}: docket run makes one; there are: ${others}`)
  }
  if (level.newest === null || level.newest < newestMigration) {
    // Its sessions began before there was a role to work as.
    await connection.close()
    const { migrate } = await import('./migrate.js')
    await migrate(config, schema)
    const opened = await open()
    connection = opened.connection
    level = opened.level
  }
  if (level.newest !== newestMigration) {
    await connection.close()
    throw new StoreUnavailable(
      `this ledger is at level ${level.newest}, and this Docket knows ${newestMigration}: use a newer Docket`,
    )
  }
  return { ...postgresStore(connection), asWriter: level.asWriter }
}

const ledgersOf = async ({ pool }: Connection): Promise<ReadonlyArray<string>> => {
  const { rows } = await pool.query<{ readonly name: string }>(
    `select relnamespace::regnamespace::text as name from pg_class as one where relname = 'kysely_migration'
     and exists (select from pg_class where relnamespace = one.relnamespace and relname = 'artifact_chunks')
     order by name`,
  )
  return rows.map(({ name }) => name)
}

const configOf = async (env: NodeJS.ProcessEnv): Promise<pg.ClientConfig> => {
  const { DATABASE_URL: url = '' } = env
  if (!isSet(url)) {
    const { embeddedServer } = await import('../server/embedded.js')
    return embeddedServer(docketHome(env))
  }
  try {
    if (!/^postgres(ql)?:\/\//.test(url)) throw new TypeError('it has to begin with postgresql://')
    new pg.Client({ connectionString: url })
    return { connectionString: url }
  } catch (cause) {
    // The address holds a password, so it is not shown.
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StoreUnavailable(`DATABASE_URL is no address of a database: ${reason}`, { cause })
  }
}

const isSet = (url: string | undefined): boolean => url !== undefined && url !== ''

type Level = { readonly newest: string | null; readonly asWriter: boolean }
type Opened = { readonly connection: Connection; readonly level: Level }

/** Asks on a connection that the store then goes on with, since each new one costs a command some 10 ms. */
const withLevel = async (connection: Connection): Promise<Opened> => {
  try {
    return { connection, level: await levelOf(connection) }
  } catch (cause) {
    await connection.close()
    throw unavailable(cause)
  }
}

const levelOf = async ({ pool, schema }: Connection): Promise<Level> => {
  try {
    const { rows } = await pool.query<{ newest: string | null; as_writer: boolean }>(
      `select max(name) as newest, current_user = '${roleOf(schema)}' as as_writer from ${schema}.kysely_migration`,
    )
    return { newest: rows[0]?.newest ?? null, asWriter: rows[0]?.as_writer ?? false }
  } catch (cause) {
    if (cause instanceof pg.DatabaseError && isNotThere.includes(cause.code ?? '')) {
      return { newest: null, asWriter: false }
    }
    throw cause
  }
}

/** Undefined table and undefined schema. */
const isNotThere = ['42P01', '3F000']

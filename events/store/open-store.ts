import pg from 'pg'
import { roleOf } from '../../migrations/0001-ledger/grants.js'
import { newestMigration } from '../../migrations/migrations.js'
import { docketHome } from '../server/home.js'
import { connect, unavailable } from './connect.js'
import { postgresStore } from './postgres-store.js'
import { StoreUnavailable } from './store-unavailable.js'

export type OpenOptions = {
  /** Read for `DATABASE_URL` and Docket's home. */
  readonly env?: NodeJS.ProcessEnv
  readonly schema?: string
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
  schema = 'docket',
}: OpenOptions = {}): Promise<OpenedStore> => {
  if (!/^[a-z][a-z0-9_]{0,30}$/.test(schema)) {
    throw new StoreUnavailable(`${JSON.stringify(schema)} is no name for a ledger: use a-z, 0-9 and _`)
  }
  const config = await configOf(env)
  let level = await levelOf(config, schema)
  if (level.newest === null || level.newest < newestMigration) {
    const { migrate } = await import('./migrate.js')
    await migrate(config, schema)
    level = await levelOf(config, schema)
  }
  if (level.newest !== newestMigration) {
    throw new StoreUnavailable(
      `this ledger is at level ${level.newest}, and this Docket knows ${newestMigration}: use a newer Docket`,
    )
  }
  const revive = async (): Promise<void> => {
    await configOf(env)
  }
  const connection = connect({ config, schema, asWriter: level.asWriter, revive })
  return { ...postgresStore(connection), asWriter: level.asWriter }
}

const configOf = async (env: NodeJS.ProcessEnv): Promise<pg.ClientConfig> => {
  const { DATABASE_URL: url = '' } = env
  if (url !== '') return { connectionString: url }
  const { embeddedServer } = await import('../server/embedded.js')
  return embeddedServer(docketHome(env))
}

type Level = { readonly newest: string | null; readonly asWriter: boolean }

const levelOf = async (config: pg.ClientConfig, schema: string): Promise<Level> => {
  const client = new pg.Client({ ...config, application_name: 'docket', connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ newest: string | null; as_writer: boolean }>(levelQuery(schema))
    return { newest: rows[0]?.newest ?? null, asWriter: rows[0]?.as_writer ?? false }
  } catch (cause) {
    if (cause instanceof pg.DatabaseError && isNotThere.includes(cause.code ?? '')) {
      return { newest: null, asWriter: false }
    }
    throw unavailable(cause)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Undefined table and undefined schema. */
const isNotThere = ['42P01', '3F000']

const levelQuery = (schema: string): string => `
  select max(name) as newest,
    case when to_regrole('${roleOf(schema)}') is null then false
      else pg_has_role('${roleOf(schema)}', 'member')
        and has_schema_privilege('${roleOf(schema)}', '${schema}', 'usage')
    end as as_writer
  from ${schema}.kysely_migration`

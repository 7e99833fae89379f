import { Kysely, Migrator, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { migrationsOf } from '../../migrations/migrations.js'
import { survive, unavailable } from './connect.js'
import { StoreUnavailable } from './store-unavailable.js'

/** Brings a ledger to the newest level, under a lock, so that starts that race do it once. */
export const migrate = async (config: pg.ClientConfig, schema: string): Promise<void> => {
  const pool = new pg.Pool({ ...config, application_name: 'docket-migrate', max: 1 })
  survive(pool)
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    // Kysely makes the schema before it takes its lock, and two that make it at once collide.
    await db.connection().execute(async (one) => {
      await sql`select pg_advisory_lock(hashtextextended(${`docket ${schema}`}, 0))`.execute(one)
      const migrator = new Migrator({
        db: one,
        provider: { getMigrations: () => Promise.resolve(migrationsOf(schema)) },
        migrationTableSchema: schema,
      })
      const { error } = await migrator.migrateToLatest()
      if (error !== undefined) throw error
      await sql`select pg_advisory_unlock_all()`.execute(one)
    })
  } catch (cause) {
    if (!(cause instanceof pg.DatabaseError)) throw unavailable(cause)
    throw new StoreUnavailable(`the ledger cannot be made ready: ${cause.message}`, { cause })
  } finally {
    await db.destroy()
  }
}

import { type Migration, sql } from 'kysely'
import { appendEvents } from './append-events.js'
import { grants } from './grants.js'
import { guards } from './guards.js'
import { putArtifact } from './put-artifact.js'
import { firstHead, tables } from './tables.js'

/** Events, artifacts, read models, and the one function that appends. */
export const ledger = (schema: string): Migration => ({
  up: async (db) => {
    await sql.raw(`set local search_path = ${schema}, pg_temp`).execute(db)
    const statements = [
      ...tables,
      firstHead,
      appendEvents(schema),
      putArtifact(schema),
      ...guards,
      ...grants(schema),
    ]
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
})

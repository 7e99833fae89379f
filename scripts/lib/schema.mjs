import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { root } from './root.mjs'

/** Writes `migrations/schema.sql`: what the migrations together make, as a fresh ledger has it. */
export async function writeSchema() {
  const { startTestServer } = await import('../../dist/test/support/server.js')
  const { dumpSchema } = await import('../../dist/test/support/dump-schema.js')
  const { openStore } = await import('../../dist/events/store/open-store.js')
  const server = await startTestServer()
  const client = new pg.Client({ connectionString: server.url })
  try {
    const store = await openStore({ env: { DATABASE_URL: server.url } })
    await store.close()
    await client.connect()
    writeFileSync(join(root, 'migrations', 'schema.sql'), await dumpSchema(client, 'docket'))
  } finally {
    await client.end()
    await server.stop()
  }
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { dumpSchema } from '../support/dump-schema.js'
import { asOwner, freshLedger } from '../support/ledger.js'
import { root } from '../support/scratch-job.js'

test('what the migrations make is the schema that the repository shows', async (t) => {
  const { url } = await freshLedger(t)
  const made = await asOwner(url, (client) => dumpSchema(client, 'docket'))
  t.is(made, readFileSync(join(root, 'migrations', 'schema.sql'), 'utf8'), 'run npm run docs')
})

import type { Migration } from 'kysely'
import { ledger } from './0001-ledger/index.js'
import { batches } from './0002-append-batch/index.js'
import { appendsBySet } from './0003-append-sets/index.js'

/** Every migration in order. One that was released is never changed; the next number mends it. */
export const migrationsOf = (schema: string): Readonly<Record<string, Migration>> => ({
  '0001-ledger': ledger(schema),
  '0002-append-batch': batches(schema),
  '0003-append-sets': appendsBySet(schema),
})

/** The newest level that this Docket knows. */
export const newestMigration = '0003-append-sets'

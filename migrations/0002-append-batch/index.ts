import { type Migration, sql } from 'kysely'
import { roleOf } from '../0001-ledger/grants.js'
import { appendBatch } from './append-batch.js'

/** Many appends in one call, so that those which meet in a process share a commit. */
export const batches = (schema: string): Migration => ({
  up: async (db) => {
    await sql.raw(`set local search_path = ${schema}, pg_temp`).execute(db)
    await sql.raw(appendBatch(schema)).execute(db)
    await sql.raw('revoke all on function append_batch from public').execute(db)
    await sql.raw(grantToRole(schema)).execute(db)
  },
})

/** Where the server let us make no role there is nobody to grant it to. */
const grantToRole = (schema: string): string => `
  do $$
  begin
    if to_regrole('${roleOf(schema)}') is not null then
      grant execute on function append_batch to ${roleOf(schema)};
    end if;
  end
  $$`

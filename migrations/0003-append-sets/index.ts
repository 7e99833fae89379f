import { type Migration, sql } from 'kysely'
import { roleOf } from '../0001-ledger/grants.js'
import { appendSets } from './append-sets.js'

/** Appends of a batch pass over each table once, instead of once for every request. */
export const appendsBySet = (schema: string): Migration => ({
  up: async (db) => {
    const statements = [
      `set local search_path = ${schema}, pg_temp`,
      'drop function append_batch',
      'drop function append_events',
      appendSets(schema),
      'revoke all on function append_batch from public',
      grantToRole(schema),
    ]
    for (const statement of statements) await sql.raw(statement).execute(db)
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

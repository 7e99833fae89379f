/** The role under which Docket works: it owns nothing, and gets into the ledger by its functions alone. */
export const roleOf = (schema: string): string => `docket_writer_${schema}`

/**
 * Makes the role and grants it what it needs. A managed server may not let us make roles: then Docket works
 * as the owner, and only the triggers guard what is recorded.
 */
export const grants = (schema: string): ReadonlyArray<string> => [
  `do $$
  begin
    if to_regrole('${roleOf(schema)}') is null then
      create role ${roleOf(schema)} nologin;
    end if;
    execute format('grant ${roleOf(schema)} to %I', current_user);
    revoke all on all tables in schema ${schema} from ${roleOf(schema)}, public;
    revoke all on all functions in schema ${schema} from ${roleOf(schema)}, public;
    grant usage on schema ${schema} to ${roleOf(schema)};
    grant select on all tables in schema ${schema} to ${roleOf(schema)};
    grant execute on all functions in schema ${schema} to ${roleOf(schema)};
    grant insert, update, delete on projections, projection_rows to ${roleOf(schema)};
  exception
    when insufficient_privilege or duplicate_object or unique_violation then
      raise notice 'the role ${roleOf(schema)} could not be set up: %', sqlerrm;
  end
  $$`,
]

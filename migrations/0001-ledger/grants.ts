/** The role under which Docket works: it owns nothing, and gets into the ledger by its functions alone. */
export const roleOf = (schema: string): string => `docket_writer_${schema}`

/**
 * Makes the role and grants it what it needs. Roles belong to the whole server, so another database may be
 * making the same one at this moment. A managed server may not let us make roles: then Docket works as the owner,
 * and only the triggers guard what is recorded.
 */
export const grants = (schema: string): ReadonlyArray<string> => {
  const role = roleOf(schema)
  return [
    `do $$
    begin
      begin
        if to_regrole('${role}') is null then
          create role ${role} nologin;
        end if;
      exception
        when duplicate_object or unique_violation then null;
      end;
      for attempt in 1..50 loop
        begin
          -- From version 16 on, who makes a role is its member and still may not work as it.
          if not pg_has_role('${role}', case
            when current_setting('server_version_num')::int >= 160000 then 'set' else 'member'
          end) then
            execute format('grant ${role} to %I', current_user);
          end if;
          exit;
        exception
          -- Another database is granting it at the same time ("tuple concurrently updated").
          when internal_error then perform pg_sleep(0.02);
        end;
      end loop;
      revoke all on all tables in schema ${schema} from ${role}, public;
      revoke all on all functions in schema ${schema} from ${role}, public;
      grant usage on schema ${schema} to ${role};
      grant select on all tables in schema ${schema} to ${role};
      grant execute on all functions in schema ${schema} to ${role};
      grant insert, update, delete on projections, projection_rows to ${role};
    exception
      when insufficient_privilege then
        raise notice 'the role ${role} could not be set up: %', sqlerrm;
    end
    $$`,
  ]
}

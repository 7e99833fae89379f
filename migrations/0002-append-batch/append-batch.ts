/**
 * Appends that met in one process, in their order, each with its own outcome: one that is turned down leaves
 * its neighbours alone. They share a transaction and so one commit. The arrays have one item a request; those
 * of the events lie one after the other, `p_counts` of them for each.
 */
export const appendBatch = (schema: string): string => `
create function append_batch(
  p_streams text[],
  p_expected text[],
  p_expected_versions bigint[],
  p_epochs bigint[],
  p_claims bigint[],
  p_commands text[],
  p_request_hashes bytea[],
  p_actors text[],
  p_correlations text[],
  p_counts integer[],
  p_types text[],
  p_schema_versions integer[],
  p_bodies bytea[]
) returns table (
  outcome text,
  found bigint,
  first_version bigint,
  last_version bigint,
  first_position bigint,
  last_position bigint,
  at bigint
)
language plpgsql security definer set search_path = ${schema}, pg_temp as $$
declare
  v_from integer := 1;
  v_to integer;
begin
  for i in 1..array_length(p_streams, 1) loop
    v_to := v_from + p_counts[i] - 1;
    return query select * from append_events(
      p_streams[i], p_expected[i], p_expected_versions[i], p_epochs[i], p_claims[i], p_commands[i],
      p_request_hashes[i], p_actors[i], p_correlations[i], p_types[v_from:v_to],
      p_schema_versions[v_from:v_to], p_bodies[v_from:v_to]
    );
    v_from := v_to + 1;
  end loop;
end
$$`

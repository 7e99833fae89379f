/**
 * The one way into the ledger. Locks the head, and reads what it checks in later statements, so that each
 * sees what the appends before it have committed. Answers with an outcome:
 *
 * - `appended`, `repeated` (this command had been appended before: its first result)
 * - `version-conflict`, with the version found
 * - `stale-epoch`, with the current epoch
 * - `command-id-reused`
 *
 * `p_expected` is `none`, `exists`, `any` or `version`; `p_claims` takes the claim of the stream.
 */
export const appendEvents = (schema: string): string => `
create function append_events(
  p_stream text,
  p_expected text,
  p_expected_version bigint,
  p_epoch bigint,
  p_claims bigint,
  p_command text,
  p_request_hash bytea,
  p_actor text,
  p_correlation text,
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
#variable_conflict use_column
declare
  v_position bigint;
  v_at bigint;
  v_hash bytea;
  v_version bigint;
  v_epoch bigint;
  v_count integer := coalesce(array_length(p_types, 1), 0);
  v_stream_hash bytea := sha256(convert_to(p_stream, 'utf8'));
  v_body bytea;
  v_event_hash bytea;
  v_event_hashes bytea[];
  v_hashes bytea[];
  v_place integer := 0;
  v_command commands%rowtype;
begin
  select head.position, head.at, head.hash into strict v_position, v_at, v_hash from head for update;

  select * into v_command from commands where commands.id = p_command;
  if found then
    if v_command.request_hash <> p_request_hash then
      return query select 'command-id-reused', null::bigint, null::bigint, null::bigint, null::bigint, null::bigint, null::bigint;
    else
      return query select 'repeated', null::bigint, v_command.first_version, v_command.last_version,
        v_command.first_position, v_command.last_position, v_command.at;
    end if;
    return;
  end if;

  select streams.version, streams.epoch into v_version, v_epoch from streams where streams.name = p_stream;
  v_version := coalesce(v_version, 0);
  v_epoch := coalesce(v_epoch, 0);

  if p_epoch is not null and p_epoch <> v_epoch or p_claims is not null and p_claims <> v_epoch + 1 then
    return query select 'stale-epoch', v_epoch, null::bigint, null::bigint, null::bigint, null::bigint, null::bigint;
    return;
  end if;
  if p_expected = 'none' and v_version <> 0
    or p_expected = 'exists' and v_version = 0
    or p_expected = 'version' and v_version <> p_expected_version
  then
    return query select 'version-conflict', v_version, null::bigint, null::bigint, null::bigint, null::bigint, null::bigint;
    return;
  end if;
  if p_expected not in ('none', 'exists', 'any', 'version') or v_count = 0
    or v_count <> array_length(p_schema_versions, 1) or v_count <> array_length(p_bodies, 1)
  then
    raise exception 'append_events was called with arguments that do not fit together';
  end if;

  v_at := greatest(v_at, (extract(epoch from clock_timestamp()) * 1000000)::bigint);
  foreach v_body in array p_bodies loop
    v_place := v_place + 1;
    v_event_hash := sha256(v_body);
    v_hash := sha256(
      v_hash || int8send(v_position + v_place) || v_stream_hash || int8send(v_version + v_place)
        || int8send(v_at) || v_event_hash
    );
    v_event_hashes[v_place] := v_event_hash;
    v_hashes[v_place] := v_hash;
  end loop;

  insert into events (
    position, stream, version, type, schema_version, at, actor, causation_id, correlation_id, body,
    event_hash, hash
  )
  select v_position + place, p_stream, v_version + place, type, schema_version, v_at, p_actor, p_command,
    p_correlation, body, event_hash, hash
  from unnest(p_types, p_schema_versions, p_bodies, v_event_hashes, v_hashes) with ordinality
    as appended (type, schema_version, body, event_hash, hash, place);

  insert into streams (name, version, epoch, opened_at)
  values (p_stream, v_version + v_count, coalesce(p_claims, v_epoch), v_at)
  on conflict (name) do update set version = excluded.version, epoch = excluded.epoch;

  insert into commands (id, request_hash, first_version, last_version, first_position, last_position, at)
  values (
    p_command, p_request_hash, v_version + 1, v_version + v_count, v_position + 1, v_position + v_count, v_at
  );

  update head set position = v_position + v_count, at = v_at, hash = v_hash;

  return query select 'appended', null::bigint, v_version + 1, v_version + v_count, v_position + 1,
    v_position + v_count, v_at;
end
$$`

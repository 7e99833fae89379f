create table artifact_chunks (
  sha256 bytea not null,
  place integer not null,
  bytes bytea not null,
  constraint artifact_chunks_pkey PRIMARY KEY (sha256, place),
  constraint artifact_chunks_sha256_fkey FOREIGN KEY (sha256) REFERENCES artifacts(sha256)
);

create table artifacts (
  sha256 bytea not null,
  size bigint not null,
  constraint artifacts_pkey PRIMARY KEY (sha256)
);

create table commands (
  id text not null,
  request_hash bytea not null,
  first_version bigint not null,
  last_version bigint not null,
  first_position bigint not null,
  last_position bigint not null,
  at bigint not null,
  constraint commands_pkey PRIMARY KEY (id)
);

create table events (
  position bigint not null,
  stream text not null,
  version bigint not null,
  type text not null,
  schema_version integer not null,
  at bigint not null,
  actor text not null,
  causation_id text not null,
  correlation_id text not null,
  body bytea not null,
  event_hash bytea not null,
  hash bytea not null,
  constraint events_pkey PRIMARY KEY ("position"),
  constraint events_stream_version_key UNIQUE (stream, version)
);

create table head (
  single boolean not null default true,
  ledger text not null,
  format integer not null,
  position bigint not null,
  at bigint not null,
  hash bytea not null,
  constraint head_pkey PRIMARY KEY (single),
  constraint head_single_check CHECK (single)
);

create table projection_rows (
  projection text not null,
  generation bigint not null,
  key text not null,
  body bytea not null,
  constraint projection_rows_pkey PRIMARY KEY (projection, generation, key)
);

create table projections (
  name text not null,
  version integer not null,
  generation bigint not null,
  position bigint not null,
  constraint projections_pkey PRIMARY KEY (name)
);

create table streams (
  name text not null,
  version bigint not null,
  epoch bigint not null,
  opened_at bigint not null,
  constraint streams_pkey PRIMARY KEY (name)
);

CREATE INDEX streams_name_start ON docket.streams USING btree (name text_pattern_ops);

CREATE INDEX streams_opened_at ON docket.streams USING btree (opened_at);

CREATE OR REPLACE FUNCTION docket.append_batch(p_streams text[], p_expected text[], p_expected_versions bigint[], p_epochs bigint[], p_claims bigint[], p_commands text[], p_request_hashes bytea[], p_actors text[], p_correlations text[], p_counts integer[], p_owners integer[], p_types text[], p_schema_versions integer[], p_bodies bytea[])
 RETURNS TABLE(outcome text, found bigint, first_version bigint, last_version bigint, first_position bigint, last_position bigint, at bigint)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'docket', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
declare
  c_requests constant integer := coalesce(array_length(p_streams, 1), 0);
  -- Copies, since an item of a variable is found at once, and one of an argument by walking to it.
  v_streams text[] := p_streams;
  v_expected text[] := p_expected;
  v_commands text[] := p_commands;
  v_request_hashes bytea[] := p_request_hashes;
  v_actors text[] := p_actors;
  v_correlations text[] := p_correlations;

  v_position bigint;
  v_at bigint;
  v_hash bytea;

  v_command_places integer[];
  v_known_hashes bytea[];
  v_known_first_versions bigint[];
  v_known_last_versions bigint[];
  v_known_first_positions bigint[];
  v_known_last_positions bigint[];
  v_known_times bigint[];
  v_stream_places integer[];
  v_stream_hashes bytea[];
  v_versions bigint[];
  v_epochs bigint[];
  v_touched boolean[] := array_fill(false, array[c_requests]);

  v_outcomes text[] := array_fill(null::text, array[c_requests]);
  v_founds bigint[] := array_fill(null::bigint, array[c_requests]);
  v_first_versions bigint[] := array_fill(null::bigint, array[c_requests]);
  v_last_versions bigint[] := array_fill(null::bigint, array[c_requests]);
  v_first_positions bigint[] := array_fill(null::bigint, array[c_requests]);
  v_last_positions bigint[] := array_fill(null::bigint, array[c_requests]);
  v_times bigint[] := array_fill(null::bigint, array[c_requests]);
  -- What to add to the place of a request's first event to get its position, and its version.
  v_to_positions bigint[] := array_fill(null::bigint, array[c_requests]);
  v_to_versions bigint[] := array_fill(null::bigint, array[c_requests]);

  v_command integer;
  v_stream integer;
  v_version bigint;
  v_epoch bigint;
  v_before integer := 0;
  v_appended integer := 0;
  v_event_hashes bytea[];
  v_leaves bytea[];
  v_leaf bytea;
  v_hashes bytea[];
  v_place integer := 0;
begin
  select head.position, head.at, head.hash into strict v_position, v_at, v_hash from head for update;
  v_at := greatest(v_at, (extract(epoch from clock_timestamp()) * 1000000)::bigint);

  select
    array_agg(asked.command_place order by asked.place),
    array_agg(commands.request_hash order by asked.place),
    array_agg(commands.first_version order by asked.place),
    array_agg(commands.last_version order by asked.place),
    array_agg(commands.first_position order by asked.place),
    array_agg(commands.last_position order by asked.place),
    array_agg(commands.at order by asked.place),
    array_agg(asked.stream_place order by asked.place),
    array_agg(sha256(convert_to(asked.stream, 'utf8')) order by asked.place),
    array_agg(coalesce(streams.version, 0) order by asked.place),
    array_agg(coalesce(streams.epoch, 0) order by asked.place)
  into v_command_places, v_known_hashes, v_known_first_versions, v_known_last_versions, v_known_first_positions,
    v_known_last_positions, v_known_times, v_stream_places, v_stream_hashes, v_versions, v_epochs
  from (
    select place, command, stream, min(place) over (partition by command) as command_place,
      min(place) over (partition by stream) as stream_place
    from unnest(p_commands, p_streams) with ordinality as given (command, stream, place)
  ) as asked
  left join commands on commands.id = asked.command
  left join streams on streams.name = asked.stream;

  for i in 1..c_requests loop
    v_command := v_command_places[i];
    if v_known_hashes[v_command] is not null then
      if v_known_hashes[v_command] <> v_request_hashes[i] then
        v_outcomes[i] := 'command-id-reused';
      else
        v_outcomes[i] := 'repeated';
        v_first_versions[i] := v_known_first_versions[v_command];
        v_last_versions[i] := v_known_last_versions[v_command];
        v_first_positions[i] := v_known_first_positions[v_command];
        v_last_positions[i] := v_known_last_positions[v_command];
        v_times[i] := v_known_times[v_command];
      end if;
    else
      v_stream := v_stream_places[i];
      v_version := v_versions[v_stream];
      v_epoch := v_epochs[v_stream];
      if p_epochs[i] <> v_epoch or p_claims[i] <> v_epoch + 1 then
        v_outcomes[i] := 'stale-epoch';
        v_founds[i] := v_epoch;
      elsif v_expected[i] = 'none' and v_version <> 0
        or v_expected[i] = 'exists' and v_version = 0
        or v_expected[i] = 'version' and v_version <> p_expected_versions[i]
      then
        v_outcomes[i] := 'version-conflict';
        v_founds[i] := v_version;
      elsif p_counts[i] >= 1 and (
        v_expected[i] in ('none', 'exists', 'any') or v_expected[i] = 'version' and p_expected_versions[i] >= 0
      ) then
        v_outcomes[i] := 'appended';
        v_first_versions[i] := v_version + 1;
        v_last_versions[i] := v_version + p_counts[i];
        v_first_positions[i] := v_position + v_appended + 1;
        v_last_positions[i] := v_position + v_appended + p_counts[i];
        v_times[i] := v_at;
        v_to_positions[i] := v_position + v_appended - v_before;
        v_to_versions[i] := v_version - v_before;
        v_appended := v_appended + p_counts[i];

        v_versions[v_stream] := v_version + p_counts[i];
        v_epochs[v_stream] := coalesce(p_claims[i], v_epoch);
        v_touched[v_stream] := true;
        v_known_hashes[v_command] := v_request_hashes[i];
        v_known_first_versions[v_command] := v_first_versions[i];
        v_known_last_versions[v_command] := v_last_versions[i];
        v_known_first_positions[v_command] := v_first_positions[i];
        v_known_last_positions[v_command] := v_last_positions[i];
        v_known_times[v_command] := v_at;
      else
        raise exception 'append_batch was called with arguments that do not fit together';
      end if;
    end if;
    v_before := v_before + p_counts[i];
  end loop;

  if v_appended > 0 then
    select
      array_agg(event_hash order by place),
      array_agg(
        int8send(v_to_positions[owner] + place) || v_stream_hashes[owner] || int8send(v_to_versions[owner] + place)
          || int8send(v_at) || event_hash
        order by place
      )
    into v_event_hashes, v_leaves
    from (
      select owner, place, sha256(body) as event_hash
      from unnest(p_owners, p_bodies) with ordinality as given (owner, body, place)
      -- Kept apart, so that each is hashed once for both uses.
      offset 0
    ) as hashed;

    if array_length(v_leaves, 1) is distinct from v_before then
      raise exception 'append_batch was called with arguments that do not fit together';
    end if;
    v_hashes := array_fill(null::bytea, array[v_before]);
    foreach v_leaf in array v_leaves loop
      v_place := v_place + 1;
      if v_leaf is not null then
        v_hash := sha256(v_hash || v_leaf);
        v_hashes[v_place] := v_hash;
      end if;
    end loop;

    insert into events (
      position, stream, version, type, schema_version, at, actor, causation_id, correlation_id, body,
      event_hash, hash
    )
    select v_to_positions[owner] + place, v_streams[owner], v_to_versions[owner] + place, type, schema_version,
      v_at, v_actors[owner], v_commands[owner], v_correlations[owner], body, event_hash, hash
    from unnest(p_owners, p_types, p_schema_versions, p_bodies, v_event_hashes, v_hashes) with ordinality
      as given (owner, type, schema_version, body, event_hash, hash, place)
    where hash is not null;

    insert into streams (name, version, epoch, opened_at)
    select v_streams[place], v_versions[place], v_epochs[place], v_at
    from generate_series(1, c_requests) as place
    where v_touched[place]
    on conflict (name) do update set version = excluded.version, epoch = excluded.epoch;

    insert into commands (id, request_hash, first_version, last_version, first_position, last_position, at)
    select v_commands[place], v_request_hashes[place], v_first_versions[place], v_last_versions[place],
      v_first_positions[place], v_last_positions[place], v_at
    from generate_series(1, c_requests) as place
    where v_outcomes[place] = 'appended';

    update head set position = v_position + v_appended, at = v_at, hash = v_hash;
  end if;

  return query select v_outcomes[place], v_founds[place], v_first_versions[place], v_last_versions[place],
    v_first_positions[place], v_last_positions[place], v_times[place]
  from generate_series(1, c_requests) as place;
end
$function$;

CREATE OR REPLACE FUNCTION docket.put_artifact(p_sha256 bytea, p_size bigint, p_chunks bytea[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'docket', 'pg_temp'
AS $function$
declare
  v_bytes bytea;
begin
  if exists (select from artifacts where artifacts.sha256 = p_sha256) then
    return;
  end if;
  select coalesce(string_agg(chunk, ''::bytea order by place), ''::bytea) into v_bytes
  from unnest(p_chunks) with ordinality as given (chunk, place);
  if sha256(v_bytes) <> p_sha256 or length(v_bytes) <> p_size then
    raise exception 'the bytes of an artifact are not those of its hash';
  end if;
  insert into artifacts (sha256, size) values (p_sha256, p_size) on conflict do nothing;
  if found then
    insert into artifact_chunks (sha256, place, bytes)
    select p_sha256, place, chunk from unnest(p_chunks) with ordinality as given (chunk, place);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION docket.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    raise exception '% on % is refused: the ledger is append-only', tg_op, tg_table_name
      using errcode = 'insufficient_privilege';
  end
  $function$;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON docket.artifact_chunks FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER no_truncate BEFORE TRUNCATE ON docket.artifact_chunks FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON docket.artifacts FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER no_truncate BEFORE TRUNCATE ON docket.artifacts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON docket.commands FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER no_truncate BEFORE TRUNCATE ON docket.commands FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON docket.events FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER no_truncate BEFORE TRUNCATE ON docket.events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER no_delete BEFORE DELETE ON docket.head FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER no_truncate BEFORE TRUNCATE ON docket.head FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

grant select on artifact_chunks to docket_writer_docket;

grant select on artifacts to docket_writer_docket;

grant select on commands to docket_writer_docket;

grant select on events to docket_writer_docket;

grant execute on function append_batch to docket_writer_docket;

grant execute on function put_artifact to docket_writer_docket;

grant execute on function refuse_change to docket_writer_docket;

grant select on head to docket_writer_docket;

grant delete, insert, select, update on projection_rows to docket_writer_docket;

grant delete, insert, select, update on projections to docket_writer_docket;

grant usage on schema docket to docket_writer_docket;

grant select on streams to docket_writer_docket;

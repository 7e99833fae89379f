/** Keeps bytes by their hash, which is checked here; keeping the same again changes nothing. */
export const putArtifact = (schema: string): string => `
create function put_artifact(p_sha256 bytea, p_size bigint, p_chunks bytea[]) returns void
language plpgsql security definer set search_path = ${schema}, pg_temp as $$
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
$$`

import type pg from 'pg'

/**
 * The schema of a ledger as statements, read from the catalogs: what the migrations together have made, in an order
 * that depends on names alone. Kysely's own two tables are left out.
 */
export const dumpSchema = async (client: pg.Client, schema: string): Promise<string> => {
  const ask = async (statement: string): Promise<ReadonlyArray<string>> => {
    const { rows } = await client.query<{ readonly text: string }>(statement, [schema])
    return rows.map(({ text }) => `${text.trimEnd()};`)
  }
  // Definitions name what lies in another schema than the path's first.
  await client.query(`set search_path = ${schema}, pg_temp`)
  const parts = [
    await ask(tables),
    await ask(indexes),
    await ask(functions),
    await ask(triggers),
    await ask(grants),
  ]
  return `${parts.flat().join('\n\n')}\n`
}

const ours = `relnamespace = $1::regnamespace and relname not like 'kysely%'`

const tables = `
  select 'create table ' || relname || E' (\\n  ' || string_agg(line, E',\\n  ' order by kind, place, line) || E'\\n)' as text
  from (
    select relname, 1 as kind, attnum::int as place,
      attname || ' ' || format_type(atttypid, atttypmod) || case when attnotnull then ' not null' else '' end
        || coalesce(' default ' || pg_get_expr(adbin, adrelid), '') as line
    from pg_class
    join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relkind = 'r' and ${ours}
    union all
    select relname, 2, 0, 'constraint ' || conname || ' ' || pg_get_constraintdef(pg_constraint.oid)
    from pg_class join pg_constraint on conrelid = pg_class.oid and contype in ('p', 'u', 'f', 'c')
    where ${ours}
  ) as lines
  group by relname order by relname`

const indexes = `
  select pg_get_indexdef(indexrelid) as text
  from pg_index join pg_class on pg_class.oid = indexrelid
  where ${ours} and not exists (select from pg_constraint where conindid = indexrelid)
  order by relname`

const functions = `
  select pg_get_functiondef(oid) as text from pg_proc where pronamespace = $1::regnamespace
  order by proname, pg_get_function_identity_arguments(oid)`

const triggers = `
  select pg_get_triggerdef(pg_trigger.oid) as text
  from pg_trigger join pg_class on pg_class.oid = tgrelid
  where ${ours} and not tgisinternal
  order by relname, tgname`

const grants = `
  select 'grant ' || string_agg(lower(privilege_type), ', ' order by privilege_type) || ' on ' || what || ' to ' || grantee::regrole
    as text
  from (
    select 'schema ' || nspname as what, (aclexplode(nspacl)).*, nspowner as owner
    from pg_namespace where oid = $1::regnamespace
    union all
    select relname, (aclexplode(relacl)).*, relowner from pg_class where relkind = 'r' and ${ours}
    union all
    select 'function ' || proname, (aclexplode(proacl)).*, proowner from pg_proc where pronamespace = $1::regnamespace
  ) as granted
  where grantee <> owner
  group by what, grantee order by what`

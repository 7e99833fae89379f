/** What is recorded stays as it is, also for whoever owns the tables. */
export const guards: ReadonlyArray<string> = [
  `create function refuse_change() returns trigger language plpgsql as $$
  begin
    raise exception '% on % is refused: the ledger is append-only', tg_op, tg_table_name
      using errcode = 'insufficient_privilege';
  end
  $$`,
  ...['events', 'commands', 'artifacts', 'artifact_chunks'].flatMap((table) => [
    `create trigger append_only before update or delete on ${table}
     for each row execute function refuse_change()`,
    `create trigger no_truncate before truncate on ${table}
     for each statement execute function refuse_change()`,
  ]),
  'create trigger no_delete before delete on head for each row execute function refuse_change()',
  'create trigger no_truncate before truncate on head for each statement execute function refuse_change()',
]

import { type Kysely, sql } from 'kysely';
import { keptChanges } from '../changes.ts';
import { changeColumns, trimInterval } from '../sql/generations/changes.ts';
import type { Tables } from '../sql/basics/tables.ts';

/**
 * Creates the triggers that record changes, if they are missing. Call after the migrations, while other instances cannot prepare
 * the database.
 *
 * The triggers run at the end of the transaction, so that all transactions lock the row of an owner last: the number of a change
 * is assigned under this lock, which lasts until the commit. Numbers are therefore in the order of the commits, and whoever sees
 * a change sees all before it. `search_path` makes the function independent of the session that writes.
 */
export async function createChangeTriggers(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ readonly found: string | null }>`
    select to_regprocedure('gengraph_record_change()')::text as found`.execute(db);
  if (rows[0]?.found !== null) return;
  for (const statement of [recordChange, ...triggers]) await sql.raw(statement).execute(db);
}

const recordChange = `
  create function gengraph_record_change() returns trigger
  language plpgsql set search_path from current as $function$
  declare
    last record;
  begin
    insert into owner_changes as known (owner, number, mark)
    values (coalesce(new.owner, old.owner), 1, floor(random() * 4503599627370496)::bigint)
    on conflict (owner) do update set number = known.number + 1, mark = excluded.mark
    returning * into last;
    insert into generation_changes (owner, number, generation_id, mark, changed_at)
    values (
      last.owner, last.number, coalesce(new.id, old.id), last.mark,
      (extract(epoch from clock_timestamp()) * 1000)::bigint
    );
    if last.number % ${trimInterval} = 0 then
      delete from generation_changes where owner = last.owner and number <= last.number - ${keptChanges};
    end if;
    return null;
  end
  $function$`;

const triggers = [
  `create constraint trigger record_change after insert or update of ${changeColumns} on generations
    deferrable initially deferred for each row when (new.is_visible = 1)
    execute function gengraph_record_change()`,
  `create constraint trigger record_deletion after delete on generations
    deferrable initially deferred for each row when (old.is_visible = 1)
    execute function gengraph_record_change()`,
];

import { type Kysely, sql } from 'kysely';
import { keptChanges } from '../changes.ts';
import { changeColumns, trimInterval } from '../sql/generations/changes.ts';
import type { Tables } from '../sql/basics/tables.ts';

/** Creates the triggers that record changes, if they are missing. Call after the migrations. */
export async function createChangeTriggers(db: Kysely<Tables>): Promise<void> {
  for (const trigger of triggers) await sql.raw(`create trigger if not exists ${trigger}`).execute(db);
}

const triggers = [
  `record_create after insert on generations when new.is_visible = 1 begin ${recordChange('new')} end`,
  `record_change after update of ${changeColumns} on generations when new.is_visible = 1
    begin ${recordChange('new')} end`,
  `record_deletion after delete on generations when old.is_visible = 1 begin ${recordChange('old')} end`,
  `trim_changes after insert on generation_changes when new.number % ${trimInterval} = 0
    begin delete from generation_changes where owner = new.owner and number <= new.number - ${keptChanges}; end`,
];

function recordChange(row: 'old' | 'new'): string {
  return `
    insert into owner_changes (owner, number, mark) values (${row}.owner, 1, abs(random() >> 12))
      on conflict (owner) do update set number = number + 1, mark = excluded.mark;
    insert into generation_changes (owner, number, generation_id, mark, changed_at)
      select owner, number, ${row}.id, mark, cast(unixepoch('subsec') * 1000 as integer)
      from owner_changes where owner = ${row}.owner;`;
}

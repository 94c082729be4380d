import { type Kysely, sql } from 'kysely';
import type { Tables } from '../sql/basics/tables.ts';
import { endColumns, insertDeliveries, isEnd } from '../sql/outgoing/recorded-ends.ts';

/**
 * Creates the trigger that records ends for webhooks, if it is missing. Call after the migrations, while other instances cannot
 * prepare the database. `search_path` makes the function independent of the session that writes.
 */
export async function createEndTrigger(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ readonly found: string | null }>`
    select to_regprocedure('gengraph_record_end()')::text as found`.execute(db);
  if (rows[0]?.found !== null) return;
  for (const statement of [recordEnd, trigger]) await sql.raw(statement).execute(db);
}

const recordEnd = `
  create function gengraph_record_end() returns trigger
  language plpgsql set search_path from current as $function$
  declare
    event text := 'evt_' || replace(gen_random_uuid()::text, '-', '');
  begin
    ${insertDeliveries({
      eventId: 'event',
      now: '(extract(epoch from clock_timestamp()) * 1000)::bigint',
      find: 'strpos',
      char: 'chr',
    })};
    if found then new.end_event := event; end if;
    return new;
  end
  $function$`;

const trigger = `
  create trigger record_end before update of ${endColumns} on generations
  for each row when (${isEnd}) execute function gengraph_record_end()`;

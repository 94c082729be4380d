import { type Kysely, sql } from 'kysely';
import type { Tables } from '../sql/basics/tables.ts';
import { endColumns, insertDeliveries, isEnd, isWanted } from '../sql/outgoing/recorded-ends.ts';

const engine = {
  eventId: '(select end_event from generations where id = new.id)',
  now: `cast(unixepoch('subsec') * 1000 as integer)`,
  find: 'instr',
  char: 'char',
} as const;

/** Creates the trigger that records ends for webhooks, if it is missing. Call after the migrations. */
export async function createEndTrigger(db: Kysely<Tables>): Promise<void> {
  await sql
    .raw(`
      create trigger if not exists record_end after update of ${endColumns} on generations
      when ${isEnd} and exists (select 1 from webhooks where ${isWanted(engine)})
      begin
        update generations set end_event = 'evt_' || lower(hex(randomblob(16))) where id = new.id;
        ${insertDeliveries(engine)};
      end`)
    .execute(db);
}

import { type Kysely, sql } from 'kysely';
import { isRecord, type JsonObject, parseJson, stringifyJson } from '../../../lib/json.ts';
import type { CallbackProgress, CallbackRecord, CallbackRecords } from '../../callback-records.ts';
import type { Database } from '../basics/database.ts';
import { lockNames } from '../basics/lock-name.ts';
import type { CallbackRow, Tables } from '../basics/tables.ts';
import type { CallbackLeases } from './callback-leases.ts';

export interface CallbackRecordsOptions extends Database {
  readonly instanceId: string;
  /** Absent if one instance at a time uses the records. */
  readonly leases?: CallbackLeases | undefined;
}

/** Rows of one statement. */
const maxRows = 500;

export function createCallbackRecords(options: CallbackRecordsOptions): CallbackRecords {
  const { reader, writes, instanceId, leases } = options;
  /** Locks the row of a live holder out, and those that another instance takes now. */
  const selectFree = (db: Kysely<Tables>, limit: number) => {
    const others = db.selectFrom('callbacks').select('id').where('holder', '<>', instanceId).limit(limit);
    return leases ? others.where(leases.isFree()).forUpdate().skipLocked() : others;
  };
  return {
    lease: leases,
    async add({ id, owner, body, position, isPosting, expiresAt }, maxOpen) {
      const added = await writes.transaction(async (db) => {
        // Concurrent subscriptions of one owner count each other.
        await lockNames(db, [['callbacks', owner]]);
        return sql`
          insert into callbacks (id, owner, holder, body, position, is_posting, expires_at)
          select ${id}, ${owner}, ${instanceId}, ${stringifyJson(body)}, ${toText(position)},
            cast(${isPosting ? 1 : 0} as integer), cast(${expiresAt ?? null} as bigint)
          where (select count(*) from callbacks where owner = ${owner}) < cast(${maxOpen} as bigint)
          on conflict (id) do nothing
        `.execute(db);
      });
      if ((added.numAffectedRows ?? 0n) > 0n) return 'added';
      const known = await reader.selectFrom('callbacks').select('id').where('id', '=', id).executeTakeFirst();
      return known ? 'exists' : 'full';
    },
    async find(id) {
      const row = await reader.selectFrom('callbacks').selectAll().where('id', '=', id).executeTakeFirst();
      return row && fromRow(row);
    },
    async save(progress) {
      const held = new Set<string>();
      for (let start = 0; start < progress.length; start += maxRows) {
        const rows = progress.slice(start, start + maxRows).toSorted((a, b) => (a.id < b.id ? -1 : 1));
        const found = await writes.statement((db) => saveRows(db, rows, instanceId));
        for (const { id } of found) held.add(id);
      }
      return held;
    },
    async setGeneration(id, generationId) {
      await writes.statement((db) =>
        db
          .updateTable('callbacks')
          .set({ generation_id: generationId })
          .where('id', '=', id)
          .where('holder', '=', instanceId)
          .execute(),
      );
    },
    async remove(id) {
      await writes.statement((db) =>
        db.deleteFrom('callbacks').where('id', '=', id).where('holder', '=', instanceId).execute(),
      );
    },
    async takeOver(limit) {
      const rows = await (leases?.writes ?? writes).statement((db) =>
        db
          .updateTable('callbacks')
          .set({ holder: instanceId })
          .where('id', 'in', selectFree(db, limit))
          .returningAll()
          .execute(),
      );
      return rows.map(fromRow);
    },
    async findHeld() {
      const rows = await reader
        .selectFrom('callbacks')
        .select('id')
        .where('holder', '=', instanceId)
        .execute();
      return new Set(rows.map(({ id }) => id));
    },
  };
}

async function saveRows(
  db: Kysely<Tables>,
  rows: readonly CallbackProgress[],
  instanceId: string,
): Promise<readonly { readonly id: string }[]> {
  const byId = (toValue: (row: CallbackProgress) => string | number | null, type: 'text' | 'integer') =>
    sql`case id ${sql.join(
      rows.map((row) => sql`when ${row.id} then cast(${toValue(row)} as ${sql.raw(type)})`),
      sql` `,
    )} end`;
  const { rows: held } = await sql<{ readonly id: string }>`
    update callbacks
    set position = ${byId(({ position }) => toText(position), 'text')},
      is_posting = ${byId(({ isPosting }) => (isPosting ? 1 : 0), 'integer')}
    where id in (${sql.join(rows.map(({ id }) => id))}) and holder = ${instanceId}
    returning id
  `.execute(db);
  return held;
}

function toText(position: CallbackRecord['position']): string | null {
  return position === undefined ? null : JSON.stringify(position);
}

function fromRow(row: CallbackRow): CallbackRecord {
  return {
    id: row.id,
    owner: row.owner,
    body: decodeBody(row.body),
    generationId: row.generation_id ?? undefined,
    position: row.position === null ? undefined : parseJson(row.position),
    isPosting: row.is_posting === 1,
    expiresAt: row.expires_at ?? undefined,
  };
}

/** @throws TypeError for a row that no version writes */
function decodeBody(text: string): JsonObject {
  const body = parseJson(text);
  if (!isRecord(body)) throw new TypeError('the body of a callback subscription is an object');
  return body;
}

import type { Kysely } from 'kysely';
import { stringifyJson } from '../../../lib/json.ts';
import type { AccessToken } from '../../records.ts';
import type { Store } from '../../store.ts';
import { isBeyond, isRecordId, parseColumn } from '../basics/columns.ts';
import { countRows } from '../basics/count-rows.ts';
import type { AccessTokenRow, Tables } from '../basics/tables.ts';

export function createAccessTokenRecords(
  db: Kysely<Tables>,
): Pick<Store, 'findAccessTokens' | 'countAccessTokens' | 'listAccessTokens'> {
  return {
    async findAccessTokens(owner, ids) {
      const wanted = ids.filter(isRecordId);
      if (wanted.length === 0) return ids.map(() => undefined);
      const rows = await db
        .selectFrom('access_tokens')
        .selectAll()
        .where('id', 'in', wanted)
        .where('owner', '=', owner)
        .execute();
      const found = new Map(rows.map((row) => [row.id, fromAccessTokenRow(row)]));
      return ids.map((id) => found.get(id));
    },
    async countAccessTokens(owner, limit) {
      const counted = db.selectFrom('access_tokens').select('id').where('owner', '=', owner).limit(limit);
      const row = await countRows(db, counted).executeTakeFirstOrThrow();
      return row.count;
    },
    async listAccessTokens(owner, { limit, after }) {
      const query = db
        .selectFrom('access_tokens')
        .selectAll()
        .where('owner', '=', owner)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit);
      const rows = await (after ? query.where(isBeyond('<', after)) : query).execute();
      return rows.map(fromAccessTokenRow);
    },
  };
}

/** A token that is already recorded stays as it is. Call within a transaction. */
export async function insertAccessToken(db: Kysely<Tables>, token: AccessToken): Promise<void> {
  await db
    .insertInto('access_tokens')
    .values(toAccessTokenRow(token))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

function toAccessTokenRow({ owner, ...token }: AccessToken): AccessTokenRow {
  return { id: token.id, owner, created_at: token.createdAt, body: stringifyJson(token) };
}

function fromAccessTokenRow({ owner, body }: Pick<AccessTokenRow, 'owner' | 'body'>): AccessToken {
  return { ...parseColumn('accessToken', body), owner };
}

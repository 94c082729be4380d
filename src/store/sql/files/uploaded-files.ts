import type { Kysely, Selectable } from 'kysely';
import { randomId } from '../../../lib/ids.ts';
import { asRecord, asString, parseJson, stringifyJson } from '../../../lib/json.ts';
import { type FileRecords, type Upload, uncheckedKeyOf } from '../../file-records.ts';
import { lockNames } from '../basics/lock-name.ts';
import type { Tables } from '../basics/tables.ts';
import { isFree } from '../instances/is-alive.ts';
import { type FileRecordsOptions, keysOfFile, noteDeletions } from './file-deletions.ts';

type UploadedFiles = Pick<
  FileRecords,
  'createUpload' | 'claimUpload' | 'isReceived' | 'expireUploads' | 'use'
>;

/** Files from clients, and the files that requests use. Their rows have no position. */
export function createUploadedFiles(options: FileRecordsOptions): UploadedFiles {
  const { reader, writes, instanceId } = options;
  return {
    createUpload: (upload, { maxUploads, maxDeclaredBytes = Infinity }) =>
      writes.transaction(async (db) => {
        const { id, owner, contentType, sizeBytes, createdAt, expiresAt } = upload;
        // Concurrent uploads of one owner count each other.
        await lockNames(db, [['uploads', owner]]);
        const uploads = await db
          .selectFrom('files')
          .select('source')
          .where('owner', '=', owner)
          // Same expression as in the partial index, so that the index is used.
          .where('position', 'is', null)
          .where('generation_id', 'is', null)
          .execute();
        // With the used ones: a client may write to their addresses again.
        const bytes = uploads.reduce((sum, each) => sum + toDeclared(each).sizeBytes, sizeBytes);
        if (uploads.length >= maxUploads || bytes > maxDeclaredBytes) return false;
        await db
          .insertInto('files')
          .values({
            id,
            owner,
            state: 'PENDING',
            source: stringifyJson({ contentType, sizeBytes }),
            attempts: 0,
            due_at: createdAt,
            created_at: createdAt,
            expires_at: expiresAt,
          })
          .execute();
        return true;
      }),
    async claimUpload(id, now) {
      const row = await writes.statement((db) =>
        db
          .updateTable('files')
          .set({ instance_id: instanceId })
          .where('id', '=', id)
          .where('generation_id', 'is', null)
          .where('state', '=', 'PENDING')
          .where('expires_at', '>', now)
          .where(isFree(options))
          .returning(['id', 'owner', 'source', 'created_at', 'expires_at'])
          .executeTakeFirst(),
      );
      return row && toUpload(row);
    },
    async isReceived(id) {
      const row = await reader
        .selectFrom('files')
        .select('id')
        .where('id', '=', id)
        .where('state', '=', 'PENDING')
        .where((files) => files.not(isFree(options)))
        .executeTakeFirst();
      return row !== undefined;
    },
    expireUploads: (now, limit) => writes.transaction((db) => expire(db, now, limit)),
    use: (owner, generationId, files, now) =>
      writes.transaction(async (db) => {
        const generation = await db
          .selectFrom('generations')
          .select('id')
          .where('id', '=', generationId)
          .forUpdate()
          .executeTakeFirst();
        const keys = files.map(({ key }) => key);
        // Locked, as before every new reference.
        const kept = await db
          .selectFrom('file_objects')
          .select('key')
          .where('key', 'in', keys)
          .orderBy('key')
          .forUpdate()
          .execute();
        const used = files.filter((file) => kept.some(({ key }) => key === file.key));
        if (!generation || used.length === 0) return;
        await db
          .insertInto('files')
          .values(
            used.map(({ id, key }) => ({
              id: randomId('file'),
              owner,
              generation_id: generationId,
              state: 'STORED' as const,
              source: stringifyJson(id),
              object_key: key,
              attempts: 0,
              due_at: now,
              created_at: now,
            })),
          )
          .execute();
      }),
  };
}

type UploadRow = Pick<Selectable<Tables['files']>, 'id' | 'owner' | 'source' | 'created_at' | 'expires_at'>;

function toUpload({ id, owner, source, created_at: createdAt, expires_at: expiresAt }: UploadRow): Upload {
  return { id, owner, ...toDeclared({ source }), createdAt, expiresAt: expiresAt ?? 0 };
}

function toDeclared({ source }: Pick<UploadRow, 'source'>): Pick<Upload, 'contentType' | 'sizeBytes'> {
  const declared = asRecord(source === null ? undefined : parseJson(source)) ?? {};
  return {
    contentType: asString(declared['contentType']) ?? '',
    sizeBytes: Number(declared['sizeBytes'] ?? 0),
  };
}

/** An upload that is being received is noted for its instance. */
async function expire(db: Kysely<Tables>, now: number, limit: number): Promise<number> {
  const expired = await db
    .selectFrom('files')
    .select(['id', 'object_key', 'instance_id'])
    .where('expires_at', 'is not', null)
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  if (expired.length === 0) return 0;
  await noteDeletions(
    db,
    expired.flatMap((row) => [...keysOfFile(row), { key: uncheckedKeyOf(row.id), instance_id: null }]),
  );
  const ids = expired.map(({ id }) => id);
  await db.deleteFrom('files').where('id', 'in', ids).execute();
  return expired.length;
}

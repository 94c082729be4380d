import type { FileRecord, FileRecords } from '../../file-records.ts';
import { stringifyJson } from '../../../lib/json.ts';
import { isRecordId } from '../basics/columns.ts';
import { readByIds } from '../basics/read-by-ids.ts';
import { createCopiedFiles } from './copied-files.ts';
import { createFileDeletions, type FileRecordsOptions } from './file-deletions.ts';
import { createPlannedFiles, fromSource } from './planned-files.ts';
import { createUploadedFiles } from './uploaded-files.ts';

export function createFileRecords(options: FileRecordsOptions): FileRecords {
  return {
    ...createPlannedFiles(options),
    ...createCopiedFiles(options),
    ...createFileDeletions(options),
    ...createUploadedFiles(options),
    ...createFoundFiles(options),
  };
}

export function createFoundFiles({
  reader,
}: Pick<FileRecordsOptions, 'reader'>): Pick<FileRecords, 'find' | 'findStored' | 'findUsable'> {
  const select = () =>
    reader
      .selectFrom('files')
      .leftJoin('file_objects', 'file_objects.key', 'files.object_key')
      .select([
        'files.id',
        'files.owner',
        'files.generation_id',
        'files.position',
        'files.state',
        'files.failure',
        'files.source',
        'file_objects.key',
        'file_objects.hash',
        'file_objects.content_type',
        'file_objects.size_bytes',
      ]);
  type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>;
  const toRecord = (row: Row): FileRecord => ({
    id: row.id,
    owner: row.owner,
    generationId: row.generation_id ?? undefined,
    position: row.position ?? undefined,
    state: row.state,
    failure: row.failure ?? undefined,
    sourceUrl: fromSource(row.source),
    stored:
      row.key !== null
        ? {
            key: row.key,
            hash: row.hash ?? '',
            contentType: row.content_type ?? '',
            sizeBytes: row.size_bytes ?? 0,
          }
        : undefined,
  });
  return {
    async find(owner, generationIds) {
      // Before the files: what is due no longer has its files recorded.
      const due = await readByIds(generationIds, (ids) =>
        reader
          .selectFrom('generations')
          .select('id')
          .where('id', 'in', ids)
          .where('owner', '=', owner)
          .where('files_due_at', 'is not', null)
          .execute(),
      );
      const rows = await readByIds(generationIds, (ids) =>
        select()
          .where('files.generation_id', 'in', ids)
          .where('files.owner', '=', owner)
          .orderBy('files.position')
          .execute(),
      );
      const byGeneration = Map.groupBy(rows.map(toRecord), ({ generationId }) => generationId);
      const dueIds = new Set(due.map(({ id }) => id));
      return generationIds.map((id) => ({ files: byGeneration.get(id) ?? [], isDue: dueIds.has(id) }));
    },
    async findUsable(owner, id) {
      if (!/^[\w.-]{1,100}$/.test(id)) return undefined;
      const uploads = select().where('files.owner', '=', owner).where('files.position', 'is', null);
      const row =
        (await uploads
          .where('files.id', '=', id)
          .where('files.generation_id', 'is', null)
          .executeTakeFirst()) ??
        (await uploads
          .where('files.source', '=', stringifyJson(id))
          .where('files.generation_id', 'is not', null)
          .limit(1)
          .executeTakeFirst());
      return row && toRecord(row);
    },
    async findStored(id) {
      if (!isRecordId(id)) return undefined;
      const row = await select().where('files.id', '=', id).executeTakeFirst();
      return row && toRecord(row).stored;
    },
  };
}

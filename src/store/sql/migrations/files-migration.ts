import { type Kysely, sql } from 'kysely';
import { isConcurrent } from '../basics/lock-name.ts';
import { createIndexes } from './create-indexes.ts';

/**
 * Adds the files of generations. A trigger notes the files of each deleted generation for deletion, so that older versions and
 * servers without files leave none behind.
 */
export async function addFiles(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('generations').addColumn('files_due_at', 'bigint').execute();
  await createIndexes(
    db,
    'generations_files_due on generations (files_due_at) where files_due_at is not null',
  );
  await createFiles(db);
  await db.schema
    .createTable('file_objects')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('content_type', 'text', (column) => column.notNull())
    .addColumn('size_bytes', 'bigint', (column) => column.notNull())
    .addColumn('stored_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('file_objects_content', ['owner', 'hash'])
    .execute();
  await createIndexes(
    db,
    'file_objects_by_owner on file_objects (owner, stored_at)',
    'file_objects_by_time on file_objects (stored_at)',
  );
  await db.schema
    .createTable('file_sums')
    .addColumn('owner', 'text', (column) => column.primaryKey())
    .addColumn('files', 'bigint', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('file_deletions')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('instance_id', 'text')
    .execute();
  for (const statement of isConcurrent(db) ? postgresTrigger : sqliteTrigger)
    await sql.raw(statement).execute(db);
}

async function createFiles(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('files')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('generation_id', 'text')
    .addColumn('position', 'bigint')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('failure', 'text')
    .addColumn('source', 'text')
    .addColumn('object_key', 'text')
    .addColumn('attempts', 'bigint', (column) => column.notNull())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('instance_id', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .execute();
  await createIndexes(
    db,
    'files_by_generation on files (generation_id, position)',
    'files_by_object on files (object_key)',
    "files_pending on files (due_at) where state = 'PENDING'",
    'files_without_position on files (owner, source) where position is null',
    'files_by_expiry on files (expires_at) where expires_at is not null',
  );
}

/** The instance that copies a file may be writing it: it deletes what it has written. */
const noteDeletions = `
  insert into file_deletions (key, instance_id)
    select id, instance_id from files where generation_id = old.id
    on conflict (key) do nothing;
  insert into file_deletions (key)
    select distinct object_key from files where generation_id = old.id and object_key <> id
    on conflict (key) do nothing;
  delete from files where generation_id = old.id;`;

const sqliteTrigger = [
  `create trigger release_files after delete on generations begin ${noteDeletions} end`,
] as const;

const postgresTrigger = [
  `create function gengraph_release_files() returns trigger
  language plpgsql set search_path from current as $function$
  begin
    ${noteDeletions}
    return null;
  end
  $function$`,
  `create trigger release_files after delete on generations
    for each row execute function gengraph_release_files()`,
] as const;

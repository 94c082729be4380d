import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import { createIndex } from './create-index.ts';
import { addOpenTasks } from './open-tasks.ts';
import { addOwnerRecords } from './record-limits-migration.ts';
import type { Tables } from './tables.ts';
import { countRecorded } from './count-recorded.ts';
import { countColumns } from './usage-days.ts';

/** Migrates the tables to the latest version. @throws if a newer version of the program wrote them */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  await refuseNewer(db);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/** Run in the order of their names. Do not change a released migration. */
const migrations: Readonly<Record<string, Migration>> = {
  '0001-records': { up: createRecords },
  '0002-unfinished-tasks': { up: indexUnfinishedTasks },
  '0003-usage-days': { up: createUsageDays },
  '0004-cloned-voices': { up: createClonedVoices },
  '0005-open-tasks': { up: addOpenTasks },
  '0006-first-token': { up: addFirstToken },
  '0007-owner-records': { up: addOwnerRecords },
};

/** Replaces Kysely's message, which calls the records corrupted, so that nobody deletes them. */
async function refuseNewer(db: Kysely<Tables>): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return;
  const { rows } = await sql<{ readonly name: string }>`
    select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name
  `.execute(db);
  const unknown = rows.map(({ name }) => name).filter((name) => !(name in migrations));
  if (unknown.length === 0) return;
  throw new Error(
    `the records were written by a newer version of Gengraph (unknown migrations: ${unknown.join(', ')}). Start that version or use other records`,
  );
}

async function createRecords(db: Kysely<unknown>): Promise<void> {
  await createBookkeeping(db);
  await createGenerations(db);
  await db.schema
    .createTable('tasks')
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('generation_id', 'text')
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('tasks_key', ['owner', 'id'])
    .execute();
  await createIndex(db, {
    table: 'tasks',
    name: 'by_generation',
    columns: ['generation_id'],
    where: sql`generation_id is not null`,
  });
  await createIndex(db, {
    table: 'tasks',
    name: 'adopted',
    columns: ['updated_at'],
    where: sql`generation_id is null`,
  });
  await db.schema
    .createTable('access_tokens')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .execute();
  await createIndex(db, { table: 'access_tokens', name: 'by_time', columns: ['owner', 'created_at', 'id'] });
}

async function createBookkeeping(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('secrets')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('instances')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('creations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('key', 'text')
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('phase', 'text', (column) => column.notNull())
    .addColumn('subject_id', 'text', (column) => column.notNull())
    .addColumn('instance_id', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    // Null keys do not conflict with each other.
    .addUniqueConstraint('creations_owner_key', ['owner', 'key'])
    .execute();
  await createIndex(db, { table: 'creations', name: 'by_subject', columns: ['subject_id'] });
  await createIndex(db, { table: 'creations', name: 'by_time', columns: ['created_at'] });
  await createIndex(db, {
    table: 'creations',
    name: 'under_way',
    columns: ['instance_id'],
    where: sql`phase in ('CLAIMED', 'SENDING')`,
  });
}

async function createGenerations(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('generations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('group_id', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('finished_at', 'bigint')
    .addColumn('is_visible', 'integer', (column) => column.notNull())
    .addColumn('task_id', 'text')
    .addColumn('instance_id', 'text')
    .addColumn('prompt', 'text')
    .addColumn('usage', 'text')
    .addColumn('error', 'text')
    .execute();
  await db.schema
    .createTable('contents')
    .addColumn('generation_id', 'text', (column) => column.notNull())
    .addColumn('part', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('contents_key', ['generation_id', 'part'])
    .execute();
  // One index per filter combination (see list-generations.ts). Each ends with the sort columns of the list.
  const listed = { table: 'generations', where: sql<boolean>`is_visible = 1` } as const;
  const place = ['created_at', 'id'];
  await createIndex(db, { ...listed, name: 'by_time', columns: ['owner', ...place] });
  await createIndex(db, { ...listed, name: 'by_kind', columns: ['owner', 'kind', 'status', ...place] });
  const byModel = ['owner', 'model', 'kind', 'status', ...place];
  await createIndex(db, { ...listed, name: 'by_model', columns: byModel });
  const byGroup = ['owner', 'group_id', ...place];
  await createIndex(db, { ...listed, name: 'by_group', columns: byGroup });
  const byGroupAndMore = ['owner', 'group_id', 'kind', 'status', 'model', ...place];
  await createIndex(db, { ...listed, name: 'by_group_and_more', columns: byGroupAndMore });
  await createIndex(db, {
    table: 'generations',
    name: 'by_end',
    columns: ['finished_at'],
    where: sql`finished_at is not null`,
  });
  await createIndex(db, {
    table: 'generations',
    name: 'without_end',
    columns: ['kind', 'created_at'],
    where: sql`finished_at is null`,
  });
  await createIndex(db, {
    table: 'generations',
    name: 'by_instance',
    columns: ['instance_id'],
    where: sql`instance_id is not null`,
  });
}

/** For the tasks that a server resumes polling after a restart. */
async function indexUnfinishedTasks(db: Kysely<unknown>): Promise<void> {
  await createIndex(db, {
    table: 'generations',
    name: 'unfinished_tasks',
    columns: ['owner', 'created_at'],
    where: sql`finished_at is null and task_id is not null`,
  });
}

async function createClonedVoices(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('cloned_voices')
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('voice_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('cloned_voices_key', ['owner', 'voice_id'])
    .execute();
}

async function createUsageDays(db: Kysely<Tables>): Promise<void> {
  const counts = Object.values(countColumns);
  const table = db.schema
    .createTable('usage_days')
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('day', 'integer', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('group_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_days_key', ['owner', 'day', 'kind', 'model', 'group_id']);
  await counts
    .reduce((builder, name) => builder.addColumn(name, 'bigint', (column) => column.notNull()), table)
    .execute();
  await countRecorded(db);
}

async function addFirstToken(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('generations').addColumn('first_token_ms', 'integer').execute();
}

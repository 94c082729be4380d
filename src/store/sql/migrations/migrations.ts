import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { type Change, hasNewer, isUpToDate, readDone, recordAdditive } from './additive-migrations.ts';
import { addConversations } from './conversations-migration.ts';
import { addCallbacks } from './callbacks-migration.ts';
import { addChanges } from './changes-migration.ts';
import { addFiles } from './files-migration.ts';
import { indexConversations } from './index-conversations.ts';
import { createIndexes } from './create-indexes.ts';
import { addOpenTasks } from './open-tasks.ts';
import { addOwnerRecords } from './record-limits-migration.ts';
import { addPolls } from './polls-migration.ts';
import { shrinkIndexes } from './smaller-indexes.ts';
import { addWebhooks } from './webhooks-migration.ts';
import type { Tables } from '../basics/tables.ts';
import { countRecorded } from './count-recorded.ts';
import { countColumns } from '../owners/usage-days.ts';

/**
 * Migrates the tables to the latest version. Leaves tables unchanged that a newer version of the program has migrated.
 * @throws if a newer version made a change that this version cannot work with
 */
export async function migrate(
  db: Kysely<Tables>,
  changes: Readonly<Record<string, Change>> = migrations,
): Promise<void> {
  const done = await readDone(db);
  if (hasNewer(done, changes) || isUpToDate(done, changes)) return;
  const migrator = new Migrator({ db, provider: { getMigrations: async () => changes } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  await recordAdditive(db, changes);
}

/** Run in the order of their names. Do not change a released migration. */
export const migrations: Readonly<Record<string, Change>> = {
  '0001-records': { up: createRecords, isAdditive: false },
  '0002-unfinished-tasks': { up: indexUnfinishedTasks, isAdditive: true },
  // Older versions would not add to the sums.
  '0003-usage-days': { up: createUsageDays, isAdditive: false },
  '0004-cloned-voices': { up: createClonedVoices, isAdditive: true },
  // Older versions would not mark open tasks.
  '0005-open-tasks': { up: addOpenTasks, isAdditive: false },
  '0006-first-token': { up: addFirstToken, isAdditive: true },
  // Older versions would not count the records.
  '0007-owner-records': { up: addOwnerRecords, isAdditive: false },
  // Older versions poll without a lease, which costs reads and harms no record.
  '0008-polls': { up: addPolls, isAdditive: true },
  // Older versions would write to the removed column.
  '0009-prompt-contents': { up: movePrompts, isAdditive: false },
  // No longer written: lock and lease decide together, as older versions do without a value.
  '0010-needed-locks': { up: addNeededLocks, isAdditive: true },
  // Older versions have no limits that these columns count.
  '0011-caller-limits': { up: addCallerLimits, isAdditive: true },
  // Older versions export no links to it.
  '0012-traces': { up: addTraces, isAdditive: true },
  // Ends that older versions record are final, as before.
  '0013-provisional-ends': { up: addProvisionalEnds, isAdditive: true },
  // Older versions continue no chat, and delete the generations of a conversation one by one.
  '0014-conversations': { up: addConversations, isAdditive: true },
  // Triggers record the changes of older versions.
  '0015-changes': { up: addChanges, isAdditive: true },
  // Triggers record the ends of older versions.
  '0016-webhooks': { up: addWebhooks, isAdditive: true },
  // Older versions copy no files. A trigger notes those of generations that they delete.
  '0017-files': { up: addFiles, isAdditive: true },
  // Older versions open no callback subscriptions, and take none over.
  '0018-callbacks': { up: addCallbacks, isAdditive: true },
  // Older versions delete the creations that they refuse, and answer those that others refused with NOT_FOUND.
  '0019-refusals': { up: addRefusals, isAdditive: true },
  '0020-listed-conversations': { up: indexConversations, isAdditive: true },
  // Older versions list collections by larger indexes, and look up more rows when they recover.
  '0021-smaller-indexes': { up: shrinkIndexes, isAdditive: true },
};

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
  await createIndexes(
    db,
    'tasks_by_generation on tasks (generation_id) where generation_id is not null',
    'tasks_adopted on tasks (updated_at) where generation_id is null',
  );
  await db.schema
    .createTable('access_tokens')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .execute();
  await createIndexes(db, 'access_tokens_by_time on access_tokens (owner, created_at, id)');
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
  await createIndexes(
    db,
    'creations_by_subject on creations (subject_id)',
    'creations_by_time on creations (created_at)',
    "creations_under_way on creations (instance_id) where phase in ('CLAIMED', 'SENDING')",
  );
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
  await createIndexes(
    db,
    'generations_by_time on generations (owner, created_at, id) where is_visible = 1',
    'generations_by_kind on generations (owner, kind, status, created_at, id) where is_visible = 1',
    'generations_by_model on generations (owner, model, kind, status, created_at, id) where is_visible = 1',
    'generations_by_group on generations (owner, group_id, created_at, id) where is_visible = 1',
    'generations_by_group_and_more on generations (owner, group_id, kind, status, model, created_at, id) where is_visible = 1',
    'generations_by_end on generations (finished_at) where finished_at is not null',
    'generations_without_end on generations (kind, created_at) where finished_at is null',
    'generations_by_instance on generations (instance_id) where instance_id is not null',
  );
}

/** For the tasks that a server resumes polling after a restart. */
async function indexUnfinishedTasks(db: Kysely<unknown>): Promise<void> {
  await createIndexes(
    db,
    'generations_unfinished_tasks on generations (owner, created_at) where finished_at is null and task_id is not null',
  );
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

/** For the limits of an owner: the creates of a minute, and an index of the work in progress. */
async function addCallerLimits(db: Kysely<unknown>): Promise<void> {
  for (const name of ['minute', 'minute_creates'])
    await db.schema
      .alterTable('owner_records')
      .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  await createIndexes(
    db,
    'generations_in_progress on generations (owner) where finished_at is null and task_id is null',
  );
}

/** For the ends of instances that seemed dead. */
async function addProvisionalEnds(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('generations').addColumn('ended_for', 'text').execute();
  await createIndexes(db, 'generations_ended_for on generations (ended_for) where ended_for is not null');
}

/** For links to the spans of creates. */
async function addTraces(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('generations').addColumn('traceparent', 'text').execute();
}

/** For refused creates whose key stays. */
async function addRefusals(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('creations').addColumn('failure', 'text').execute();
  await createIndexes(
    db,
    'creations_refused on creations (owner, created_at) where failure is not null',
    'creations_refused_by_time on creations (created_at) where failure is not null',
  );
}

async function addNeededLocks(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('instances').addColumn('needs_lock', 'integer').execute();
}

/**
 * Moves prompts to `contents`. A long prompt fills overflow pages, and SQLite reads all of them to get to the columns
 * after it.
 */
async function movePrompts(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into contents (generation_id, part, body)
    select id, 'prompt', prompt from generations where prompt is not null
  `.execute(db);
  await db.schema.alterTable('generations').dropColumn('prompt').execute();
}

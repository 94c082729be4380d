import type { Engine } from './records.ts';

const columns = ['parent_id', 'parent_choice', 'root_id', 'depth', 'input_state', 'image_bytes'];
const addedColumns = [...columns, 'end_event', 'files_due_at'];
const changeTriggers: Readonly<Record<Engine, readonly string[]>> = {
  SQLite: ['record_create', 'record_change', 'record_deletion', 'trim_changes'],
  PostgreSQL: ['record_change', 'record_deletion'],
};
const indexes = ['by_parent', 'by_root', 'first_turns', 'first_turns_by_group', 'newest_turns'];
/** Replaced by smaller ones. */
const wholeIndexes = [
  'generations_by_group on generations (owner, group_id, created_at, id) where is_visible = 1',
  'generations_by_group_and_more on generations (owner, group_id, kind, status, open_task, model, created_at, id) where is_visible = 1',
  'generations_without_end on generations (created_at) where finished_at is null',
  "creations_under_way on creations (instance_id) where phase in ('CLAIMED', 'SENDING')",
];
const functions = ['record_change', 'record_end', 'release_files'];
const tables = [
  'generation_changes',
  'owner_changes',
  'webhook_deliveries',
  'webhooks',
  'files',
  'file_objects',
  'file_sums',
  'file_deletions',
  'callbacks',
  'callback_leases',
];

/** Statements that remove what the migration of conversations and all later ones add. */
export function downgradeStatements(engine: Engine): readonly string[] {
  const isPostgres = engine === 'PostgreSQL';
  const triggers = [...changeTriggers[engine], 'record_end', 'release_files'];
  return [
    ...triggers.map((name) => `drop trigger ${name}${isPostgres ? ' on generations' : ''}`),
    ...(isPostgres ? functions.map((name) => `drop function gengraph_${name}()`) : []),
    ...tables.map((name) => `drop table ${name}`),
    ...[...indexes, 'inline_images', 'files_due'].map((name) => `drop index generations_${name}`),
    ...wholeIndexes.flatMap((index) => [`drop index ${index.split(' ')[0]}`, `create index ${index}`]),
    'create index creations_by_subject on creations (subject_id)',
    'drop index creations_refused',
    'drop index creations_refused_by_time',
    'alter table creations drop column failure',
    ...addedColumns.map((name) => `alter table generations drop column ${name}`),
    ...['kysely_migration', 'additive_migrations'].map(
      (table) => `delete from ${table} where name >= '0014'`,
    ),
  ];
}

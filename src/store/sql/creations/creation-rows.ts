import type { Creation } from '../../records.ts';
import { fromNameColumn, fromTextColumn, toNameColumn, toTextColumn } from '../basics/columns.ts';
import type { CreationRow } from '../basics/tables.ts';

export function toCreationRow(creation: Creation, instanceId: string): CreationRow {
  return {
    id: creation.id,
    owner: creation.owner,
    key: creation.key === undefined ? null : toNameColumn(creation.key),
    operation: creation.operation,
    fingerprint: creation.fingerprint,
    phase: creation.phase,
    subject_id: creation.subjectId,
    instance_id: instanceId,
    created_at: creation.createdAt,
    // Absent from the usual rows, so that their insert writes no column more.
    ...(creation.failure && { failure: toTextColumn(creation.failure) }),
  };
}

export function fromCreationRow(row: CreationRow): Creation {
  return {
    id: row.id,
    owner: row.owner,
    key: fromNameColumn(row.key ?? ''),
    operation: row.operation,
    fingerprint: row.fingerprint,
    phase: row.phase,
    subjectId: row.subject_id,
    createdAt: row.created_at,
    instanceId: row.instance_id,
    failure: fromTextColumn('failure', row.failure ?? null),
  };
}

import type { PollRecords } from '../store/poll-records.ts';
import type { Store } from '../store/store.ts';
import { withReading } from './poll-leases.ts';
import type { TaskOutcome, TaskReaders } from './task-outcome.ts';

/** Wraps `read`: a task that another instance has read within its poll interval comes from the record. */
export function readFreshRecords(
  { instanceId, findTasks }: Pick<Store, 'instanceId' | 'findTasks'>,
  polls: PollRecords,
  read: TaskReaders['read'],
): TaskReaders['read'] {
  const findFresh = async (owner: string, ids: readonly string[]): Promise<Map<string, TaskOutcome>> => {
    const polled = await polls.findPolled(owner, ids);
    const fresh = new Map(
      polled.flatMap((task) => (task?.isFresh && task.readBy !== instanceId ? [[task.id, task]] : [])),
    );
    if (fresh.size === 0) return new Map();
    const records = await findTasks(owner, [...fresh.keys()]);
    return new Map(
      records.flatMap((record) => (record ? [[record.id, withReading(record, fresh.get(record.id))]] : [])),
    );
  };
  return async (caller, ids) => {
    // The read reports a failure of the store.
    const fresh = await findFresh(caller.owner, ids).catch(() => new Map<string, TaskOutcome>());
    if (fresh.size === 0) return read(caller, ids);
    const others = ids.filter((id) => !fresh.has(id));
    const outcomes = others.length > 0 ? await read(caller, others) : [];
    const found = new Map(others.map((id, index) => [id, outcomes[index]]));
    return ids.map((id) => (fresh.has(id) ? fresh.get(id) : found.get(id)));
  };
}

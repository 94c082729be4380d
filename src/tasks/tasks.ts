import { hasPermission } from '../gateway/caller.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Clock } from '../lib/clock.ts';
import { isTerminal, type Task } from '../store/records.ts';
import { sharedTime } from '../store/sharing.ts';
import type { CanRead } from '../store/shown-status.ts';
import type { Store } from '../store/store.ts';
import { createGroupReads } from './read-group.ts';
import { createRecordReadings } from './record-reading.ts';
import { isRecheckDue } from './refused-reads.ts';
import { readFreshRecords } from './read-fresh-records.ts';
import { type ReadAll, shareReads } from './share-reads.ts';
import type { TaskOutcome, TaskReaders } from './task-outcome.ts';
import { createTaskReads, type TaskPaths } from './task-reads.ts';
import {
  taskIdOf,
  type TaskHandle,
  type TaskKinds,
  type TaskLocation,
  type TaskReading,
} from './task-kinds.ts';

export interface TasksOptions {
  readonly store: Store;
  readonly gateway: Gateway;
  readonly clock: Clock;
  readonly kinds: TaskKinds;
  /** Read paths from `GATEWAY_TASK_PATHS`. @default none */
  readonly paths?: TaskPaths;
  /** Size limit of a recorded reply beside its output. */
  readonly maxReplyBytes: number;
  /** A read failed for a reason other than an answer of the gateway. Clients see a masked failure. */
  readonly onReadFailed?: (error: unknown) => void;
}

export interface Tasks extends TaskReaders {
  /** Finds the caller's records without a request to the gateway. Returns a handle for a valid id without a record. */
  find(owner: string, ids: readonly string[]): Promise<readonly (Task | TaskHandle | undefined)[]>;
  /** Records a reading of a recorded task. Returns the updated task. */
  record(task: Task, reading: TaskReading): Promise<Task>;
  /** Saves a recorded task as it is, for its `lastReadAt`. */
  save(task: Task): Promise<void>;
  /** Whether the gateway has a read for this task. */
  isTrackable(task: TaskLocation): boolean;
  /** `isTrackable` for an unfinished task, from the record of its generation. */
  readonly canRead: CanRead;
}

export function createTasks(options: TasksOptions): Tasks {
  const { store, gateway, clock, kinds, paths = {} } = options;
  const reads = createTaskReads({ gateway, kinds, paths });

  const find: Tasks['find'] = async (owner, ids) => {
    const records = await store.findTasks(owner, ids);
    return ids.map((id, index) => records[index] ?? kinds.handleOf(id));
  };

  const recordReadings = createRecordReadings({ store, clock, maxReplyBytes: options.maxReplyBytes });

  const readGroup = createGroupReads({ ...options, recordReadings });

  /** Reads tasks of one caller. */
  const readAll: ReadAll = async (caller, requested) => {
    const ids = [...requested.keys()];
    const records = await store.findTasks(caller.owner, ids);
    // With the key of the server, the gateway would show a task of any user.
    const adoptable = (id: string): TaskHandle | undefined =>
      hasPermission(caller, 'adoptTask') ? kinds.handleOf(id) : undefined;
    // A polled task whose generation was deleted keeps the generation's id. The store then does not save the task again.
    const known: readonly (Task | TaskHandle | undefined)[] = ids.map(
      (id, index) => records[index] ?? withoutReadFailure(requested.get(id)) ?? adoptable(id),
    );
    const outcomes = new Map<string, TaskOutcome>();
    const unread: (Task | TaskHandle)[] = [];
    let index = 0;
    for (const id of ids) {
      const task = known[index++];
      const isOver =
        task && 'status' in task && isTerminal(task.status) && !isRecheckDue(task, sharedTime(store, clock));
      const needsNoRead = !task || isOver || !reads.isTrackable(task);
      // An untrackable handle becomes a task with an unknown status.
      if (needsNoRead) outcomes.set(id, task && ('status' in task ? task : untracked(caller.owner, task)));
      else unread.push(task);
    }
    const groups = Map.groupBy(unread, ({ kind }) => kinds.find(kind)?.batch ?? kind);
    const read = [...groups].map(async ([name, group]) => {
      const kind = group[0] && reads.find(group[0].kind);
      if (kind) await readGroup({ call: { gateway, caller }, kind, name, tasks: group }, outcomes);
    });
    await Promise.all(read);
    return outcomes;
  };

  const shared = shareReads(readAll);
  return {
    find,
    ...shared,
    read: store.sharing ? readFreshRecords(store, store.sharing.polls, shared.read) : shared.read,
    async record(task, reading) {
      const [recorded = task] = await recordReadings(task.owner, [{ known: task, reading }]);
      return recorded;
    },
    async save(task) {
      await store.saveTask(task);
    },
    isTrackable: reads.isTrackable,
    canRead: reads.canRead,
  };
}

function withoutReadFailure(task: Task | undefined): Task | undefined {
  return task?.readFailure ? { ...task, readFailure: undefined } : task;
}

function untracked(owner: string, handle: TaskHandle): Task {
  return { ...handle, id: taskIdOf(handle), owner, status: 'UNKNOWN' };
}

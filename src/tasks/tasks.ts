import pLimit from 'p-limit';
import { ExpectedError } from '../errors.ts';
import { hasPermission } from '../gateway/caller.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Clock } from '../lib/clock.ts';
import { isTerminal, type Task } from '../store/records.ts';
import type { CanRead } from '../store/shown-status.ts';
import type { Store } from '../store/store.ts';
import { createFailedReads } from './failed-reads.ts';
import { createRecordReadings, type KnownReading } from './record-reading.ts';
import { isRecheckDue } from './refused-reads.ts';
import { readFreshRecords } from './read-fresh-records.ts';
import { type ReadAll, shareReads } from './share-reads.ts';
import { createRepeatedReplies } from './repeated-replies.ts';
import { createRetryAfter } from './retry-after.ts';
import type { TaskOutcome, TaskReaders } from './task-outcome.ts';
import { createTaskReads, type TaskPaths } from './task-reads.ts';
import {
  taskIdOf,
  type TaskCall,
  type TaskHandle,
  type TaskKind,
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
  /** Maximum concurrent reads of kinds without a batch read. @default 8 */
  readonly concurrency?: number;
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

/** The gateway documents no limit for its batch read. A request with this many ids is still small. */
const maxBatch = 100;

export function createTasks(options: TasksOptions): Tasks {
  const { store, gateway, clock, kinds, paths = {} } = options;
  const reads = createTaskReads({ gateway, kinds, paths });
  const retryAfter = createRetryAfter(clock);
  const replies = createRepeatedReplies();
  const limit = pLimit(options.concurrency ?? 8);

  const find: Tasks['find'] = async (owner, ids) => {
    const records = await store.findTasks(owner, ids);
    return ids.map((id, index) => records[index] ?? kinds.handleOf(id));
  };

  const recordReadings = createRecordReadings({ store, clock, maxReplyBytes: options.maxReplyBytes });

  const { failed, notFound } = createFailedReads(options);

  const readGroup = async (
    call: TaskCall,
    { kind, name }: { readonly kind: TaskKind; readonly name: string },
    group: readonly (Task | TaskHandle)[],
  ): Promise<Map<string, TaskOutcome>> => {
    const outcomes = new Map<string, TaskOutcome>();
    const readKey = `${call.caller.owner} ${name}`;
    const show = (tasks: readonly Task[]): void => {
      const lastReadAt = clock.now();
      for (const task of tasks) outcomes.set(task.id, { ...task, lastReadAt });
    };
    /** Returns the recorded tasks if the readings leave all of them unchanged, whenever they are repeated. */
    const settle = async (
      members: readonly (Task | TaskHandle)[],
      readingOf: (known: Task | TaskHandle) => TaskReading | undefined,
    ): Promise<readonly Task[] | undefined> => {
      const found: KnownReading[] = [];
      for (const known of members) {
        const reading = readingOf(known);
        if (reading) found.push({ known, reading });
        else outcomes.set(idOf(known), await notFound(known));
      }
      const recorded = await recordReadings(call.caller.owner, found);
      show(recorded);
      const isUnchanged = found.every(
        ({ known, reading }, index) => recorded[index] === known && !reading.isUnprovenSuccess,
      );
      return isUnchanged && found.length === members.length ? recorded : undefined;
    };
    const attempt = async (
      members: readonly (Task | TaskHandle)[],
      run: () => Promise<void>,
    ): Promise<void> => {
      const waitError = retryAfter.activeError(readKey);
      try {
        if (waitError) throw waitError;
        await run();
      } catch (error) {
        if (!waitError) retryAfter.record(readKey, error, members.map(idOf));
        if (!(error instanceof ExpectedError)) options.onReadFailed?.(error);
        const readsOne = members.length === 1 && !waitError;
        const fail = async (known: Task | TaskHandle): Promise<void> => {
          const reason = waitError ? retryAfter.errorFor(readKey, idOf(known)) : undefined;
          const failure = { error: reason ?? error, readsOne };
          outcomes.set(idOf(known), await failed(call.caller.owner, known, failure));
        };
        await Promise.all(members.map(fail));
      }
    };
    const { readMany, readOne } = kind;
    if (readMany) {
      for (let start = 0; start < group.length; start += maxBatch) {
        const members = group.slice(start, start + maxBatch);
        await attempt(members, async () => {
          const repeated = replies.open(call.caller.owner, members);
          const { lastReply } = repeated;
          const reply = await gateway.read({
            ...readMany.toRequest(members),
            caller: call.caller,
            lastReply,
            taskIds: members.map(idOf),
            origins: originsOf(members),
          });
          const unchanged = repeated.findUnchanged(reply);
          if (unchanged) return show(unchanged);
          const readings = readMany.decode(reply);
          const same = await settle(members, ({ upstreamId }) => readings.get(upstreamId));
          if (same) repeated.remember(same);
        });
      }
    } else if (readOne) {
      await Promise.all(
        group.map((known) =>
          limit(() =>
            attempt([known], async () => {
              const reading = await readOne(withTaskId(call, known), known);
              await settle([known], () => reading);
            }),
          ),
        ),
      );
    }
    return outcomes;
  };

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
    const groups = new Map<string, (Task | TaskHandle)[]>();
    for (const [index, id] of ids.entries()) {
      const task = known[index];
      const isOver = task && 'status' in task && isTerminal(task.status) && !isRecheckDue(task, clock.now());
      const needsNoRead = !task || isOver || !reads.isTrackable(task);
      // An untrackable handle becomes a task with an unknown status.
      if (needsNoRead) outcomes.set(id, task && ('status' in task ? task : untracked(caller.owner, task)));
      else addTo(groups, kinds.find(task.kind)?.batch ?? task.kind, task);
    }
    const read = [...groups].map(async ([name, group]) => {
      const kind = group[0] && reads.find(group[0].kind);
      return kind ? readGroup({ gateway, caller }, { kind, name }, group) : new Map<string, TaskOutcome>();
    });
    for (const map of await Promise.all(read)) for (const [id, outcome] of map) outcomes.set(id, outcome);
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

function addTo<Item>(groups: Map<string, Item[]>, name: string, item: Item): void {
  const group = groups.get(name);
  if (group) group.push(item);
  else groups.set(name, [item]);
}

function idOf(known: Task | TaskHandle): string {
  return 'id' in known ? known.id : taskIdOf(known);
}

/** The spans of the creates that started the tasks. */
function originsOf(tasks: readonly (Task | TaskHandle)[]): readonly string[] {
  return tasks.flatMap((task) => ('traceparent' in task && task.traceparent) || []);
}

/** The reads of the kind name its task in the log, and link to its create. */
function withTaskId({ gateway, ...call }: TaskCall, known: Task | TaskHandle): TaskCall {
  const named = { taskIds: [idOf(known)], origins: originsOf([known]) };
  return { ...call, gateway: { ...gateway, read: (request) => gateway.read({ ...request, ...named }) } };
}

function withoutReadFailure(task: Task | undefined): Task | undefined {
  return task?.readFailure ? { ...task, readFailure: undefined } : task;
}

function untracked(owner: string, handle: TaskHandle): Task {
  return { ...handle, id: taskIdOf(handle), owner, status: 'UNKNOWN' };
}

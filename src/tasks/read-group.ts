import { ExpectedError } from '../errors.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { createQueues } from '../lib/fairness/queues.ts';
import type { Task } from '../store/records.ts';
import { createFailedReads, type FailedReads, type FailedReadsOptions } from './failed-reads.ts';
import { type KnownReading, type RecordReadings, repeatsReading } from './record-reading.ts';
import { createRepeatedRecords } from './repeated-records.ts';
import { createRetryAfter, type RetryAfter } from './retry-after.ts';
import type { TaskOutcome } from './task-outcome.ts';
import { taskIdOf, type TaskCall, type TaskHandle, type TaskKind, type TaskReading } from './task-kinds.ts';

export interface GroupReadsOptions extends FailedReadsOptions {
  readonly gateway: Gateway;
  readonly recordReadings: RecordReadings;
}

/** The tasks of one caller that are read alike. */
interface Group {
  readonly call: TaskCall;
  readonly kind: TaskKind;
  /** Groups of one name wait together for `Retry-After`. */
  readonly name: string;
  readonly tasks: Members;
}

type Members = readonly (Task | TaskHandle)[];

/**
 * Reads the tasks of a group from the gateway and records what changed. Adds the outcome of each task. Never rejects for a
 * failed read: it is an outcome.
 */
type ReadGroup = (group: Group, outcomes: Map<string, TaskOutcome>) => Promise<void>;

/** The gateway documents no limit for its batch read. A request with this many ids is still small. */
const maxBatch = 100;
/** Concurrent reads of one owner, of kinds without a batch read. */
const maxConcurrent = 8;

export function createGroupReads(options: GroupReadsOptions): ReadGroup {
  const parts: Parts = {
    ...options,
    retryAfter: createRetryAfter(options.clock),
    failedReads: createFailedReads(options),
  };
  const { gateway } = options;
  const repeatedRecords = createRepeatedRecords();
  const queue = createQueues(maxConcurrent);

  const readTogether = async (
    read: GroupRead,
    { call: { caller }, tasks }: Group,
    readMany: NonNullable<TaskKind['readMany']>,
  ): Promise<void> => {
    for (let start = 0; start < tasks.length; start += maxBatch) {
      const members = tasks.slice(start, start + maxBatch);
      await read.attempt(members, async () => {
        const repeated = repeatedRecords.open(caller.owner, members, readMany.find);
        const reply = await gateway.read({
          ...readMany.toRequest(members),
          caller,
          lastReply: repeated.lastReply,
          taskIds: members.map(idOf),
          origins: originsOf(members),
        });
        const records = repeated.findRecords(reply);
        const settled = await read.settle(members, (known, index) => {
          if (repeated.isRepeated(reply, index) && 'owner' in known) return known;
          const record = records.get(known.upstreamId);
          return record && repeatsReading(known, record) ? known : record && readMany.decode(record);
        });
        repeated.remember(reply, settled);
      });
    }
  };
  return async (group, outcomes) => {
    const read = new GroupRead(parts, group, outcomes);
    const { readMany, readOne } = group.kind;
    if (readMany) await readTogether(read, group, readMany);
    else if (readOne) {
      const readAlone = (known: Task | TaskHandle): Promise<void> =>
        read.attempt([known], async () => {
          const reading = await readOne(withTaskId(group.call, known), known);
          await read.settle([known], () => reading);
        });
      const { owner } = group.call.caller;
      await Promise.all(group.tasks.map((known) => queue(owner, () => readAlone(known))));
    }
  };
}

interface Parts extends GroupReadsOptions {
  readonly retryAfter: RetryAfter;
  readonly failedReads: FailedReads;
}

class GroupRead {
  readonly #parts: Parts;
  readonly #outcomes: Map<string, TaskOutcome>;
  readonly #owner: string;
  readonly #key: string;

  constructor(parts: Parts, { call, name }: Group, outcomes: Map<string, TaskOutcome>) {
    this.#parts = parts;
    this.#outcomes = outcomes;
    this.#owner = call.caller.owner;
    this.#key = `${call.caller.owner} ${name}`;
  }

  /** `read` returns the task itself if its reading repeats the recorded one. Returns the task after its reading, if it was found. */
  async settle(
    members: Members,
    read: (known: Task | TaskHandle, index: number) => Task | TaskReading | undefined,
  ): Promise<readonly (Task | undefined)[]> {
    const { recordReadings, failedReads, clock } = this.#parts;
    const readings = members.map(read);
    const changed: KnownReading[] = [];
    let index = 0;
    for (const known of members) {
      const reading = readings[index++];
      if (!reading) this.#outcomes.set(idOf(known), await failedReads.notFound(known));
      else if (!('owner' in reading)) changed.push({ known, reading });
    }
    const recorded = (changed.length > 0 ? await recordReadings(this.#owner, changed) : []).values();
    const lastReadAt = clock.now();
    return readings.map((reading) => {
      const task = reading && !('owner' in reading) ? recorded.next().value : reading;
      if (task) this.#outcomes.set(task.id, { ...task, lastReadAt });
      return task;
    });
  }

  /** Runs a read of these tasks, unless the gateway has asked to wait. A failure is an outcome of each. */
  async attempt(members: Members, run: () => Promise<void>): Promise<void> {
    const { retryAfter, failedReads, onReadFailed } = this.#parts;
    const waitError = retryAfter.findError(this.#key);
    try {
      if (waitError) throw waitError;
      await run();
    } catch (error) {
      if (!waitError) retryAfter.record(this.#key, error, members.map(idOf));
      if (!(error instanceof ExpectedError)) onReadFailed?.(error);
      const readsOne = members.length === 1 && !waitError;
      const fail = async (known: Task | TaskHandle): Promise<void> => {
        const reason = waitError ? retryAfter.findError(this.#key, idOf(known)) : undefined;
        const failure = { error: reason ?? error, readsOne };
        this.#outcomes.set(idOf(known), await failedReads.failed(this.#owner, known, failure));
      };
      await Promise.all(members.map(fail));
    }
  }
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

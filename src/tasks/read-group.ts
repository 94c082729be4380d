import pLimit from 'p-limit';
import { ExpectedError } from '../errors.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Task } from '../store/records.ts';
import { createFailedReads, type FailedReads, type FailedReadsOptions } from './failed-reads.ts';
import { type KnownReading, type RecordReadings, repeatsReading } from './record-reading.ts';
import { createRepeatedReplies } from './repeated-replies.ts';
import { createRetryAfter, type RetryAfter } from './retry-after.ts';
import type { TaskOutcome } from './task-outcome.ts';
import { taskIdOf, type TaskCall, type TaskHandle, type TaskKind, type TaskReading } from './task-kinds.ts';

export interface GroupReadsOptions extends FailedReadsOptions {
  readonly gateway: Gateway;
  readonly recordReadings: RecordReadings;
  /** Maximum concurrent reads of kinds without a batch read. @default 8 */
  readonly concurrency?: number;
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

/** Reads the tasks of a group from the gateway and records what changed. Never rejects for a failed read: it is an outcome. */
type ReadGroup = (group: Group) => Promise<Map<string, TaskOutcome>>;

/** The gateway documents no limit for its batch read. A request with this many ids is still small. */
const maxBatch = 100;

export function createGroupReads(options: GroupReadsOptions): ReadGroup {
  const parts: Parts = {
    ...options,
    retryAfter: createRetryAfter(options.clock),
    failedReads: createFailedReads(options),
  };
  const { gateway } = options;
  const replies = createRepeatedReplies();
  const limit = pLimit(options.concurrency ?? 8);

  const readTogether = async (
    read: GroupRead,
    { call: { caller }, tasks }: Group,
    readMany: NonNullable<TaskKind['readMany']>,
  ): Promise<void> => {
    for (let start = 0; start < tasks.length; start += maxBatch) {
      const members = tasks.slice(start, start + maxBatch);
      await read.attempt(members, async () => {
        const repeated = replies.open(caller.owner, members);
        const { lastReply } = repeated;
        const reply = await gateway.read({
          ...readMany.toRequest(members),
          caller,
          lastReply,
          taskIds: members.map(idOf),
          origins: originsOf(members),
        });
        const unchanged = repeated.findUnchanged(reply);
        if (unchanged) return read.show(unchanged);
        const records = readMany.find(reply);
        const same = await read.settle(members, (known) => {
          const record = records.get(known.upstreamId);
          return record && repeatsReading(known, record) ? known : record && readMany.decode(record);
        });
        if (same) repeated.remember(same);
      });
    }
  };
  return async (group) => {
    const read = new GroupRead(parts, group);
    const { readMany, readOne } = group.kind;
    if (readMany) await readTogether(read, group, readMany);
    else if (readOne) {
      const readAlone = (known: Task | TaskHandle): Promise<void> =>
        read.attempt([known], async () => {
          const reading = await readOne(withTaskId(group.call, known), known);
          await read.settle([known], () => reading);
        });
      await Promise.all(group.tasks.map((known) => limit(readAlone, known)));
    }
    return read.outcomes;
  };
}

interface Parts extends GroupReadsOptions {
  readonly retryAfter: RetryAfter;
  readonly failedReads: FailedReads;
}

class GroupRead {
  readonly outcomes = new Map<string, TaskOutcome>();
  readonly #parts: Parts;
  readonly #owner: string;
  readonly #key: string;

  constructor(parts: Parts, { call, name }: Group) {
    this.#parts = parts;
    this.#owner = call.caller.owner;
    this.#key = `${call.caller.owner} ${name}`;
  }

  show(tasks: readonly Task[]): void {
    const lastReadAt = this.#parts.clock.now();
    for (const task of tasks) this.outcomes.set(task.id, { ...task, lastReadAt });
  }

  /**
   * `read` returns the task itself if its reading repeats the recorded one. Returns the recorded tasks if the readings leave
   * all of them unchanged, whenever they are repeated.
   */
  async settle(
    members: Members,
    read: (known: Task | TaskHandle) => Task | TaskReading | undefined,
  ): Promise<readonly Task[] | undefined> {
    const { recordReadings, failedReads } = this.#parts;
    const unchanged: Task[] = [];
    const found: KnownReading[] = [];
    for (const known of members) {
      const reading = read(known);
      if (!reading) this.outcomes.set(idOf(known), await failedReads.notFound(known));
      else if ('owner' in reading) unchanged.push(reading);
      else found.push({ known, reading });
    }
    this.show(unchanged);
    if (unchanged.length === members.length) return unchanged;
    const recorded = await recordReadings(this.#owner, found);
    this.show(recorded);
    const isUnchanged = found.every(
      ({ known, reading }, index) => recorded[index] === known && !reading.isUnprovenSuccess,
    );
    const isWhole = unchanged.length + found.length === members.length;
    // All members are tasks then.
    return isUnchanged && isWhole ? members.filter((known) => 'owner' in known) : undefined;
  }

  /** Runs a read of these tasks, unless the gateway has asked to wait. A failure is an outcome of each. */
  async attempt(members: Members, run: () => Promise<void>): Promise<void> {
    const { retryAfter, failedReads, onReadFailed } = this.#parts;
    const waitError = retryAfter.activeError(this.#key);
    try {
      if (waitError) throw waitError;
      await run();
    } catch (error) {
      if (!waitError) retryAfter.record(this.#key, error, members.map(idOf));
      if (!(error instanceof ExpectedError)) onReadFailed?.(error);
      const readsOne = members.length === 1 && !waitError;
      const fail = async (known: Task | TaskHandle): Promise<void> => {
        const reason = waitError ? retryAfter.errorFor(this.#key, idOf(known)) : undefined;
        const failure = { error: reason ?? error, readsOne };
        this.outcomes.set(idOf(known), await failedReads.failed(this.#owner, known, failure));
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

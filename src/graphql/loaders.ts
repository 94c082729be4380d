import DataLoader from 'dataloader';
import { RequestError } from '../errors.ts';
import type { Caller } from '../gateway/caller.ts';
import type { AccessToken, Generation, Task } from '../store/records.ts';
import type { Engine } from '../generations/engine.ts';

/** Reads by key, batched within one execution. Each event of a subscription gets new loaders, because records change. */
export interface Loaders {
  readonly generation: DataLoader<string, Generation | undefined>;
  readonly accessToken: DataLoader<string, AccessToken | undefined>;
  /** The record, without a read from the gateway. */
  readonly taskRecord: DataLoader<string, Task | undefined>;
  /** Reads from the gateway unless the record is terminal. */
  readonly task: DataLoader<string, Task | undefined>;
}

/** Creates each loader at its first use, because most events of a subscription need none. */
export function createLoaders({ store, tasks }: Engine, caller: Caller | undefined): Loaders {
  const none = (ids: readonly string[]): readonly undefined[] => ids.map(() => undefined);
  let generation: Loaders['generation'] | undefined;
  let accessToken: Loaders['accessToken'] | undefined;
  let taskRecord: Loaders['taskRecord'] | undefined;
  let task: Loaders['task'] | undefined;
  return {
    get generation() {
      return (generation ??= new DataLoader(async (ids) =>
        caller ? store.findGenerations(caller.owner, ids) : none(ids),
      ));
    },
    get accessToken() {
      return (accessToken ??= new DataLoader(async (ids) =>
        caller ? store.findAccessTokens(caller.owner, ids) : none(ids),
      ));
    },
    get taskRecord() {
      return (taskRecord ??= new DataLoader(async (ids) =>
        caller ? store.findTasks(caller.owner, ids) : none(ids),
      ));
    },
    get task() {
      return (task ??= new DataLoader(
        boundedReads(async (ids) => (caller ? tasks.read(caller, ids) : none(ids))),
      ));
    },
  };
}

/** Limit of one operation, across all its fields and aliases. */
export const maxTasksRead = 1000;

type ReadTasks = (ids: readonly string[]) => Promise<readonly (Task | Error | undefined)[]>;

/** Limits the reads of one operation. `ids` never repeats an id, because the loader caches. */
function boundedReads(read: ReadTasks): ReadTasks {
  let remaining = maxTasksRead;
  return async (ids) => {
    const admitted = ids.slice(0, remaining);
    remaining -= admitted.length;
    const outcomes = await read(admitted);
    const refusal = new RequestError(
      'LIMIT_EXCEEDED',
      `One operation reads at most ${maxTasksRead} tasks from the gateway. Split it.`,
    );
    return ids.map((_id, index) => (index < admitted.length ? outcomes[index] : refusal));
  };
}

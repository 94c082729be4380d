import DataLoader from 'dataloader';
import type { Caller } from '../gateway/caller.ts';
import type { AccessToken, Generation, Task } from '../store/records.ts';
import type { Kernel } from './context.ts';

/** Reads by key, batched within one execution. Made anew for every event of a subscription, since records change. */
export interface Loaders {
  readonly generation: DataLoader<string, Generation | undefined>;
  readonly accessToken: DataLoader<string, AccessToken | undefined>;
  /** As last recorded, without asking the gateway. */
  readonly taskRecord: DataLoader<string, Task | undefined>;
  /** Asks the gateway where the record is not final. */
  readonly task: DataLoader<string, Task | undefined>;
}

/** Each loader is made at its first use: most events of a subscription need none. */
export function createLoaders({ store, tasks }: Kernel, caller: Caller | undefined): Loaders {
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
      return (task ??= new DataLoader(async (ids) => (caller ? tasks.read(caller, ids) : none(ids))));
    },
  };
}

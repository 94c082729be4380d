import DataLoader from 'dataloader';
import type { Caller } from '../gateway/caller.ts';
import type { AccessToken, Generation, Task } from '../store/records.ts';
import type { Engine } from '../generations/engine.ts';
import { createTaskLoader, type TaskLoader } from './task-loader.ts';
import { createTaskSelections, type TaskSelections } from './task-selections.ts';

/** Reads by key, batched within one execution. Each event of a subscription gets new loaders, because records change. */
export interface Loaders {
  readonly generation: DataLoader<string, Generation | undefined>;
  readonly accessToken: DataLoader<string, AccessToken | undefined>;
  /** The record, without a read from the gateway. */
  readonly taskRecord: DataLoader<string, Task | undefined>;
  /** Reads from the gateway unless the record is terminal. */
  readonly task: TaskLoader;
  /** Whether this execution has used `task`. */
  readonly usesTasks: boolean;
  readonly taskSelections: TaskSelections;
  /** The generation and its task may have changed: the next field that shows them loads them again. */
  forget(generation: Pick<Generation, 'id' | 'taskId'>): void;
}

/** Creates each loader at its first use, because most events of a subscription need none. */
export function createLoaders({ store, tasks }: Engine, caller: Caller | undefined): Loaders {
  const none = (ids: readonly string[]): readonly undefined[] => ids.map(() => undefined);
  let generation: Loaders['generation'] | undefined;
  let accessToken: Loaders['accessToken'] | undefined;
  let taskRecord: Loaders['taskRecord'] | undefined;
  let task: TaskLoader | undefined;
  let taskSelections: TaskSelections | undefined;
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
      return (task ??= createTaskLoader(
        async (ids) => (caller ? tasks.read(caller, ids) : none(ids)),
        ({ generationId }) => generationId !== undefined && generation?.clear(generationId),
      ));
    },
    get usesTasks() {
      return task !== undefined;
    },
    get taskSelections() {
      return (taskSelections ??= createTaskSelections());
    },
    forget({ id, taskId }) {
      generation?.clear(id);
      if (taskId === undefined) return;
      taskRecord?.clear(taskId);
      task?.clear(taskId);
    },
  };
}

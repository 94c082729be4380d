import DataLoader from 'dataloader';
import type { Caller } from '../gateway/caller.ts';
import {
  type AccessToken,
  contentNames,
  type Generation,
  type GenerationSummary,
  type Task,
} from '../store/records.ts';
import type { PolledTask } from '../store/poll-records.ts';
import type { Engine } from '../generations/engine.ts';
import type { AnswerBudget } from './answer-budget.ts';
import { type ContentLoader, createContentLoader, readWithinBudget } from './contents.ts';
import { createTaskLoader, type TaskLoader } from './task-loader.ts';
import { createTaskSelections, type TaskSelections } from './task-selections.ts';

/** Reads by key, batched within one execution. Each event of a subscription gets new loaders, because records change. */
export interface Loaders {
  readonly generation: DataLoader<string, GenerationSummary | undefined>;
  readonly content: ContentLoader;
  readonly accessToken: DataLoader<string, AccessToken | undefined>;
  /** The record, without a read from the gateway. */
  readonly taskRecord: DataLoader<string, Task | undefined>;
  /** What other instances know about a task that is polled. */
  readonly polledTask: DataLoader<string, PolledTask | undefined>;
  /** Reads from the gateway unless the record is terminal. */
  readonly task: TaskLoader;
  /** Whether this execution has used `task`. */
  readonly usesTasks: boolean;
  readonly taskSelections: TaskSelections;
  /** The generation and its task may have changed: the next field that shows them loads them again. */
  forget(generation: Pick<Generation, 'id' | 'taskId'>): void;
}

/** Creates each loader at its first use, because most events of a subscription need none. */
export function createLoaders(
  { store, tasks, pauses }: Engine,
  caller: Caller | undefined,
  budget: AnswerBudget,
): Loaders {
  const none = (ids: readonly string[]): readonly undefined[] => ids.map(() => undefined);
  const readTasks = async <Outcome>(
    owner: string,
    ids: readonly string[],
    read: (ids: readonly string[]) => Promise<readonly Outcome[]>,
  ): Promise<readonly (Outcome | Error)[]> => {
    const sizes = await store.measureTasks(owner, ids);
    return readWithinBudget(ids, { budget, sizeOf: (_id, index) => sizes[index], read });
  };
  let generation: Loaders['generation'] | undefined;
  let content: ContentLoader | undefined;
  let accessToken: Loaders['accessToken'] | undefined;
  let taskRecord: Loaders['taskRecord'] | undefined;
  let polledTask: Loaders['polledTask'] | undefined;
  let task: TaskLoader | undefined;
  let taskSelections: TaskSelections | undefined;
  const clearGeneration = (id: string): void => {
    generation?.clear(id);
    for (const name of contentNames) content?.clear({ id, name });
  };
  return {
    get generation() {
      return (generation ??= new DataLoader(async (ids) =>
        caller ? store.findSummaries(caller.owner, ids) : none(ids),
      ));
    },
    get content() {
      return (content ??= createContentLoader({ store, owner: caller?.owner, budget, pauses }));
    },
    get accessToken() {
      return (accessToken ??= new DataLoader(async (ids) =>
        caller ? store.findAccessTokens(caller.owner, ids) : none(ids),
      ));
    },
    get taskRecord() {
      return (taskRecord ??= new DataLoader(async (ids) =>
        caller
          ? readTasks(caller.owner, ids, (admitted) => store.findTasks(caller.owner, admitted))
          : none(ids),
      ));
    },
    get polledTask() {
      return (polledTask ??= new DataLoader(async (ids) =>
        caller ? store.polls.findPolled(caller.owner, ids) : none(ids),
      ));
    },
    get task() {
      return (task ??= createTaskLoader(
        async (ids) =>
          caller ? readTasks(caller.owner, ids, (admitted) => tasks.read(caller, admitted)) : none(ids),
        ({ generationId }) => generationId !== undefined && clearGeneration(generationId),
      ));
    },
    get usesTasks() {
      return task !== undefined;
    },
    get taskSelections() {
      return (taskSelections ??= createTaskSelections());
    },
    forget({ id, taskId }) {
      clearGeneration(id);
      if (taskId === undefined) return;
      taskRecord?.clear(taskId);
      task?.clear(taskId);
    },
  };
}

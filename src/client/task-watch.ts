import type { Client } from 'graphql-ws';
import { type GenerationItem, taskFields, type TaskState } from './generation-view.ts';

export const progressText = `subscription ProgressOf($ids:[ID!]!){tasksProgress(ids:$ids){${taskFields}generation{id}}}`;

interface TaskFields extends TaskState {
  readonly generation: { readonly id: string } | null;
}
/** As many as one subscription can watch. */
const maxTasks = 100;
/** New tasks wait for others that come with them. */
const gatherMs = 250;
const againMs = 5000;

/**
 * Reports the progress of the unfinished tasks in a list, the first hundred. The server also reads a task more often while it
 * is watched.
 */
export class TaskWatch {
  readonly #client: Client;
  readonly #report: (generationId: string, state: TaskState) => void;
  #items: readonly GenerationItem[] = [];
  #watched: ReadonlySet<string> = new Set();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unsubscribe = (): void => {};

  constructor(client: Client, report: (generationId: string, state: TaskState) => void) {
    this.#client = client;
    this.#report = report;
  }

  watch(items: readonly GenerationItem[]): void {
    this.#items = items;
    if (this.#unfinished().some((id) => !this.#watched.has(id))) this.#plan(gatherMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#watched = new Set();
    this.#unsubscribe();
  }

  #unfinished(): readonly string[] {
    const ids: string[] = [];
    for (const { taskId, isEnded } of this.#items) {
      if (taskId !== null && !isEnded) ids.push(taskId);
      if (ids.length === maxTasks) break;
    }
    return ids;
  }

  #plan(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#subscribe();
    }, ms);
  }

  #subscribe(): void {
    const ids = this.#unfinished();
    this.#unsubscribe();
    this.#watched = new Set(ids);
    if (ids.length === 0) return;
    let isOver = false;
    // The server completes it when all have ended. The feed reports their ends.
    const complete = (): void => {
      if (isOver) return;
      isOver = true;
      this.#watched = new Set();
      if (this.#unfinished().length > 0) this.#plan(againMs);
    };
    const end = this.#client.subscribe<{ readonly tasksProgress: TaskFields }>(
      { query: progressText, variables: { ids } },
      {
        next: ({ data }) => {
          const task = data?.tasksProgress;
          if (!isOver && task?.generation) this.#report(task.generation.id, task);
        },
        error: complete,
        complete,
      },
    );
    this.#unsubscribe = () => {
      isOver = true;
      end();
    };
  }
}

import { FairQueue, noLimits, type PathStep } from './fair-queue.ts';

/** Runs a limited number of tasks of one key at the same time. The others wait in order. */
export type Queues = <Result>(key: string, task: () => Promise<Result>) => Promise<Result>;

export function createQueues(maxRunning: number): Queues {
  const run = createFairQueues();
  const limits = { ...noLimits, running: maxRunning };
  return (key, task) => run([{ key, limits }], task);
}

/** Runs tasks within the limits of their groups, the outermost first. The groups of each level take turns. */
export type FairQueues = <Result>(path: readonly PathStep[], task: () => Promise<Result>) => Promise<Result>;

export function createFairQueues(): FairQueues {
  const queue = new FairQueue<() => void>();
  const startAll = (): void => {
    for (let start = queue.shift(); start; start = queue.shift()) start();
  };
  return async (path, task) => {
    const group = queue.locate(path);
    if (group.counts.waiting === 0 && queue.hasRoom(group, 'running')) queue.change(group, 'running', 1);
    else
      await new Promise<void>((resolve) =>
        queue.push(group, () => {
          queue.change(group, 'running', 1);
          resolve();
        }),
      );
    try {
      return await task();
    } finally {
      queue.change(group, 'running', -1);
      startAll();
    }
  };
}

/** Runs a limited number of tasks of one key at the same time. The others wait in order. */
export type Queues = <Result>(key: string, task: () => Promise<Result>) => Promise<Result>;

interface Queue {
  running: number;
  readonly waiting: (() => void)[];
}

export function createQueues(maxRunning: number): Queues {
  const queues = new Map<string, Queue>();
  return async (key, task) => {
    const queue = queues.get(key) ?? { running: 0, waiting: [] };
    queues.set(key, queue);
    // A task that ends passes its place on.
    if (queue.running < maxRunning) queue.running += 1;
    else await new Promise<void>((resolve) => void queue.waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = queue.waiting.shift();
      if (next) next();
      else {
        queue.running -= 1;
        if (queue.running === 0) queues.delete(key);
      }
    }
  };
}

/** Runs the tasks of one key one after the other, and those of different keys at the same time. */
export type Queues = <Result>(key: string, task: () => Promise<Result>) => Promise<Result>;

export function createQueues(): Queues {
  /** Settles when the last task of a key has ended. */
  const last = new Map<string, Promise<void>>();
  return async (key, task) => {
    const previous = last.get(key);
    const { promise, resolve } = Promise.withResolvers<void>();
    last.set(key, promise);
    try {
      await previous;
      return await task();
    } finally {
      if (last.get(key) === promise) last.delete(key);
      resolve();
    }
  };
}

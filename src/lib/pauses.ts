/**
 * Divides large work into pieces. Of all work with the same pauses, one piece runs per iteration of the event loop. Work
 * in progress comes first, then answers, then other new work, because values in memory wait for the first two.
 */
export interface Pauses {
  /** Resolves when the next piece may run, in a later iteration of the event loop. */
  next(): Promise<void>;
  /** Resolves when a large answer may be written. */
  beginAnswer(): Promise<void>;
  /** Resolves when other large work may begin. */
  begin(): Promise<void>;
}

type Queue = (() => void)[];

export function createPauses(schedule: (callback: () => void) => void = setImmediate): Pauses {
  const inProgress: Queue = [];
  const answers: Queue = [];
  const others: Queue = [];
  const queues = [inProgress, answers, others];
  let isScheduled = false;
  const startNext = (): void => {
    queues.find((queue) => queue.length > 0)?.shift()?.();
    isScheduled = queues.some((queue) => queue.length > 0);
    if (isScheduled) schedule(startNext);
  };
  const join = (queue: Queue): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    queue.push(resolve);
    if (!isScheduled) schedule(startNext);
    isScheduled = true;
    return promise;
  };
  return {
    next: () => join(inProgress),
    beginAnswer: () => join(answers),
    begin: () => join(others),
  };
}

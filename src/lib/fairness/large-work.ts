/**
 * Divides large work into pieces. Of all large work, one piece runs per iteration of the event loop. Work in progress comes
 * first, then answers, then other new work, because values in memory wait for the first two.
 */
export interface LargeWork {
  /** Resolves when other large work may begin. */
  begin(): Promise<void>;
  /** Resolves when a large answer may be written. */
  beginAnswer(): Promise<void>;
  /** Resolves when the next piece of work in progress may run, in a later iteration of the event loop. */
  nextPiece(): Promise<void>;
}

type Queue = (() => void)[];

/** `callBack` runs a function in the next iteration of the event loop. */
export function createLargeWork(callBack: (run: () => void) => unknown = setImmediate): LargeWork {
  const inProgress: Queue = [];
  const answers: Queue = [];
  const others: Queue = [];
  const queues = [inProgress, answers, others];
  let isScheduled = false;
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    callBack(startNext);
  };
  const startNext = (): void => {
    isScheduled = false;
    queues.find((queue) => queue.length > 0)?.shift()?.();
    if (queues.some((queue) => queue.length > 0)) schedule();
  };
  const join = (queue: Queue): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    queue.push(resolve);
    schedule();
    return promise;
  };
  return {
    begin: () => join(others),
    beginAnswer: () => join(answers),
    nextPiece: () => join(inProgress),
  };
}

/** A process has one event loop, so everything in it shares this one: also two servers of a test. */
export const largeWork: LargeWork = createLargeWork();

/**
 * Acts on each of very many items, this many in a piece: the first piece at once. Items that are removed meanwhile from a Map
 * or Set that is iterated are left out.
 */
export async function forEachInPieces<Item>(
  items: Iterable<Item>,
  pieceSize: number,
  act: (item: Item) => void,
): Promise<void> {
  let count = 0;
  for (const item of items) {
    if (count > 0 && count % pieceSize === 0) await largeWork.nextPiece();
    count += 1;
    act(item);
  }
}

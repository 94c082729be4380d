import type { Clock } from '../../lib/clock.ts';

/** One batch of messages to one recipient, or to all instances if the recipient is empty. */
export interface MessageRow {
  readonly recipient: string;
  /** Counts the rows of this sender to this recipient. A missing number reveals a loss. */
  readonly number: number;
  readonly body: string;
}

export interface OutboxOptions {
  readonly clock: Clock;
  /** Commits the rows and wakes their recipients. May be repeated with the same rows. */
  readonly write: (rows: readonly MessageRow[]) => Promise<void>;
}

/** At most 100 commits a second. A commit that wakes others takes one lock of the whole database server. */
const batchMs = 10;
const retryMs = 200;
/** Pending messages beyond this size are dropped. Their numbers stay unused, so that recipients notice. */
const maxPendingLength = 16_000_000;
/** What a message counts at most: the state of a stream of images can be longer than all that may be pending. */
const maxCountedLength = maxPendingLength / 4;

/** Collects messages in batches: one row per recipient, one statement for all. */
export function createOutbox({ clock, write }: OutboxOptions) {
  let pending = new Map<string, Set<string>>();
  let pendingLength = 0;
  const numbers = new Map<string, number>();
  let unsent: readonly MessageRow[] = [];
  let writing: Promise<void> | undefined;
  let cancelTimer: (() => void) | undefined;
  let isClosed = false;

  const nextNumber = (recipient: string): number => {
    const number = (numbers.get(recipient) ?? 0) + 1;
    numbers.set(recipient, number);
    return number;
  };
  const takePending = (): readonly MessageRow[] => {
    const rows = [...pending].map(([recipient, texts]) => ({
      recipient,
      number: nextNumber(recipient),
      body: `[${[...texts].join(',')}]`,
    }));
    pending = new Map();
    pendingLength = 0;
    return rows;
  };
  const writeNext = async (): Promise<void> => {
    if (unsent.length === 0) unsent = takePending();
    if (unsent.length === 0) return;
    await write(unsent);
    unsent = [];
  };
  const schedule = (delayMs: number): void => {
    if (isClosed || cancelTimer || writing) return;
    cancelTimer = clock.after(delayMs, () => {
      cancelTimer = undefined;
      void flush();
    });
  };
  const flush = async (): Promise<void> => {
    if (writing) return writing;
    let isFailed = false;
    writing = writeNext()
      // The session reports the failure.
      .catch(() => {
        isFailed = true;
      })
      .finally(() => {
        writing = undefined;
        if (isFailed) schedule(retryMs);
        else if (pending.size > 0) schedule(batchMs);
      });
    await writing;
  };

  return {
    /** `text` is JSON. Equal messages of one batch are sent once. */
    add(recipient: string, text: string): void {
      if (isClosed) return;
      const length = Math.min(text.length, maxCountedLength);
      if (pendingLength + length > maxPendingLength) {
        // Takes what is pending, unless an earlier write has not succeeded yet.
        if (unsent.length === 0) void flush();
        if (pending.size > 0) takePending();
      }
      const texts = pending.get(recipient) ?? new Set();
      pending.set(recipient, texts);
      texts.add(text);
      pendingLength += length;
      schedule(batchMs);
    },
    /** Sends what is pending, again after a failure. */
    async flush(): Promise<void> {
      await writing;
      await flush();
      if (pending.size > 0) await flush();
    },
    close(): void {
      isClosed = true;
      cancelTimer?.();
    },
  };
}

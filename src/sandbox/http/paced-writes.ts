import type { ServerResponse } from 'node:http';
import { cutConnection } from './cut-connection.ts';

export interface PacedWrite {
  readonly text: string;
  /** How many of a model's steps this takes; they set the pace. 0 comes along with what is before it. */
  readonly steps: number;
  /** How many tokens of a model's output this is. */
  readonly tokens: number;
  /** Whether what follows must reach the client in another read. */
  readonly isFlushed?: boolean;
}

/** How a stream ends after its last write: properly, by a cut connection, or not at all. */
export type StreamEnding = 'end' | 'cut' | 'stall';

export interface PacedStream {
  readonly outgoing: ServerResponse;
  readonly writes: Iterable<PacedWrite>;
  readonly ending: StreamEnding;
  readonly pace: Pace;
  /** Called before each write with the tokens in it. */
  readonly onTokens: (tokens: number) => void;
  /** Called before a stream that was written whole is ended. */
  readonly onWritten: () => void;
}

export interface Pace {
  /** Infinity for no pacing. */
  readonly stepsPerSecond: number;
  /** How long a model takes until its first step. */
  readonly firstStepMs: number;
  /** From 0 up to but not including 1: how late in its time a step after the first comes. */
  readonly jitter: () => number;
}

/** Texts are joined up to this length before they are handed to the socket. */
const batchLength = 16 * 1024;

/**
 * Writes a stream at a model's pace, with one timer: each step has its own due time counted from the start,
 * so that late timers do not add up. Waits for a slow socket. Resolves when the connection's part in it is
 * over; when the client leaves, at once.
 */
export function sendPaced({
  outgoing,
  writes,
  ending,
  pace,
  onTokens,
  onWritten,
}: PacedStream): Promise<void> {
  const iterator = writes[Symbol.iterator]();
  const schedule = createSchedule(pace);
  let next = iterator.next();
  let timer: NodeJS.Timeout | undefined;
  let immediate: NodeJS.Immediate | undefined;

  /** Joins what is due, up to the length of a batch. */
  const takeBatch = (): { text: string; waitMs: number } => {
    let text = '';
    while (next.done !== true && text.length < batchLength) {
      const { value } = next;
      const waitMs = schedule.msUntil(value.steps);
      if (waitMs > 0) return { text, waitMs };
      text += value.text;
      if (value.tokens > 0) onTokens(value.tokens);
      next = iterator.next();
      if (value.isFlushed === true) break;
    }
    return { text, waitMs: 0 };
  };

  return new Promise((resolve) => {
    const stop = (): void => {
      clearTimeout(timer);
      clearImmediate(immediate);
      outgoing.off('drain', step).off('close', stop);
      resolve();
    };
    const conclude = (text: string): void => {
      // A stalled stream stays open until the client leaves.
      if (ending === 'stall') outgoing.write(text);
      else if (ending === 'end') {
        onWritten();
        outgoing.end(text);
        stop();
      } else {
        // Only once it is sent: what still waits in a buffer would be lost with the connection.
        outgoing.write(text, () => {
          if (outgoing.destroyed) return;
          onWritten();
          cutConnection(outgoing, { isReset: false });
        });
      }
    };
    const step = (): void => {
      const { text, waitMs } = takeBatch();
      if (next.done === true) {
        conclude(text);
        return;
      }
      const isSocketReady = text === '' || outgoing.write(text);
      if (!isSocketReady) outgoing.once('drain', step);
      else if (waitMs > 0) timer = setTimeout(step, waitMs);
      else immediate = setImmediate(step);
    };
    outgoing.once('close', stop);
    if (outgoing.destroyed) stop();
    else step();
  });
}

interface Schedule {
  /** Milliseconds until the next write is due; once it is, the write counts as made. */
  msUntil(steps: number): number;
}

function createSchedule({ stepsPerSecond, firstStepMs, jitter }: Pace): Schedule {
  const startedAt = performance.now();
  const gapMs = 1000 / stepsPerSecond;
  let stepsDone = 0;
  // Drawn once per step, however often the stream looks at it.
  let dueAt: number | undefined;
  const drawShift = (): number => (stepsDone === 0 ? 0 : (jitter() - 0.5) * 0.8);
  return {
    msUntil(steps) {
      if (steps === 0 || gapMs === 0) return 0;
      dueAt ??= startedAt + firstStepMs + (stepsDone + drawShift()) * gapMs;
      // Half a millisecond is below what a timer can keep.
      const waitMs = dueAt - performance.now() - 0.5;
      if (waitMs > 0) return waitMs;
      stepsDone += steps;
      dueAt = undefined;
      return 0;
    },
  };
}

/** Waits as long as a model would work on a whole reply. Resolves to false as soon as the client leaves. */
export function waitWhileOpen(outgoing: ServerResponse, waitMs: number): Promise<boolean> {
  if (outgoing.destroyed) return Promise.resolve(false);
  if (waitMs <= 0) return Promise.resolve(true);
  return new Promise((resolve) => {
    const onClose = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      outgoing.off('close', onClose);
      resolve(true);
    }, waitMs);
    outgoing.once('close', onClose);
  });
}

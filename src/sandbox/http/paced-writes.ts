import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { abortable } from './abort.ts';
import { cutConnection } from './cut-connection.ts';

export interface PacedWrite {
  readonly text: string;
  /** Number of model steps that this write takes at the stream's pace. A write of 0 steps follows the previous one at once. */
  readonly steps: number;
  /** How many output tokens this holds. */
  readonly tokens: number;
  /** Whether to flush after this write, so that the client receives the next write in a separate read. */
  readonly isFlushed?: boolean;
}

/** How a stream ends after its last write: complete, by a cut connection, or not at all. */
export type StreamEnding = 'end' | 'cut' | 'stall';

export interface PacedStream {
  readonly outgoing: ServerResponse;
  readonly writes: Iterable<PacedWrite>;
  readonly ending: StreamEnding;
  /** @default no pacing */
  readonly pace?: Pace;
  /** Called before each write with its number of tokens. */
  readonly onTokens?: (tokens: number) => void;
  /** Called before the end of a stream that was written completely. */
  readonly onWritten?: () => void;
}

export interface Pace {
  /** Infinity for no pacing. */
  readonly stepsPerSecond: number;
  /** How long a model takes until its first step. */
  readonly firstStepMs: number;
  /** From 0 up to but not including 1: varies when a step after the first is due. */
  readonly jitter: () => number;
}

/** Texts are joined up to this length before they are written to the socket. */
const batchLength = 16 * 1024;

/**
 * Writes a stream at a model's pace, with backpressure. Each step has its own due time, counted from the start, so that
 * late timers do not add up. Resolves when the stream has ended or the client has left.
 */
export async function sendPaced(stream: PacedStream): Promise<void> {
  const { outgoing, ending, onWritten } = stream;
  const [signal, unlink] = watchClose(outgoing);
  try {
    const rest = await writeBatches(stream, signal);
    if (ending === 'end') {
      onWritten?.();
      outgoing.end(rest);
      return;
    }
    // A cut connection loses what is still buffered, so the rest is sent first.
    await abortable(new Promise((resolve) => outgoing.write(rest, resolve)), signal);
    // A stalled stream stays open until the client leaves.
    if (ending === 'stall') await once(signal, 'abort');
    signal.throwIfAborted();
    onWritten?.();
    cutConnection(outgoing, { isReset: false });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    unlink();
  }
}

/** Writes all but the last batch, and returns that. */
async function writeBatches(stream: PacedStream, signal: AbortSignal): Promise<string> {
  const { outgoing, writes, pace, onTokens } = stream;
  const schedule = createSchedule(pace);
  let batch = '';
  const flush = async (): Promise<void> => {
    const isFull = batch !== '' && !outgoing.write(batch);
    batch = '';
    if (isFull) await once(outgoing, 'drain', { signal });
  };
  signal.throwIfAborted();
  for (const { text, steps, tokens, isFlushed } of writes) {
    for (let waitMs = schedule.msUntil(steps); waitMs > 0; waitMs = schedule.msUntil(steps)) {
      await flush();
      await setTimeout(waitMs, undefined, { signal });
    }
    batch += text;
    if (tokens > 0) onTokens?.(tokens);
    if (isFlushed !== true && batch.length < batchLength) continue;
    await flush();
    await setImmediate(undefined, { signal });
  }
  return batch;
}

interface Schedule {
  /** Milliseconds until the next write is due. When it returns 0, the schedule counts the write as done. */
  msUntil(steps: number): number;
}

const unpaced: Pace = { stepsPerSecond: Infinity, firstStepMs: 0, jitter: () => 0 };

function createSchedule({ stepsPerSecond, firstStepMs, jitter }: Pace = unpaced): Schedule {
  const startedAt = performance.now();
  const gapMs = 1000 / stepsPerSecond;
  let stepsDone = 0;
  // Drawn once per step, however often the stream asks.
  let dueAt: number | undefined;
  const drawShift = (): number => (stepsDone === 0 ? 0 : (jitter() - 0.5) * 0.8);
  return {
    msUntil(steps) {
      if (steps === 0 || gapMs === 0) return 0;
      dueAt ??= startedAt + firstStepMs + (stepsDone + drawShift()) * gapMs;
      // Timers have a precision of half a millisecond.
      const waitMs = dueAt - performance.now() - 0.5;
      if (waitMs > 0) return waitMs;
      stepsDone += steps;
      dueAt = undefined;
      return 0;
    },
  };
}

/** Waits as long as a model would work on a whole reply. Resolves to false as soon as the client leaves. */
export async function waitWhileOpen(outgoing: ServerResponse, waitMs: number): Promise<boolean> {
  if (waitMs <= 0) return !outgoing.destroyed;
  const [signal, unlink] = watchClose(outgoing);
  return setTimeout(waitMs, true, { signal })
    .catch(() => false)
    .finally(unlink);
}

/** Returns a signal that aborts when the connection closes, and a function that removes its listener. */
function watchClose(outgoing: ServerResponse): [AbortSignal, () => void] {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  outgoing.once('close', abort);
  if (outgoing.destroyed) abort();
  return [controller.signal, () => void outgoing.off('close', abort)];
}

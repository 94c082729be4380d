import type { Worker } from 'node:cluster';
import { isReport, type Order, type Report } from './messages.ts';

/** A process that serves, as the primary sees it. */
export interface Child {
  /** Names it in the log and the figures. */
  readonly number: number;
  /** Its share of the limits. */
  readonly slot: number;
  readonly pid: number | undefined;
  readonly state: 'starting' | 'serving' | 'draining';
  /** The address of the server, when the process serves. Rejects with ProcessEnded, or with why Node could not start it. */
  readonly ready: Promise<string>;
  /** Nothing happens if the process has just ended. */
  send(order: Order): void;
  /** For an order that a process that starts cannot obey yet, although it has begun what the order is about. */
  sendWhenReady(order: Order): void;
  /** Drains it, and kills it if that takes longer. Resolves when it has ended. */
  end(maxMs: number): Promise<void>;
  kill(): void;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  /** Since it was ready. 0 if it never was. */
  readonly servedMs: number;
}

export interface ChildOptions {
  readonly worker: Worker;
  readonly number: number;
  readonly slot: number;
  /** Milliseconds on a monotonic clock. */
  readonly elapsed: () => number;
  readonly onReport: (child: Child, report: Exclude<Report, { type: 'loaded' | 'ready' }>) => void;
  readonly onExit: (child: Child, exit: Exit) => void;
}

/** A process ended before it was ready. It has printed why. */
export class ProcessEnded extends Error {
  override readonly name = 'ProcessEnded';
}

export function watchChild({ worker, number, slot, elapsed, onReport, onExit }: ChildOptions): Child {
  let readyAt: number | undefined;
  const ready = Promise.withResolvers<string>();
  const ended = Promise.withResolvers<void>();
  let state: Child['state'] = 'starting';
  const child: Child = {
    number,
    slot,
    pid: worker.process.pid,
    get state() {
      return state;
    },
    ready: ready.promise,
    send(order) {
      if (worker.isConnected()) worker.send(order);
    },
    sendWhenReady(order) {
      ready.promise.then(
        () => child.send(order),
        () => {},
      );
    },
    async end(maxMs) {
      if (state === 'starting') {
        // It has no work yet.
        child.kill();
        return ended.promise;
      }
      state = 'draining';
      child.send({ type: 'drain' });
      const timer = setTimeout(child.kill, maxMs);
      await ended.promise;
      clearTimeout(timer);
    },
    kill: () => void worker.process.kill('SIGKILL'),
  };
  worker.on('message', (report: unknown) => {
    if (!isReport(report)) return;
    if (report.type === 'loaded') child.send({ type: 'start', number, slot });
    else if (report.type === 'ready') {
      if (state === 'starting') state = 'serving';
      readyAt ??= elapsed();
      ready.resolve(report.url);
    } else onReport(child, report);
  });
  const end = (exit: Pick<Exit, 'code' | 'signal'>, reason: unknown): void => {
    onExit(child, { ...exit, servedMs: readyAt === undefined ? 0 : elapsed() - readyAt });
    ready.reject(reason);
    ended.resolve();
  };
  worker.on('error', (error: unknown) => {
    // Node could not start it, so it never exits. Other errors are of a message to a process that has just ended.
    if (worker.process.pid === undefined) end({ code: null, signal: null }, error);
  });
  worker.on('exit', (code: number | null, signal: string | null) =>
    end({ code, signal }, new ProcessEnded(`process ${number} ended`)),
  );
  // Whoever waits for it gets the rejection.
  ready.promise.catch(() => {});
  return child;
}

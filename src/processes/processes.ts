import type { Worker } from 'node:cluster';
import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../lib/log.ts';
import { mergeFigures } from './merge-figures.ts';
import { createPendingReads, isReport, type Order, type Report } from './messages.ts';

export interface ProcessesOptions {
  readonly count: number;
  /** Time that a process may take to drain before it is killed. */
  readonly endMs: number;
  readonly log: Log;
  readonly fork: () => Worker;
}

/** The processes that serve. */
export interface Processes {
  /** Starts all. Returns the address of the server. @throws ProcessEnded if one of them cannot start */
  start(): Promise<string>;
  /** Replaces one process after the other: the next one starts first, then the old one drains. */
  restart(): Promise<void>;
  reloadKeys(): void;
  /** Drains all. Returns whether all ended as told. */
  drain(): Promise<boolean>;
  /** Tells all to end without a drain. */
  stopAtOnce(signal: string): void;
  kill(): void;
  readFigures(): Promise<string>;
}

/** A process ended before it was ready. It has printed why. */
export class ProcessEnded extends Error {
  override readonly name = 'ProcessEnded';
}

interface Child {
  readonly worker: Worker;
  /** The lowest that is free, so that there are few series of figures. */
  readonly number: number;
  /** Its share of the limits. */
  readonly slot: number;
  readonly startedAt: number;
  readonly ended: Promise<unknown>;
  state: 'starting' | 'serving' | 'draining';
}

/** A process that lived shorter is replaced after a pause. */
const shortLifeMs = 10_000;
const minPauseMs = 1000;
const maxPauseMs = 30_000;
/** A process that is busy for longer is missing on the page. */
const figuresMs = 2000;

export function createProcesses({ count, endMs, log, fork }: ProcessesOptions): Processes {
  const children = new Set<Child>();
  const reads = createPendingReads(figuresMs);
  const stopping = new AbortController();
  let crashes = 0;
  let hasFailed = false;
  let restarting: Promise<void> | undefined;

  const send = ({ worker }: Child, order: Order): void => {
    if (worker.isConnected()) worker.send(order);
  };
  const current = (slot: number): Child | undefined =>
    [...children].find((child) => child.slot === slot && child.state !== 'draining');

  const readFigures = async (): Promise<string> => {
    const pages = await Promise.all(
      [...children]
        .filter(({ state }) => state !== 'starting')
        .map(async (child) => {
          const text = await reads.read((id) => send(child, { type: 'read-figures', id }));
          return { number: child.number, text: text ?? '' };
        }),
    );
    const serving = [...children].filter(({ state }) => state === 'serving').length;
    return mergeFigures(pages) + describeProcesses({ serving, crashes });
  };

  /** Resolves with the address when the process serves. */
  const launch = async (slot: number): Promise<string> => {
    const numbers = new Set([...children].map(({ number }) => number));
    let number = 1;
    while (numbers.has(number)) number += 1;
    const worker = fork();
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    const child: Child = { worker, number, slot, startedAt: performance.now(), ended, state: 'starting' };
    children.add(child);
    const { promise: ready, resolve, reject } = Promise.withResolvers<string>();
    const handle = (report: Report): void => {
      switch (report.type) {
        case 'loaded':
          return send(child, { type: 'start', number, slot });
        case 'ready':
          if (child.state === 'starting') child.state = 'serving';
          return resolve(report.url);
        case 'figures':
          return reads.settle(report.id, report.text);
        case 'read-all-figures':
          return void readFigures().then((text) => send(child, { type: 'all-figures', id: report.id, text }));
        default:
          report satisfies never;
      }
    };
    worker.on('message', (message: unknown) => {
      if (isReport(message)) handle(message);
    });
    // A message to a process that has just ended.
    worker.on('error', (err) => log.warn({ err, process: number }, 'could not reach a process'));
    worker.on('exit', (code: number | null, signal: string | null) => {
      children.delete(child);
      if (child.state === 'starting') return reject(new ProcessEnded(`process ${number} ended`));
      const facts = { process: number, pid: worker.process.pid, code, signal };
      if (child.state === 'draining') {
        hasFailed ||= code !== 0;
        return log.info(facts, 'process ended');
      }
      crashes += 1;
      log.error(facts, 'process ended unexpectedly; starting another one');
      void replace(slot, performance.now() - child.startedAt);
    });
    return ready;
  };

  /** Until the slot has a process again. A rolling restart may have started it. */
  const replace = async (slot: number, livedMs: number): Promise<void> => {
    let pauseMs = livedMs < shortLifeMs ? minPauseMs : 0;
    for (;;) {
      await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted || current(slot)) return;
      try {
        await launch(slot);
        return;
      } catch (err) {
        pauseMs = Math.min(maxPauseMs, Math.max(minPauseMs, pauseMs * 2));
        if (!stopping.signal.aborted) log.error({ err, pauseMs }, 'a process could not start; trying again');
      }
    }
  };

  const end = async (child: Child): Promise<void> => {
    if (child.state === 'starting') child.worker.process.kill('SIGKILL');
    child.state = 'draining';
    send(child, { type: 'drain' });
    const timer = setTimeout(() => child.worker.process.kill('SIGKILL'), endMs);
    await child.ended;
    clearTimeout(timer);
  };

  const restartAll = async (): Promise<void> => {
    log.info({ processes: count }, 'rolling restart');
    for (let slot = 0; slot < count && !stopping.signal.aborted; slot += 1) {
      const old = current(slot);
      try {
        await launch(slot);
      } catch (err) {
        if (stopping.signal.aborted) return;
        log.error({ err }, 'rolling restart stopped: the new process could not start');
        if (!current(slot)) void replace(slot, 0);
        return;
      }
      if (old) await end(old);
    }
    log.info({ processes: count }, 'rolling restart ended');
  };

  return {
    async start() {
      // The first one creates the tables, and says alone why it cannot start.
      const url = await launch(0);
      await Promise.all(Array.from({ length: count - 1 }, (_, index) => launch(index + 1)));
      return url;
    },
    restart: () => (restarting ??= restartAll().finally(() => (restarting = undefined))),
    reloadKeys() {
      for (const child of children) send(child, { type: 'reload-keys' });
    },
    async drain() {
      stopping.abort();
      await Promise.all([...children].map(end));
      return !hasFailed;
    },
    stopAtOnce(signal) {
      stopping.abort();
      for (const child of children) send(child, { type: 'stop', signal });
    },
    kill() {
      stopping.abort();
      for (const { worker } of children) worker.process.kill('SIGKILL');
    },
    readFigures,
  };
}

function describeProcesses({ serving, crashes }: { serving: number; crashes: number }): string {
  return `# HELP gengraph_processes Processes that serve.
# TYPE gengraph_processes gauge
gengraph_processes ${serving}
# HELP gengraph_process_crashes_total Processes that ended unexpectedly.
# TYPE gengraph_process_crashes_total counter
gengraph_process_crashes_total ${crashes}
`;
}

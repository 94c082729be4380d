import type { Worker } from 'node:cluster';
import { backOffMs } from '../lib/back-off.ts';
import type { Log } from '../lib/log.ts';
import { type Child, type ChildOptions, watchChild } from './child.ts';
import { mergeFigures } from './merge-figures.ts';
import { createPendingReads, type PendingReads } from './messages.ts';
import { createRollingRestart } from './rolling-restart.ts';

export interface ProcessesOptions {
  readonly count: number;
  /** Time that a process may take to drain before it is killed. */
  readonly endMs: number;
  readonly log: Log;
  /** Milliseconds on a monotonic clock. */
  readonly elapsed: () => number;
  /** Resolves after this time, or when the signal aborts. Keeps the process alive. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly fork: () => Worker;
}

export interface Processes {
  /** Starts all. Returns the address of the server. @throws ProcessEnded if one of them cannot start, or why Node could not start it */
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

/** A process that served for less is replaced after a pause, which grows while its successors serve as briefly. */
const shortServiceMs = 10_000;
const backOff = { firstMs: 1000, maxMs: 30_000 };
/**
 * A start that takes longer is logged. It has no deadline, because migrations of many records take their time. A restart waits
 * for it, unless the operator kills the process.
 */
const slowStartMs = 120_000;
/** A process that is busy for longer is missing on the page. */
const figuresMs = 2000;

export function createProcesses({ count, endMs, log, elapsed, wait, fork }: ProcessesOptions): Processes {
  const children = new Set<Child>();
  const reads = createPendingReads(figuresMs);
  const stopping = new AbortController();
  const pauses = createPauses();
  let crashes = 0;
  let hasFailed = false;
  let isStoppedAtOnce = false;

  const current = (slot: number): Child | undefined =>
    [...children].find((child) => child.slot === slot && child.state !== 'draining');

  const readFigures = async (): Promise<string> => {
    const { text, serving } = await readPages([...children], reads);
    return text + describeProcesses({ serving, count, crashes });
  };

  const onReport: ChildOptions['onReport'] = (child, report) => {
    if (report.type === 'figures') reads.settle(report.id, report.text);
    else void readFigures().then((text) => child.send({ type: 'all-figures', id: report.id, text }));
  };
  const onExit: ChildOptions['onExit'] = (child, { servedMs, ...exit }) => {
    children.delete(child);
    const facts = { child: child.number, pid: child.pid, ...exit };
    if (child.state === 'draining' || (child.state === 'serving' && isStoppedAtOnce)) {
      // One that a restart had to kill has its successor.
      hasFailed ||= stopping.signal.aborted && exit.code !== 0;
      log[exit.code === 0 || isStoppedAtOnce ? 'info' : 'warn'](facts, 'process ended');
    } else if (child.state === 'serving') {
      crashes += 1;
      log.error(facts, 'process ended unexpectedly; starting another one');
      void replace(child.slot, servedMs);
    }
  };

  /** Resolves with the address when the process serves. @throws ProcessEnded, or why Node could not start it */
  const launch = (slot: number): Promise<string> => {
    // The lowest number that is free, so that there are few series of figures.
    const numbers = new Set([...children].map(({ number }) => number));
    let number = 1;
    while (numbers.has(number)) number += 1;
    const child = watchChild({ worker: fork(), number, slot, elapsed, onReport, onExit });
    children.add(child);
    return reportSlowStart(child, log);
  };

  /** Until the slot has a process again. A rolling restart may have started it. */
  const replace = async (slot: number, servedMs: number): Promise<void> => {
    for (let pauseMs = pauses.next(slot, servedMs); ; pauseMs = pauses.next(slot, 0)) {
      if (pauseMs > 0) await wait(pauseMs, stopping.signal);
      if (stopping.signal.aborted || current(slot)) return;
      try {
        await launch(slot);
        return;
      } catch (err) {
        if (stopping.signal.aborted) return;
        crashes += 1;
        log.error({ err }, 'a process could not start; trying again');
      }
    }
  };

  return {
    async start() {
      // The first one creates the tables, and says alone why it cannot start.
      const url = await launch(0);
      await Promise.all(Array.from({ length: count - 1 }, (_, index) => launch(index + 1)));
      return url;
    },
    restart: createRollingRestart({
      count,
      endMs,
      log,
      stopping: stopping.signal,
      current,
      launch,
      replace: (slot) => void replace(slot, 0),
    }),
    reloadKeys() {
      for (const child of children) child.sendWhenReady({ type: 'reload-keys' });
    },
    async drain() {
      stopping.abort();
      await Promise.all([...children].map((child) => child.end(endMs)));
      return !hasFailed;
    },
    stopAtOnce(signal) {
      isStoppedAtOnce = true;
      stopping.abort();
      for (const child of children) child.send({ type: 'stop', signal });
    },
    kill() {
      for (const child of children) child.kill();
    },
    readFigures,
  };
}

/** Returns the address when the process serves. */
function reportSlowStart({ number, pid, ready }: Child, log: Log): Promise<string> {
  const facts = { child: number, pid, waitedMs: slowStartMs };
  const warn = (): void => log.warn(facts, 'a process has not started yet; waiting for it');
  const timer = setTimeout(warn, slowStartMs);
  return ready.finally(() => clearTimeout(timer));
}

/** The pauses before replacements. */
function createPauses() {
  /** Processes of a slot that served briefly, in a row. */
  const failures = new Map<number, number>();
  return {
    /** After a process of the slot ended or could not start. */
    next(slot: number, servedMs: number): number {
      const count = servedMs >= shortServiceMs ? 0 : (failures.get(slot) ?? 0) + 1;
      failures.set(slot, count);
      return count === 0 ? 0 : backOffMs(count, backOff);
    },
  };
}

/** The figures of all processes as one page, and how many serve and answer. */
async function readPages(children: readonly Child[], reads: PendingReads) {
  const pages = await Promise.all(
    children
      .filter(({ state }) => state !== 'starting')
      .map(async (child) => {
        const text = await reads.read((id) => child.send({ type: 'read-figures', id }));
        const isServing = text !== undefined && child.state === 'serving';
        return { number: child.number, text: text ?? '', isServing };
      }),
  );
  return { text: mergeFigures(pages), serving: pages.filter(({ isServing }) => isServing).length };
}

function describeProcesses({
  serving,
  count,
  crashes,
}: Readonly<Record<'serving' | 'count' | 'crashes', number>>): string {
  return `# HELP gengraph_processes Processes that serve, and answer the request for their metrics.
# TYPE gengraph_processes gauge
gengraph_processes ${serving}
# HELP gengraph_processes_configured Processes that should serve: the number of --processes.
# TYPE gengraph_processes_configured gauge
gengraph_processes_configured ${count}
# HELP gengraph_process_crashes_total Processes that ended unexpectedly, and replacements that could not start.
# TYPE gengraph_process_crashes_total counter
gengraph_process_crashes_total ${crashes}
`;
}

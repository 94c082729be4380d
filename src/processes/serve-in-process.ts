import type { Worker } from 'node:cluster';
import { type App, createApp } from '../app.ts';
import type { Config } from '../config.ts';
import { exitWhenIdle } from '../exit-when-idle.ts';
import { explainStart } from '../explain-start.ts';
import type { ReadFigures } from '../serve-figures.ts';
import { createPendingReads, isOrder, type Order, type Report } from './messages.ts';
import { shareLimits } from './share-limits.ts';

export interface ServingOptions {
  readonly worker: Worker;
  readonly count: number;
}

/** Longer than the primary waits for the slowest process. */
const pageMs = 5000;

/** Serves as one of several processes: an instance, which gets its orders from the primary. */
export async function serveInProcess(config: Config, { worker, count }: ServingOptions): Promise<void> {
  // Terminals and supervisors send signals to all processes. The primary decides what they mean.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => {});
  const pages = createPendingReads(pageMs);
  const started = Promise.withResolvers<Extract<Order, { type: 'start' }>>();
  let app: App | undefined;
  let readFigures: ReadFigures | undefined;
  const report = (message: Report): void => {
    // It is gone when the primary was killed.
    if (worker.isConnected()) worker.send(message);
  };
  const drain = (): void =>
    void app?.close().then(
      () => end(worker, 0),
      (error: unknown) => fail(worker, error),
    );
  const obey = (order: Order): void => {
    switch (order.type) {
      case 'start':
        return started.resolve(order);
      case 'drain':
        return drain();
      case 'reload-keys':
        return void app?.reloadKeys();
      case 'stop':
        logStopAtOnce(app, order.signal);
        process.exit(130);
        break;
      case 'read-figures':
        return void readFigures?.().then((text) => report({ type: 'figures', id: order.id, text }));
      case 'all-figures':
        return pages.settle(order.id, order.text);
      default:
        order satisfies never;
    }
  };
  worker.on('message', (message: unknown) => {
    if (isOrder(message)) obey(message);
  });
  worker.on('disconnect', () => {
    if (worker.exitedAfterDisconnect) return;
    // The primary is gone, and with it the port. Without this mark, Node ends the process at once.
    worker.exitedAfterDisconnect = true;
    if (app) drain();
    else process.exit(1);
  });
  report({ type: 'loaded' });
  const { number, slot } = await started.promise;
  const siblings = {
    number,
    maxOpenPerOwner: config.MAX_OPEN_PER_OWNER,
    offerFigures: (read: ReadFigures) => void (readFigures = read),
    readAllFigures: async () =>
      (await pages.read((id) => report({ type: 'read-all-figures', id }))) ?? '# no answer in time',
  };
  try {
    app = await createApp(shareLimits(config, { slot, count }), { siblings });
  } catch (error) {
    fail(worker, error);
    return;
  }
  process.on('unhandledRejection', app.logUnhandled);
  report({ type: 'ready', url: app.url });
}

function fail(worker: Worker, error: unknown): void {
  process.stderr.write(`${explainStart(error)}\n`);
  end(worker, 1);
}

/** The channel to the primary would keep the process alive. */
function end(worker: Worker, code: number): void {
  if (worker.isConnected()) worker.disconnect();
  exitWhenIdle(code);
}

function logStopAtOnce(app: App | undefined, signal: string): void {
  try {
    app?.logStopAtOnce(signal);
  } catch {
    // Standard output can be closed, for example with its terminal.
  }
}

import type { Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createProcesses } from '../../src/processes/processes.ts';

/** A process without a program. */
class FakeWorker extends EventEmitter {
  readonly process: { pid?: number; kill: () => boolean } = {
    pid: 1,
    kill: () => this.emit('exit', null, 'SIGKILL'),
  };
  /** The types of the orders that it got. */
  readonly orders: string[] = [];
  isConnected = () => true;
  send = ({ type }: { readonly type: string }) => void this.orders.push(type);
}

const url = 'http://127.0.0.1:1';
const log = { debug() {}, info() {}, warn() {}, error() {} };

/** A site of one process. Its clock stands still unless the test advances it. */
function startSite({ endMs = 1000 } = {}) {
  const workers: FakeWorker[] = [];
  const pauses: number[] = [];
  let now = 0;
  const processes = createProcesses({
    count: 1,
    endMs,
    log,
    elapsed: () => now,
    wait: async (ms) => void pauses.push(ms),
    fork() {
      const worker = new FakeWorker();
      workers.push(worker);
      // Only what a process of Node's cluster has that is used.
      return worker as unknown as Worker;
    },
  });
  const started = processes.start();
  return {
    processes,
    started,
    pauses,
    workers,
    /** The latest process becomes ready. */
    serve: () => workers.at(-1)?.emit('message', { type: 'ready', url }),
    /** Node cannot start the latest process: it has no id, and never exits. */
    failToSpawn(): void {
      const worker = workers.at(-1);
      delete worker?.process.pid;
      worker?.emit('error', Object.assign(new Error('spawn node EAGAIN'), { code: 'EAGAIN' }));
    },
    /** The latest process becomes ready, serves for so long, and crashes. Resolves when its successor begins. */
    async crash(servedMs: number, startMs = 0): Promise<void> {
      const count = workers.length;
      const worker = workers.at(-1);
      now += startMs;
      worker?.emit('message', { type: 'ready', url });
      now += servedMs;
      worker?.emit('exit', 1, null);
      await expect.poll(() => workers.length).toBe(count + 1);
    },
  };
}

test('the pauses before a replacement grow while processes crash soon after they were ready', async () => {
  const { crash, pauses } = startSite();
  for (let turn = 0; turn < 7; turn += 1) await crash(500);
  expect(pauses.splice(0)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  // It served for a while, so its end has another cause.
  await crash(60_000);
  expect(pauses.splice(0)).toEqual([]);
  await crash(500);
  expect(pauses).toEqual([1000]);
});

test('the pauses before a replacement grow although each process takes long to start', async () => {
  const { crash, pauses } = startSite();
  for (let turn = 0; turn < 3; turn += 1) await crash(500, 20_000);
  expect(pauses).toEqual([1000, 2000, 4000]);
});

test('a drain is whole although an earlier restart had to kill a process', async () => {
  const { processes, workers, serve } = startSite({ endMs: 0 });
  serve();
  const restarted = processes.restart();
  await expect.poll(() => workers.length).toBe(2);
  serve();
  await restarted;
  const drained = processes.drain();
  workers.at(-1)?.emit('exit', 0, null);
  expect(await drained).toBe(true);
});

test('a drain is not whole if it has to kill a process', async () => {
  const warn = vi.spyOn(log, 'warn');
  onTestFinished(() => warn.mockRestore());
  const { processes, serve } = startSite({ endMs: 0 });
  serve();
  expect(await processes.drain()).toBe(false);
  // Its streams were cut.
  const facts = expect.objectContaining({ child: 1, signal: 'SIGKILL' });
  expect(warn).toHaveBeenCalledExactlyOnceWith(facts, 'process ended');
});

test('a process that is stopped at once has not crashed', async () => {
  const error = vi.spyOn(log, 'error');
  onTestFinished(() => error.mockRestore());
  const { processes, workers, serve } = startSite();
  serve();
  processes.stopAtOnce('SIGHUP');
  workers[0]?.emit('exit', 130, null);
  expect(error).not.toHaveBeenCalled();
  expect(await processes.readFigures()).toMatch(/^gengraph_process_crashes_total 0$/m);
});

test('a restart during a drain starts no process', async () => {
  const { processes, workers, serve } = startSite();
  serve();
  const drained = processes.drain();
  await processes.restart();
  expect(workers).toHaveLength(1);
  workers.at(-1)?.emit('exit', 0, null);
  expect(await drained).toBe(true);
});

test('a restart during the start waits for the process that starts', async () => {
  const { processes, started, workers, serve } = startSite({ endMs: 0 });
  const restarted = processes.restart();
  serve();
  expect(await started).toBe(url);
  await expect.poll(() => workers.length).toBe(2);
  serve();
  await restarted;
});

test('a process that Node cannot start is tried again, and no drain waits for it', async () => {
  const { processes, workers, pauses, crash, failToSpawn } = startSite();
  await crash(60_000);
  failToSpawn();
  await expect.poll(() => workers.length).toBe(3);
  expect(pauses).toEqual([1000]);
  // Otherwise, no alert would report a server that has lost a process for good.
  expect(await processes.readFigures()).toMatch(/^gengraph_process_crashes_total 2$/m);
  failToSpawn();
  expect(await processes.drain()).toBe(true);
});

test('a process that does not answer counts as one that does not serve', async () => {
  const { processes, started, serve } = startSite();
  serve();
  await started;
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const page = processes.readFigures();
  await vi.runAllTimersAsync();
  expect(await page).toMatch(/^gengraph_processes 0$/m);
  expect(await page).toMatch(/^gengraph_processes_configured 1$/m);
});

test('a restart that is requested during another follows it, because the first may have started an older program', async () => {
  const { processes, started, serve, workers } = startSite();
  serve();
  await started;
  const restarted = processes.restart();
  await expect.poll(() => workers.length).toBe(2);
  void processes.restart();
  void processes.restart();
  serve();
  await expect.poll(() => workers[0]?.orders).toContain('drain');
  workers[0]?.emit('exit', 0, null);
  await expect.poll(() => workers.length).toBe(3);
  serve();
  workers[1]?.emit('exit', 0, null);
  await restarted;
  expect(workers.length).toBe(3);
});

test('a restart that waits for a process says so, and stops when the operator kills the process', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const [warn, error] = [vi.spyOn(log, 'warn'), vi.spyOn(log, 'error')];
  onTestFinished(() => [warn, error].forEach((spy) => spy.mockRestore()));
  const { processes, started, workers, serve } = startSite();
  serve();
  await started;
  const restarted = processes.restart();
  await vi.runAllTimersAsync();
  const facts = { child: 2, pid: 1, waitedMs: 120_000 };
  expect(warn).toHaveBeenCalledExactlyOnceWith(facts, 'a process has not started yet; waiting for it');
  workers.at(-1)?.process.kill();
  await restarted;
  expect(error).toHaveBeenCalledExactlyOnceWith(
    expect.anything(),
    'rolling restart stopped: the new process could not start',
  );
});

test('a restart stops if Node cannot start the new process', async () => {
  const { processes, workers, serve, failToSpawn } = startSite();
  serve();
  const restarted = processes.restart();
  await expect.poll(() => workers.length).toBe(2);
  failToSpawn();
  await restarted;
});

test('a process that starts reads the key files again when it is ready: before, it cannot obey', async () => {
  const { processes, workers, started, serve } = startSite();
  processes.reloadKeys();
  expect(workers[0]?.orders).toEqual([]);
  serve();
  await started;
  expect(workers[0]?.orders).toEqual(['reload-keys']);
});

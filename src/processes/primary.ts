import cluster, { type Worker } from 'node:cluster';
import { setTimeout as wait } from 'node:timers/promises';
import { announce } from '../announce.ts';
import type { Config } from '../config.ts';
import { createLog, type ProgramLog } from '../create-log.ts';
import { endBySignal } from '../end-by-signal.ts';
import { exitWhenIdle } from '../exit-when-idle.ts';
import { serveFigures } from '../serve-figures.ts';
import { ProcessEnded } from './child.ts';
import { createProcesses, type Processes } from './processes.ts';

/** Beyond SHUTDOWN_SECONDS, as for a server of one process. */
const endMs = 15_000;
/** Time that processes have to write their last log lines when they are stopped at once. */
const lastLinesMs = 500;

/**
 * Starts the processes, replaces those that crash, and passes signals on. It holds the port and gives each connection to one of
 * them in turn.
 */
export async function runPrimary(config: Config, count: number): Promise<void> {
  const program = createLog(config, { process: 0 });
  // The environment has the settings of the files.
  cluster.setupPrimary({ args: ['--processes', String(count)] });
  const processes = createProcesses({
    count,
    endMs: config.SHUTDOWN_SECONDS * 1000 + endMs,
    log: program.log,
    elapsed: () => performance.now(),
    wait: (ms, signal) => wait(ms, undefined, { signal }).catch(() => {}),
    fork: (): Worker => cluster.fork(),
  });
  const signals = handleSignals(config, processes, program);
  // A port that is taken refuses the start before any process accepts clients.
  const figures = await serveFigures(config, processes.readFigures);
  signals.onDrained(async () => figures?.close());
  // A signal came while the name of the address was looked up. There was nothing to drain yet.
  if (signals.isStopping()) return figures?.close();
  try {
    const url = await processes.start();
    const metricsUrl = figures?.url ?? (config.METRICS_ON_MAIN_PORT ? `${url}/metrics` : undefined);
    const { GATEWAY_URL: gatewayUrl = '' } = config;
    announce(
      { url, gatewayUrl, metricsUrl, sandbox: undefined, processes: count },
      config,
      performance.now(),
    );
  } catch (error) {
    if (signals.isStopping()) return;
    await processes.drain();
    await figures?.close();
    // It has printed why.
    if (!(error instanceof ProcessEnded)) throw error;
    process.exitCode = 1;
  }
}

function handleSignals(config: Config, processes: Processes, { log, flushSync }: ProgramLog) {
  let isStopping = false;
  let closeFigures = async (): Promise<void> => {};
  const stopAtOnce = async (signal: NodeJS.Signals): Promise<void> => {
    log.warn({ signal }, 'stopped at once');
    processes.stopAtOnce(signal);
    await wait(lastLinesMs);
    processes.kill();
    flushSync?.();
    endBySignal(signal);
  };
  const drain = async (): Promise<void> => {
    const isWhole = await processes.drain();
    await closeFigures();
    exitWhenIdle(isWhole ? 0 : 1);
  };
  const stop = (signal: NodeJS.Signals): void => {
    if (isStopping) return void stopAtOnce(signal);
    isStopping = true;
    process.stderr.write(`${signal}: draining all processes; send the signal again to stop immediately\n`);
    void drain();
  };
  const hangUp = (signal: NodeJS.Signals): void => {
    if (config.GATEWAY_API_KEY_FILE ?? config.GATEWAY_SYSTEM_TOKEN_FILE) return processes.reloadKeys();
    void stopAtOnce(signal);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('SIGHUP', hangUp);
  process.on('SIGUSR2', () => void processes.restart());
  return {
    isStopping: () => isStopping,
    onDrained(close: () => Promise<void>) {
      closeFigures = close;
    },
  };
}

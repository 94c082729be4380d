import { spawn } from 'node:child_process';
import { builtEnv, builtStart } from '../../support/built-program.ts';

export interface ServerProcess {
  /** URL of the server, without a path. */
  readonly origin: string;
  readonly pid: number;
  /** Resolves when the process has ended. */
  readonly exited: Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Sets its system time, forward or back, by this difference to the true one. */
  setClockOffset(milliseconds: number): Promise<void>;
}

const steppingClock = new URL('./stepping-clock.ts', import.meta.url).href;

/** Starts the program as users do, and waits until it accepts connections. */
export async function startServerProcess(env: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn('node', ['--import', steppingClock, ...builtStart], {
    env: { PATH, HOME, ...builtEnv, PORT: '0', LOG_LEVEL: 'fatal', SHUTDOWN_SECONDS: '0.05', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const started = Promise.withResolvers<string>();
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const [, origin] = /API\s+(http:\S+)\/graphql/.exec(output) ?? [];
      if (origin !== undefined) started.resolve(origin);
    });
  void exited.then(() => started.reject(new Error(`the server ended:\n${output}`)));
  const origin = await started.promise;
  return {
    origin,
    pid: child.pid ?? 0,
    exited,
    kill: (signal) => void child.kill(signal),
    setClockOffset(milliseconds) {
      const { promise, resolve } = Promise.withResolvers<void>();
      child.once('message', () => resolve());
      child.send(milliseconds);
      return promise;
    },
  };
}

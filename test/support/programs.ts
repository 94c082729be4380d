import { spawn } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createInbox } from './inbox.ts';

export interface Program {
  readonly pid: number;
  /** Standard output and standard error, interleaved. */
  readonly output: string;
  readonly stderr: string;
  /** Resolves with the first match in the output. Rejects when the program ends without one. */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>;
  kill(signal: NodeJS.Signals): void;
  /** Its output is not read until `resumeOutput`. */
  pauseOutput(): void;
  resumeOutput(): void;
  /** Ends the readers of its output. */
  closeOutput(): void;
  /** Ends the reader of its standard error. */
  closeErrors(): void;
  /** Resolves when the program has ended and all its output was read. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

export interface ProgramOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** @default the repository */
  readonly cwd?: string;
}

/** Starts a process with its own environment. Killed when the test ends. */
export function startProgram(
  [command, ...args]: readonly [string, ...string[]],
  { env = {}, cwd = process.cwd() }: ProgramOptions = {},
): Program {
  const { PATH = '', HOME = '' } = process.env;
  // Free ports and in-memory records by default, without the environment of the test runner.
  const child = spawn(command, args, {
    cwd,
    env: {
      PATH,
      HOME,
      PORT: '0',
      SANDBOX_PORT: '0',
      DATA_DIR: ':memory:',
      npm_config_update_notifier: 'false',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group, so that the kill includes the child processes of npm.
    detached: true,
  });
  const pieces = createInbox<{ readonly text: string; readonly isError: boolean }>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => pieces.push({ text, isError: false }));
  child.stderr.setEncoding('utf8').on('data', (text: string) => pieces.push({ text, isError: true }));
  const { promise: exited, resolve, reject } = Promise.withResolvers<Awaited<Program['exited']>>();
  child.once('error', reject);
  child.once('close', (code, signal) => resolve({ code, signal }));
  const textOf = (isError?: boolean): string =>
    pieces.all
      .filter((piece) => isError === undefined || piece.isError === isError)
      .map(({ text }) => text)
      .join('');
  const { pid = 0 } = child;
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-pid, 'SIGKILL');
    await exited;
  });
  return {
    pid,
    get output() {
      return textOf();
    },
    get stderr() {
      return textOf(true);
    },
    exited,
    kill: (signal) => void child.kill(signal),
    pauseOutput() {
      child.stdout.pause();
      child.stderr.pause();
    },
    resumeOutput() {
      child.stdout.resume();
      child.stderr.resume();
    },
    closeErrors: () => void child.stderr.destroy(),
    closeOutput: () => {
      child.stdout.destroy();
      child.stderr.destroy();
    },
    async waitForOutput(pattern) {
      const printed = pieces.when(() => pattern.test(textOf()));
      await Promise.race([printed, exited]);
      const match = pattern.exec(textOf());
      if (match) return match;
      throw new Error(`it ended without printing ${pattern}:\n${textOf()}`);
    },
  };
}

/** The address that the program's start-up lines print. */
export async function waitForStart(program: Program): Promise<string> {
  const [, url = ''] = await program.waitForOutput(/API\s+(http:\S+)\/graphql/);
  return url;
}

/** A port that is in use until the test ends. */
export async function takePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  return (server.address() as AddressInfo).port; // TCP's is of this form.
}

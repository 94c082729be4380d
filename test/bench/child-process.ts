import { type ChildProcess, fork } from 'node:child_process';

/** Calls that a child process answers, with plain data. */
export type Calls = Readonly<Record<string, (argument: never) => unknown>>;

export interface Child<C extends Calls> {
  readonly processId: number;
  call<Name extends keyof C & string>(
    name: Name,
    ...argument: Parameters<C[Name]>
  ): Promise<Awaited<ReturnType<C[Name]>>>;
  /** Ends the process with SIGKILL. Resolves after the exit. */
  kill(): Promise<void>;
  /** Lets the process exit by itself, so that it writes its CPU profile. Resolves after the exit. */
  stop(): Promise<void>;
}

export interface ChildOptions {
  readonly arguments?: readonly string[];
  readonly nodeOptions?: readonly string[];
  /** Further environment variables. */
  readonly env?: Readonly<Record<string, string>>;
}

interface Question {
  readonly id: number;
  readonly name: string;
  readonly argument: unknown;
}

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

const callTimeoutMs = 30_000;
const stopTimeoutMs = 15_000;

/** Starts a program of `processes/`. Resolves when it accepts calls. */
export async function startChild<C extends Calls>(
  program: string,
  options: ChildOptions = {},
): Promise<Child<C>> {
  const child = fork(new URL(`./processes/${program}.ts`, import.meta.url), options.arguments ?? [], {
    execArgv: [...(options.nodeOptions ?? [])],
    env: { ...process.env, ...options.env },
    // Request logs are written but discarded: writing them is part of the work.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  const ready = Promise.withResolvers<void>();
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const exitError = new Error(`the ${program} process exited early`);
  void exited.then(() => {
    ready.reject(exitError);
    for (const { reject } of pending.values()) reject(exitError);
  });
  child.on('message', (message: 'ready' | Answer) => {
    if (message === 'ready') return ready.resolve();
    const waiting = pending.get(message.id);
    pending.delete(message.id);
    if (message.error === undefined) waiting?.resolve(message.result);
    else waiting?.reject(new Error(`${program}: ${message.error}`));
  });
  await ready.promise;

  let lastId = 0;
  return {
    processId: child.pid ?? 0,
    async call<Name extends keyof C & string>(
      name: Name,
      ...[argument]: Parameters<C[Name]>
    ): Promise<Awaited<ReturnType<C[Name]>>> {
      const answer = Promise.withResolvers<unknown>();
      const id = (lastId += 1);
      pending.set(id, answer);
      const timer = setTimeout(
        () => answer.reject(new Error(`${program}: no answer to ${name}`)),
        callTimeoutMs,
      );
      child.send({ id, name, argument } satisfies Question);
      try {
        // The child answers with the return type of the call.
        return (await answer.promise) as Awaited<ReturnType<C[Name]>>;
      } finally {
        clearTimeout(timer);
      }
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    stop: () => stopChild(child, exited),
  };
}

async function stopChild(child: ChildProcess, exited: Promise<void>): Promise<void> {
  const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
  if (child.connected) child.disconnect();
  await exited;
  clearTimeout(timer);
}

/** In the child: answers calls of the parent. Exits when the parent disconnects, or after `maxLifeMs` if the parent hangs. */
export function serveCalls(calls: Calls, maxLifeMs = 10 * 60_000): void {
  const answer = async ({ id, name, argument }: Question): Promise<Answer> => {
    try {
      const call = calls[name];
      if (!call) throw new Error(`unknown call: ${name}`);
      // The types of the parent derive from these calls.
      return { id, result: await call(argument as never) };
    } catch (error) {
      return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  };
  process.on('message', (question: Question) => {
    void answer(question).then((message) => process.connected && process.send?.(message));
  });
  process.on('disconnect', () => process.exit(0));
  setTimeout(() => process.exit(1), maxLifeMs).unref();
  process.send?.('ready');
}

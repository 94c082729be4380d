import { type Calls, type Child, startChild } from './child-process.ts';
import {
  type Bench,
  profileOptions,
  serverArguments,
  serverNodeOptions,
  type ServerUnderTest,
  type Subject,
} from './harness.ts';
import type { ServerCalls } from './processes/server-calls.ts';
import { pin } from './processors.ts';

/** Additional processes of one figure. */
export interface OwnProcesses {
  /** Starts a client or an upstream. */
  start<C extends Calls>(program: string, programArguments?: readonly string[]): Promise<Child<C>>;
  serve(options: ServeOptions): Promise<ServerUnderTest>;
  /** Starts a program under test that is not a server. */
  startSubject<C extends Calls>(options: ServeOptions): Promise<Child<C>>;
  /** The bench including these processes. */
  readonly bench: Bench;
}

export interface ServeOptions {
  readonly subject: Subject;
  readonly program: string;
  readonly upstreamUrl: string;
  /** Name of the CPU profile, if one is requested. */
  readonly figure: string;
  /** Environment variables or other settings of the program. */
  readonly settings?: Readonly<Record<string, string>>;
  /** @default those of the subject */
  readonly nodeOptions?: readonly string[];
}

/** All processes have ended when this resolves. */
export async function withOwnProcesses<Result>(
  bench: Bench,
  use: (processes: OwnProcesses) => Promise<Result>,
): Promise<Result> {
  const children: Child<never>[] = [];
  const start = async <C extends Calls>(
    program: string,
    programArguments: readonly string[] = [],
  ): Promise<Child<C>> => {
    const child = await startChild<C>(program, { arguments: programArguments });
    children.push(child);
    pin(child.processId, 'other');
    return child;
  };
  const startSubject = async <C extends Calls>(options: ServeOptions): Promise<Child<C>> => {
    const { subject, program, upstreamUrl, figure, settings = {} } = options;
    const { nodeOptions = serverNodeOptions(bench, subject) } = options;
    const child = await startChild<C>(program, {
      arguments: serverArguments(bench, { subject, upstreamUrl, settings }),
      nodeOptions: [...nodeOptions, ...profileOptions(bench, { subject, figure })],
    });
    children.push(child);
    if (bench.profileDirectory === undefined) pin(child.processId, 'server');
    return child;
  };
  const serve = async (options: ServeOptions): Promise<ServerUnderTest> => {
    const { subject } = options;
    const server = await startSubject<ServerCalls>(options);
    const origin = await server.call('url');
    return { subject, process: server, url: subject === 'floor' ? origin : `${origin}/graphql` };
  };
  const processIds = () => [...bench.processIds(), ...children.map(({ processId }) => processId)];
  try {
    return await use({ start, serve, startSubject, bench: { ...bench, processIds } });
  } finally {
    await Promise.all(children.map((child) => child.stop()));
  }
}

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Calls, type Child, startChild } from './child-process.ts';
import {
  type Bench,
  profileName,
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
  /** Runs the work. Writes a CPU profile of Gengraph during the work, if one is requested. */
  profile<Result>(server: ServerUnderTest, figure: string, work: () => Promise<Result>): Promise<Result>;
  /** The bench including these processes. */
  readonly bench: Bench;
}

export interface ServeOptions {
  readonly subject: Subject;
  readonly program: string;
  readonly upstreamUrl: string;
  /** Name of the CPU profile of its whole life, if one is requested. @default only that of `profile` */
  readonly figure?: string;
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
      nodeOptions: [
        ...nodeOptions,
        ...(figure === undefined ? [] : profileOptions(bench, { subject, figure })),
      ],
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
  const profile: OwnProcesses['profile'] = async ({ subject, process: server }, figure, work) => {
    const name = profileName({ subject, figure });
    if (bench.profileDirectory === undefined || name === undefined) return work();
    await server.call('startProfile');
    const result = await work();
    mkdirSync(bench.profileDirectory, { recursive: true });
    writeFileSync(join(bench.profileDirectory, name), await server.call('stopProfile'));
    return result;
  };
  const processIds = () => [...bench.processIds(), ...children.map(({ processId }) => processId)];
  try {
    return await use({ start, serve, startSubject, profile, bench: { ...bench, processIds } });
  } finally {
    await Promise.all(children.map((child) => child.stop()));
  }
}

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Calls, type Child, startChild } from './child-process.ts';
import {
  type Bench,
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
  const serve = async ({ subject, program, upstreamUrl, figure }: ServeOptions): Promise<ServerUnderTest> => {
    const server = await startChild<ServerCalls>(program, {
      arguments: serverArguments(bench, { subject, upstreamUrl }),
      nodeOptions: [
        ...serverNodeOptions(bench, subject),
        ...(subject === 'gengraph' ? profileOptions(figure) : []),
      ],
    });
    children.push(server);
    pin(server.processId, 'server');
    const origin = await server.call('url');
    return { subject, process: server, url: subject === 'floor' ? origin : `${origin}/graphql` };
  };
  const processIds = () => [...bench.processIds(), ...children.map(({ processId }) => processId)];
  try {
    return await use({ start, serve, profile, bench: { ...bench, processIds } });
  } finally {
    await Promise.all(children.map((child) => child.stop()));
  }
}

async function profile<Result>(
  { subject, process: server }: ServerUnderTest,
  figure: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const directory = profileDirectory();
  if (directory === undefined || subject !== 'gengraph') return work();
  await server.call('startProfile');
  const result = await work();
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, nameOf(figure)), await server.call('stopProfile'));
  return result;
}

function profileOptions(figure: string | undefined): readonly string[] {
  const directory = profileDirectory();
  if (directory === undefined || figure === undefined) return [];
  return ['--cpu-prof', `--cpu-prof-dir=${directory}`, `--cpu-prof-name=${nameOf(figure)}`];
}

/** An option of the bench that figures do not receive. */
function profileDirectory(): string | undefined {
  const { values } = parseArgs({ strict: false, options: { profile: { type: 'string' } } });
  return typeof values.profile === 'string' ? values.profile : undefined;
}

function nameOf(figure: string): string {
  return `${figure}.${Date.now()}.cpuprofile`;
}

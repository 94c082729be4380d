import { parseArgs } from 'node:util';
import { type Calls, type Child, startChild } from './child-process.ts';
import { type Bench, serverArguments, type ServerUnderTest, type Subject } from './harness.ts';
import type { ServerCalls } from './processes/server-calls.ts';
import { pin } from './processors.ts';

/** Processes that one figure needs beside those of every figure. */
export interface OwnProcesses {
  /** A client, or an upstream. */
  start<C extends Calls>(program: string): Promise<Child<C>>;
  serve(options: ServeOptions): Promise<ServerUnderTest>;
  /** The bench with these processes in its account. */
  readonly bench: Bench;
}

export interface ServeOptions {
  readonly subject: Subject;
  readonly program: string;
  readonly upstreamUrl: string;
  /** Names the CPU profile, if one is asked for. */
  readonly figure: string;
}

/** Whatever it starts has ended when this resolves. */
export async function withOwnProcesses<Result>(
  bench: Bench,
  use: (processes: OwnProcesses) => Promise<Result>,
): Promise<Result> {
  const children: Child<never>[] = [];
  const start = async <C extends Calls>(program: string): Promise<Child<C>> => {
    const child = await startChild<C>(program);
    children.push(child);
    pin(child.processId, 'other');
    return child;
  };
  const serve = async ({ subject, program, upstreamUrl, figure }: ServeOptions): Promise<ServerUnderTest> => {
    const server = await startChild<ServerCalls>(program, {
      arguments: serverArguments(bench, subject, upstreamUrl),
      nodeOptions: ['--expose-gc', ...(subject === 'gengraph' ? profileOptions(figure) : [])],
    });
    children.push(server);
    pin(server.processId, 'server');
    const origin = await server.call('url');
    return { subject, process: server, url: subject === 'floor' ? origin : `${origin}/graphql` };
  };
  const processIds = () => [...bench.processIds(), ...children.map(({ processId }) => processId)];
  try {
    return await use({ start, serve, bench: { ...bench, processIds } });
  } finally {
    await Promise.all(children.map((child) => child.stop()));
  }
}

/** The bench's own option: a figure is not told of it. */
function profileOptions(figure: string): readonly string[] {
  const { values } = parseArgs({ strict: false, options: { profile: { type: 'string' } } });
  if (typeof values.profile !== 'string') return [];
  return [
    '--cpu-prof',
    `--cpu-prof-dir=${values.profile}`,
    `--cpu-prof-name=${figure}.${Date.now()}.cpuprofile`,
  ];
}

import { fork, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { WebSocket } from 'ws';
import { findNodeOptions } from './checkout.ts';
import type { Abuse } from './processes/abuser.ts';

/**
 * Measures how much one abusive client delays another: node test/bench/abuse.ts [checkout]
 * The victim has the sandbox's key with an end user, the abuser has the same key or new ones.
 */
const checkout = process.argv[2] ?? '.';
const roundMs = 6000;
/** The compilers have not finished when a server starts. */
const warmUpMs = 3000;
const probeIntervalMs = 20;
const key = 'Bearer sk-sandbox';
const abuses: readonly Abuse[] = process.argv[3]
  ? [process.argv[3] as Abuse]
  : [
      'queries',
      'introspection',
      'new-keys',
      'half-bodies',
      'large-bodies',
      'large-answers',
      'large-many',
      'large-events',
      'small-events',
      'lists',
      'usage',
    ];
/** The least that must hold for the victim and the server. Milliseconds, a ratio to calm, and megabytes above idle. */
const musts: Partial<Record<Abuse, { queryP99?: number; queryP99ToCalm?: number; memory?: number }>> = {
  'large-many': { queryP99: 250 },
  'large-events': { queryP99ToCalm: 10, memory: 600 },
  'small-events': { queryP99: 250 },
  lists: { queryP99: 250 },
  usage: { queryP99: 250 },
};

interface Figures {
  readonly queries: readonly number[];
  readonly health: readonly number[];
  readonly gaps: readonly number[];
}

/** A gateway of its own for large bodies: the sandbox would share the server's process. */
async function startLargeGateway(): Promise<{
  readonly url: string;
  readonly pid: number | undefined;
  stop(): void;
}> {
  const gateway = fork(new URL('./processes/large-gateway.ts', import.meta.url));
  const [url] = (await once(gateway, 'message')) as [string];
  return { url, pid: gateway.pid, stop: () => void gateway.kill('SIGKILL') };
}

/**
 * The process stands for another machine: the server and the victim do not wait for its processor time. Not for an abuser that
 * sends as much as it can, which would then send less.
 */
function yieldProcessors(processId: number | undefined): void {
  if (processId !== undefined) setPriority(processId, constants.priority.PRIORITY_BELOW_NORMAL);
}

interface Server {
  readonly url: string;
  /** Resident memory in megabytes. */
  memory(): number;
  stop(): Promise<void>;
}

async function startServer(gatewayUrl: string | undefined, directory: string): Promise<Server> {
  const server = spawn(process.execPath, [...findNodeOptions(checkout), 'src/start.js'], {
    cwd: checkout,
    env: {
      ...process.env,
      PORT: '0',
      SANDBOX_PORT: '0',
      DATA_DIR: directory,
      LOG_LEVEL: 'error',
      ...(gatewayUrl !== undefined && { GATEWAY_URL: gatewayUrl }),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const url = Promise.withResolvers<string>();
  createInterface({ input: server.stderr }).on('line', (line) => {
    const [found] = /http:\/\/\S+\/graphql/.exec(line) ?? [];
    if (found !== undefined) url.resolve(found);
  });
  const exited = once(server, 'exit');
  void exited.then(() => url.reject(new Error('the server ended early')));
  return {
    url: await url.promise,
    memory() {
      const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8')) ?? [];
      return Number(kilobytes) / 1024;
    },
    async stop() {
      server.kill('SIGKILL');
      await exited;
    },
  };
}

/** Sends a request at a fixed interval, whether or not the previous one was answered. */
async function probe(request: () => Promise<void>, signal: AbortSignal): Promise<readonly number[]> {
  const durations: number[] = [];
  const pending: Promise<void>[] = [];
  while (!signal.aborted) {
    const startedAt = performance.now();
    pending.push(request().then(() => void durations.push(performance.now() - startedAt)));
    await delay(probeIntervalMs);
  }
  await Promise.all(pending);
  return durations;
}

/** Follows one chat after another. Resolves with the gaps between the events of a chat. */
async function followChats(url: string, signal: AbortSignal): Promise<readonly number[]> {
  const socket = new WebSocket(url.replace('http', 'ws'), ['graphql-transport-ws']);
  const stopped = Promise.withResolvers<void>();
  const gaps: number[] = [];
  let lastAt: number | undefined;
  let chats = 0;
  const subscribe = (): void => {
    lastAt = undefined;
    const content = `{ text: "${'word '.repeat(200)}" }`;
    const query = `subscription { streamChat(input: { model: "gpt-4o", messages: [{ role: USER, content: ${content} }] }, idempotencyKey: "${randomUUID()}") { __typename ... on ChatFailed { error { ... on GengraphError { message } } } } }`;
    socket.send(JSON.stringify({ type: 'subscribe', id: `chat-${(chats += 1)}`, payload: { query } }));
  };
  socket.on('open', () => {
    const payload = { authorization: key, 'x-end-user': 'victim' };
    socket.send(JSON.stringify({ type: 'connection_init', payload }));
  });
  socket.on('message', (data: Buffer) => {
    const text = data.toString('utf8');
    const { type } = JSON.parse(text) as { type: string };
    if (type === 'connection_ack' || type === 'complete') subscribe();
    if (type === 'error' || /"errors"|ChatFailed/.test(text)) stopped.reject(new Error(text));
    if (type !== 'next') return;
    const now = performance.now();
    if (lastAt !== undefined) gaps.push(now - lastAt);
    lastAt = now;
  });
  socket.on('error', stopped.reject);
  signal.addEventListener('abort', () => stopped.resolve());
  await stopped.promise;
  socket.terminate();
  return gaps;
}

async function measure(url: string, durationMs: number): Promise<Figures> {
  const pool = new Pool(new URL(url).origin, { connections: 8 });
  const stop = AbortSignal.timeout(durationMs);
  const body = JSON.stringify({ query: '{ generations(first: 5) { edges { node { id status } } } }' });
  const headers = { 'content-type': 'application/json', authorization: key, 'x-end-user': 'victim' };
  const [queries, health, gaps] = await Promise.all([
    probe(async () => {
      const reply = await pool.request({ path: '/graphql', method: 'POST', headers, body });
      const text = await reply.body.text();
      if (reply.statusCode !== 200 || text.includes('errors'))
        throw new Error(`the victim was refused: ${text}`);
    }, stop),
    probe(async () => {
      await (await pool.request({ path: '/health/live', method: 'GET' })).body.dump();
    }, stop),
    followChats(url, stop),
  ]);
  await pool.destroy();
  return { queries, health, gaps };
}

function quantileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

function quantile(values: readonly number[], share: number): string {
  return quantileOf(values, share).toFixed(1);
}

/** Samples the highest resident memory until it is stopped. */
function watchMemory({ memory }: Server): { readonly peak: number; stop(): void } {
  let peak = 0;
  const timer = setInterval(() => (peak = Math.max(peak, memory())), 50);
  return {
    get peak() {
      return peak;
    },
    stop: () => clearInterval(timer),
  };
}

/** What does not hold. */
function findMissed(
  abuse: Abuse,
  reached: { calmP99: number; p99: number; memory: number },
): readonly string[] {
  const { queryP99 = Infinity, queryP99ToCalm = Infinity, memory = Infinity } = musts[abuse] ?? {};
  return [
    ...(reached.p99 > queryP99 ? [`query p99 must be at most ${queryP99} ms`] : []),
    ...(reached.p99 > queryP99ToCalm * reached.calmP99
      ? [`query p99 must be at most ${queryP99ToCalm} times that of the calm server`]
      : []),
    ...(reached.memory > memory ? [`memory must be at most ${memory} MB above idle`] : []),
  ];
}

const rows: Record<string, Record<string, string>> = {};
for (const abuse of abuses) {
  const gateway = /^large-|-events$/.test(abuse) ? await startLargeGateway() : undefined;
  const directory = await mkdtemp(join(tmpdir(), 'gengraph-abuse-'));
  const server = await startServer(gateway?.url, abuse === 'large-events' ? directory : ':memory:');
  // Records the victim's key as accepted.
  await fetch(server.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: key },
    body: '{"query":"{ voices(first: 1) { totalCount } }"}',
  });
  await measure(server.url, warmUpMs);
  const calm = await measure(server.url, roundMs);
  const idle = server.memory();
  const memory = watchMemory(server);
  const program = new URL('./processes/abuser.ts', import.meta.url);
  const abuser = fork(program, [server.url, abuse, ...process.argv.slice(4)]);
  if (abuse === 'large-events')
    for (const processId of [abuser.pid, gateway?.pid]) yieldProcessors(processId);
  await once(abuser, 'message');
  await delay(1000);
  const { queries, health, gaps } = await measure(server.url, roundMs);
  memory.stop();
  const reached = {
    calmP99: quantileOf(calm.queries, 0.99),
    p99: quantileOf(queries, 0.99),
    memory: memory.peak - idle,
  };
  const missed = findMissed(abuse, reached);
  if (missed.length > 0) process.exitCode = 1;
  rows[abuse] = {
    'query p50 calm': quantile(calm.queries, 0.5),
    'query p99 calm': reached.calmP99.toFixed(1),
    'query p50': quantile(queries, 0.5),
    'query p99': reached.p99.toFixed(1),
    'health p99': quantile(health, 0.99),
    'health max': quantile(health, 1),
    'longest gap calm': quantile(calm.gaps, 1),
    'longest gap': quantile(gaps, 1),
    events: String(gaps.length),
    'memory above idle': `${reached.memory.toFixed(0)} MB`,
    ...(missed.length > 0 && { missed: missed.join('; ') }),
  };
  abuser.kill('SIGTERM');
  await server.stop();
  gateway?.stop();
  await rm(directory, { recursive: true, force: true });
}
process.stdout.write(`${JSON.stringify(rows, undefined, 2)}\n`);

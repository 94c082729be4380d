import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { type Database, startDatabase } from './database.ts';

/**
 * Measures what open callback subscriptions cost a second: node test/bench/callbacks.ts [memory|file|postgres] [count]
 * Quiet: heartbeats alone. Then also a tenth as many that follow a chat of 10 tokens a second.
 */
const engine = process.argv[2] ?? 'memory';
const count = Number(process.argv[3] ?? 1000);
const roundMs = 10_000;
/** Clock ticks of `/proc`. */
const ticksPerSecond = 100;
const headers = { authorization: 'Bearer sk-sandbox', 'content-type': 'application/json' };

const router = createServer((post, reply) => {
  posts += 1;
  post.resume().once('end', () => reply.writeHead(204).end());
});
let posts = 0;
await new Promise<void>((resolve) => router.listen(0, '127.0.0.1', resolve));
const routerUrl = `http://127.0.0.1:${(router.address() as AddressInfo).port}`; // Of TCP.

const directory = await mkdtemp(join(tmpdir(), 'gengraph-bench-callbacks-'));
const database: Database | undefined = engine === 'postgres' ? await startDatabase() : undefined;
const server = spawn(process.execPath, ['src/start.js'], {
  env: {
    ...process.env,
    PORT: '0',
    SANDBOX_PORT: '0',
    SANDBOX_TOKENS_PER_SECOND: '10',
    DATA_DIR: engine === 'memory' ? ':memory:' : directory,
    ...(database && { DATABASE_URL: database.url }),
    CALLBACK_URLS: routerUrl,
    LOG_LEVEL: 'error',
    SHUTDOWN_SECONDS: '1',
  },
  stdio: ['ignore', 'ignore', 'pipe'],
});
const exited = once(server, 'exit');
const found = Promise.withResolvers<string>();
createInterface({ input: server.stderr }).on('line', (line) => {
  const [url] = /http:\/\/\S+\/graphql/.exec(line) ?? [];
  if (url !== undefined) found.resolve(url);
});
void exited.then(() => found.reject(new Error('the server ended early')));
const url = await found.promise;

async function send(query: string, variables: object, extensions?: object): Promise<string> {
  const { statusCode, body } = await request(url, {
    method: 'POST',
    headers: { ...headers, accept: extensions ? 'application/json;callbackSpec=1.0' : 'application/json' },
    body: JSON.stringify({ query, variables, extensions }),
  });
  const text = await body.text();
  if (statusCode !== 200 || text.includes('"errors"')) throw new Error(text);
  return text;
}

async function open(from: number, to: number, query: string, variables: object = {}): Promise<void> {
  for (let index = from; index < to; index += 1) {
    const subscriptionId = randomUUID();
    const callbackUrl = `${routerUrl}/${subscriptionId}`;
    await send(query, variables, {
      subscription: { subscriptionId, callbackUrl, verifier: 'v', heartbeatIntervalMs: 5000 },
    });
  }
}

function serverMs(): number {
  // After the name: of the user and of the system, in clock ticks.
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}

async function measure(name: string): Promise<void> {
  const read = async () => ({
    at: performance.now(),
    posts,
    serverMs: serverMs(),
    databaseMs: (database?.cpuMicros() ?? 0) / 1000,
    commits: Number(
      (await database?.query<{ readonly sum: string }>('select sum(xact_commit) from pg_stat_database'))?.[0]
        ?.sum ?? 0,
    ),
  });
  const before = await read();
  await delay(roundMs);
  const after = await read();
  const seconds = (after.at - before.at) / 1000;
  const rate = (key: 'posts' | 'serverMs' | 'databaseMs' | 'commits'): string =>
    ((after[key] - before[key]) / seconds).toFixed(0);
  process.stdout.write(
    `| ${name}, ${engine} | ${rate('posts')} | ${rate('serverMs')} | ${database ? `${rate('databaseMs')} | ${rate('commits')}` : '- | -'} | ${loadavg()[0]?.toFixed(1)} |\n`,
  );
}

try {
  process.stdout.write(
    '| subscriptions | posts/s | server ms/s | database ms/s | commits/s | load |\n|---|---|---|---|---|---|\n',
  );
  const changes = 'subscription { generationChanged { __typename } }';
  const input = { model: 'gpt-4o', messages: [{ role: 'USER', content: { text: 'Tell me a long story.' } }] };
  const start = 'mutation ($input: ChatInput!) { startChat(input: $input) { ... on Generation { id } } }';
  // A key that the gateway has accepted opens as many as it likes.
  await send('{ voices(first: 1) { edges { node { id } } } }', {});
  await open(0, count, changes);
  await delay(3000);
  await measure(`${count} quiet`);
  const [, id = ''] = /"id":"([^"]+)"/.exec(await send(start, { input })) ?? [];
  const events =
    'subscription ($id: ID!) { chatEvents(id: $id) { sequence ... on ChatDelta { choices { content } } } }';
  await open(0, count * 0.1, events, { id });
  await measure(`${count} quiet and ${count * 0.1} of a chat`);
} finally {
  server.kill('SIGTERM');
  await exited;
  await database?.stop();
  router.closeAllConnections();
  router.close();
  await rm(directory, { recursive: true, force: true });
}

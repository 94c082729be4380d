import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type RawData, WebSocket } from 'ws';
import { apiAt, sandboxKey } from '../support/app.ts';
import { startBuilt } from '../support/built-program.ts';
import { ask, findGeneration, made, startChat } from '../support/chats.ts';
import { startFakeGateway } from '../support/fake-gateway.ts';
import { sendRequest } from '../support/http.ts';
import { type Program, waitForStart } from '../support/programs.ts';
import { findPort } from '../support/find-port.ts';
import { strayLine, strayRejection } from '../support/stray-rejection.ts';
import { createDatabaseRecords } from '../support/records.ts';
import { startLoad, startPacedGateway } from '../support/restart-load.ts';

/** Cases that take seconds run with `npm run test:processes`. */
const isLong = process.env['PROCESSES'] === 'all';

interface SiteOptions {
  readonly gatewayUrl: string;
  readonly processes?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** A server with several processes. */
async function startSite({ gatewayUrl, processes = 2, env = {} }: SiteOptions) {
  const records = await createDatabaseRecords();
  const program = startBuilt(['--processes', String(processes)], {
    env: { ...records.env, GATEWAY_URL: gatewayUrl, METRICS_PORT: '0', LOG_LEVEL: 'info', ...env },
  });
  const url = await waitForStart(program);
  const [, metricsUrl = ''] = /Metrics +(http\S+)/.exec(program.output) ?? [];
  const figures = async (): Promise<string> => (await sendRequest(metricsUrl, { method: 'GET' })).text;
  return {
    ...apiAt(`${url}/graphql`),
    origin: url,
    records,
    program,
    figures,
    /** Of each process by its number. */
    async read(name: string): Promise<ReadonlyMap<string, number>> {
      const lines = (await figures()).matchAll(
        new RegExp(`^${name}\\{process="(\\d+)"[^}]*\\} (\\S+)`, 'gm'),
      );
      return new Map([...lines].map(([, number = '', value]) => [number, Number(value)]));
    },
    /** Ids of the processes that serve. */
    pids: () => findChildren(program.pid),
  };
}

async function findChildren(parent: number): Promise<readonly number[]> {
  const text = await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8');
  return text.trim().split(' ').filter(Boolean).map(Number);
}

/** Resolves with whether the server accepted it. */
async function openSocket(origin: string): Promise<boolean> {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
    headers: sandboxKey,
  });
  onTestFinished(() => socket.terminate());
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.on('open', () => resolve(true));
  socket.on('error', () => resolve(false));
  socket.on('message', (_data: RawData) => {});
  return promise;
}

async function stop(program: Program): Promise<void> {
  program.kill('SIGTERM');
  expect(await program.exited).toEqual({ code: 0, signal: null });
}

const answering = () =>
  startFakeGateway((_request, response) => {
    response.end(JSON.stringify({ choices: [{ message: { content: 'a' } }] }));
  });

test('several processes share one port, the limits of one server and one page of figures', async () => {
  const gateway = await answering();
  const site = await startSite({ gatewayUrl: gateway.url, env: { MAX_SOCKETS: '5', ...strayRejection } });
  expect(site.program.output).toContain('Processes     2');
  const opened = [];
  for (let index = 0; index < 8; index += 1) opened.push(await openSocket(site.origin));
  expect(opened.filter((isOpen) => isOpen)).toHaveLength(5);
  expect(await site.read('gengraph_sockets')).toEqual(
    new Map([
      ['1', 3],
      ['2', 2],
    ]),
  );
  const page = await site.figures();
  expect(page).toMatch(/^gengraph_processes 2$/m);
  expect(page).toMatch(/^gengraph_process_crashes_total 0$/m);
  const [pid = 0] = await site.pids();
  process.kill(pid, 'SIGWINCH');
  await site.program.waitForOutput(strayLine);
  expect(await site.pids()).toContain(pid);
  // Each family once, so that Prometheus accepts the page.
  const types = [...page.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  expect(types).toEqual([...new Set(types)]);
  // The first process writes to standard error when it drains.
  site.program.closeErrors();
  await stop(site.program);
  const ends = site.program.output.split('\n').filter((line) => line.includes('"msg":"process ended"'));
  // Some readers of logs refuse a line with a member twice.
  expect(ends.map((line) => line.match(/"(process|child)":\d/g)?.join())).toEqual(
    expect.arrayContaining(['"process":0,"child":1', '"process":0,"child":2']),
  );
});

test.each([
  [{ GATEWAY_URL: 'http://a.example' }, 'DATABASE_URL: several processes share their records in PostgreSQL'],
  [{ DATABASE_URL: 'postgres://a@b.example/c' }, 'GATEWAY_URL: to use the sandbox, start it alone'],
  [
    { DATABASE_URL: 'postgres://a@b.example/c', GATEWAY_URL: 'http://a.example', MAX_SOCKETS: '2' },
    'MAX_SOCKETS=2: expected at least 3',
  ],
] as const)(
  'a start that several processes cannot serve is refused with one line: %o',
  async (env, reason) => {
    for (const args of [[], ['--check-config']]) {
      const program = startBuilt(['--processes', '3', ...args], { env });
      expect((await program.exited).code).toBe(1);
      expect(program.output).toContain(reason);
      expect(program.output.trim().split('\n')).toHaveLength(1);
    }
  },
);

test('a port of figures that is taken refuses the start before any process serves', async () => {
  const taken = new URL((await answering()).url).port;
  const env = { DATABASE_URL: 'postgres://a@b.example/c', GATEWAY_URL: 'http://a.example' };
  const program = startBuilt(['--processes', '2'], { env: { ...env, METRICS_PORT: taken } });
  expect((await program.exited).code).toBe(1);
  expect(program.output).toMatch(/^Cannot start: no metrics .*EADDRINUSE.*\n$/);
});

test('a process that is killed is replaced, and its chats end as interrupted', async ({ skip }) => {
  skip(!isLong, 'takes minutes: it runs in npm run test:processes');
  const gateway = await startPacedGateway();
  const site = await startSite({ gatewayUrl: gateway.url });
  const before = await site.pids();
  expect(before).toHaveLength(2);
  const chats = await Promise.all(
    Array.from({ length: 8 }, () => startChat(site, { input: ask('intent-1') }, sandboxKey)),
  );
  process.kill(before[0] ?? 0, 'SIGKILL');
  await expect.poll(site.figures, { timeout: 30_000 }).toMatch(/^gengraph_process_crashes_total 1$/m);
  await expect.poll(site.figures, { timeout: 30_000 }).toMatch(/^gengraph_processes 2$/m);
  expect((await site.pids()).filter((pid) => !before.includes(pid))).toHaveLength(1);
  const ids = chats.map((chat) => made(chat).id);
  const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Generation { status } } }`;
  const statuses = async () => {
    const { data } = await site.run<{ nodes: readonly { status: string }[] }, object>(query, { ids });
    return new Set(data?.nodes.map(({ status }) => status));
  };
  await expect.poll(statuses, { timeout: 30_000 }).toEqual(new Set(['SUCCEEDED', 'FAILED']));
  await stop(site.program);
});

test('no operation of a stock client fails while the processes are restarted in turn', async ({ skip }) => {
  skip(!isLong, 'takes minutes: it runs in npm run test:processes');
  const gateway = await startPacedGateway();
  const site = await startSite({ gatewayUrl: gateway.url });
  // Without a proxy, the connection that a client uses again may close at the same moment.
  const load = startLoad(site, { clients: 12, retryAttempts: 5 });
  onTestFinished(() => load.end());
  for (let round = 1; round <= 3; round += 1) {
    const before = await site.pids();
    site.program.kill('SIGUSR2');
    await expect
      .poll(() => site.program.output.match(/rolling restart ended/g)?.length, { timeout: 60_000 })
      .toBe(round);
    const after = await site.pids();
    expect(after).toHaveLength(2);
    expect(after.filter((pid) => before.includes(pid))).toEqual([]);
  }
  await load.end();
  expect(load.outcomes.failures).toEqual([]);
  expect(load.outcomes.operations).toBeGreaterThan(50);
  // Repeated creates are sent once.
  expect(gateway.intents.toSorted()).toEqual([...new Set(gateway.intents)].toSorted());
  await stop(site.program);
}, 200_000);

test('when the first process is killed, the others finish their chats and end, and another server takes the port', async ({
  skip,
}) => {
  skip(!isLong, 'takes minutes: it runs in npm run test:processes');
  const gateway = await startPacedGateway();
  const port = String(await findPort());
  const env = { PORT: port, METRICS_ON_MAIN_PORT: 'true' };
  const site = await startSite({ gatewayUrl: gateway.url, env });
  const page = await sendRequest(`${site.origin}/metrics`, { method: 'GET' });
  expect(page.text).toMatch(/^gengraph_sockets\{process="1".*\n(.*\n)*gengraph_sockets\{process="2"/m);
  const pids = await site.pids();
  const chat = made(await startChat(site, { input: ask('intent-1') }, sandboxKey));
  process.kill(site.program.pid, 'SIGKILL');
  const next = startBuilt(['--processes', '1'], {
    env: { ...site.records.env, ...env, GATEWAY_URL: gateway.url },
  });
  const api = apiAt(`${await waitForStart(next)}/graphql`);
  const statusOf = async () => (await findGeneration(api, chat.id, sandboxKey))?.status;
  await expect.poll(statusOf, { timeout: 20_000 }).toBe('SUCCEEDED');
  const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`);
  await expect.poll(() => pids.some(isAlive), { timeout: 20_000 }).toBe(false);
  await stop(next);
}, 60_000);

test('a second signal stops all processes at once', async ({ skip }) => {
  skip(!isLong, 'takes minutes: it runs in npm run test:processes');
  const gateway = await startPacedGateway();
  const site = await startSite({ gatewayUrl: gateway.url });
  made(await startChat(site, { input: ask('intent-1') }, sandboxKey));
  site.program.kill('SIGTERM');
  await site.program.waitForOutput(/SIGTERM: draining all processes/);
  site.program.kill('SIGTERM');
  expect(await site.program.exited).toEqual({ code: null, signal: 'SIGTERM' });
  expect(site.program.output.match(/"msg":"stopped at once"/g)).toHaveLength(3);
});

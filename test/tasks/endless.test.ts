import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { ask, createChatCompletion, made, refused } from '../support/chats.ts';
import { startFakeGateway } from '../support/fake-gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { watchRemovals } from '../support/removals.ts';

const state = 'status rawStatus isTerminal tracking isFollowed output { __typename } readFailure { code }';

async function queueImage(app: TestApp): Promise<string> {
  const { data } = await app.run<{ queueImage: { task: { id: string } } }, object>(
    'mutation { queueImage(input: { prompt: "a" }) { ... on Generation { task { id } } } }',
  );
  return data?.queueImage.task.id ?? '';
}

const readFailure = (code: string) => ({ status: 'QUEUED', readFailure: { code } });
/** Replies to reads that never change, with the state that they show. */
const replies: readonly (readonly [string, (response: ServerResponse) => void, object])[] = [
  ['404', (response) => response.writeHead(404).end('{}'), readFailure('NOT_FOUND')],
  ['500', (response) => response.writeHead(500).end('{}'), readFailure('GATEWAY_ERROR')],
  [
    'HTML',
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Hello</html>'),
    readFailure('GATEWAY_ERROR'),
  ],
  [
    'an unknown status word',
    (response) => response.writeHead(200).end('{"status":"simmering"}'),
    { status: 'UNKNOWN', rawStatus: 'simmering', readFailure: null },
  ],
  ['no status', (response) => response.writeHead(200).end('{}'), { status: 'RUNNING', readFailure: null }],
];

describe('a task whose reads always return the same reply', () => {
  test.each(replies)(
    '(%s) does not end, and is followed until TASK_FOLLOW_HOURS',
    async (_what, reply, shown) => {
      const clock = createManualClock();
      let reads = 0;
      const gateway = await startFakeGateway((request, response) => {
        if (request.method === 'POST') {
          response.end('{"request_id":"r1","status":"IN_QUEUE"}');
        } else {
          reads += 1;
          reply(response);
        }
      });
      const env = { TASK_FOLLOW_HOURS: '2' };
      await using app = await startApp({ gatewayUrl: gateway.url, overrides: { clock }, env });
      const id = await queueImage(app);
      const read = async (): Promise<object | undefined> => {
        let result: object | undefined;
        const query = `{ task(id: "${id}") { ${state} } }`;
        void app.run<{ task: object }, object>(query).then(({ data }) => (result = data?.task ?? {}));
        // Retries of a read wait for the clock.
        while (!result) {
          clock.advance(100);
          await new Promise((resolve) => setImmediate(resolve));
        }
        return result;
      };
      expect(await read()).toMatchObject({ ...shown, isTerminal: false, isFollowed: true });
      while (app.app.activity.polledTasks > 0) {
        clock.advance(10_000);
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(clock.now() - Date.parse('2026-11-20T12:00:00Z')).toBeGreaterThan(2 * 3_600_000);
      const before = reads;
      clock.advance(24 * 3_600_000);
      await new Promise((resolve) => setImmediate(resolve));
      expect(reads).toBe(before);
      expect(await read()).toMatchObject({ ...shown, isTerminal: false, isFollowed: false });
      expect(reads).toBeGreaterThan(before);
    },
  );
});

describe('a task that never ends', () => {
  const hourMs = 3_600_000;

  async function start(env: Readonly<Record<string, string>>) {
    const clock = createManualClock();
    const gateway = await startFakeGateway((request, response) => {
      response.setHeader('content-type', 'application/json');
      if (request.url?.includes('chat')) response.end('{"choices":[{"message":{"content":"a"}}]}');
      else response.end('{"request_id":"r1","status":"IN_QUEUE"}');
    });
    return { clock, app: await startApp({ gatewayUrl: gateway.url, overrides: { clock }, env }) };
  }

  async function listIds(app: TestApp): Promise<readonly string[]> {
    const { data } = await app.run<{ generations: { edges: readonly { node: { id: string } }[] } }, object>(
      '{ generations { edges { node { id } } } }',
    );
    return data?.generations.edges.map(({ node }) => node.id) ?? [];
  }

  test('is deleted after GENERATION_DAYS, when it is no longer polled', async () => {
    const env = { GENERATION_DAYS: '0.5', IDEMPOTENCY_HOURS: '1', TASK_FOLLOW_HOURS: '0' };
    const { app, clock } = await start(env);
    await using _app = app;
    await queueImage(app);
    const [id] = await listIds(app);
    const chat = made(await createChatCompletion(app, { input: ask('Hello') }));
    const { removed, waitFor } = await watchRemovals(app, clock);
    clock.advance(12 * hourMs);
    await waitFor(1);
    // The sweep that deleted the chat left the task: it is younger than a day.
    expect(removed).toEqual([chat.id]);
    expect(await listIds(app)).toEqual([id]);
    clock.advance(12 * hourMs);
    await waitFor(2);
    expect(removed).toEqual([chat.id, id]);
  });

  test('makes room for a create at the limit, when it is no longer polled', async () => {
    const { app, clock } = await start({ MAX_RECORDS_PER_OWNER: '1', TASK_FOLLOW_HOURS: '0' });
    await using _app = app;
    await queueImage(app);
    const ids = await listIds(app);
    const create = () => createChatCompletion(app, { input: ask('Hello') });
    expect(refused(await create()).code).toBe('RATE_LIMITED');
    clock.advance(25 * hourMs);
    const { id } = made(await create());
    expect(await listIds(app)).toEqual([id]);
    expect(ids).not.toContain(id);
  });
});

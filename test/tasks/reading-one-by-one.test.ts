import { describe, expect, test } from 'vitest';
import { TasksDocument } from '../../src/client/documents.generated.ts';
import { packId } from '../../src/lib/ids.ts';
import { sandboxKey, startApp } from '../support/app.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';

const image = (id: string): string => packId('task', ['QUEUED_IMAGE', id]);
const song = (id: string): string => packId('task', ['SONG', id]);

describe('tasks of a kind without a batch read', () => {
  test('are read once each, with limited concurrency', async () => {
    const open = new Set<() => void>();
    let highestCount = 0;
    const gateway = await startFakeGateway((_request, response) => {
      const answer = (): void => {
        open.delete(answer);
        response
          .setHeader('content-type', 'application/json')
          .end('{"status":"IN_QUEUE","queue_position":1}');
      };
      open.add(answer);
      highestCount = Math.max(highestCount, open.size);
      // Answer only after all concurrent requests have arrived.
      setImmediate(() => setImmediate(() => setImmediate(answer)));
    });
    await using app = await startApp({ gatewayUrl: gateway.url });
    const ids = Array.from({ length: 40 }, (_, index) => image(`r${index}`));
    const { data, errors } = await app.run(TasksDocument, { ids: [...ids, ...ids] });
    expect(errors).toBeUndefined();
    expect(data?.tasks?.map((task) => task?.status)).toEqual(Array.from({ length: 80 }, () => 'QUEUED'));
    expect(gateway.requests.toSorted()).toEqual(
      Array.from({ length: 40 }, (_, index) => `GET /hostb/auto/requests/r${index}`).toSorted(),
    );
    expect(highestCount).toBeGreaterThan(1);
    expect(highestCount).toBeLessThanOrEqual(8);
  });

  test('of one caller that the gateway answers late delay no other caller', async () => {
    const waiting: (() => void)[] = [];
    const gateway = await startFakeGateway((request, response) => {
      const answer = (): void =>
        void response.setHeader('content-type', 'application/json').end('{"status":"IN_QUEUE"}');
      if (request.headers.authorization === sandboxKey.authorization) waiting.push(answer);
      else answer();
    });
    await using app = await startApp({ gatewayUrl: gateway.url });
    const late = app.run(TasksDocument, { ids: Array.from({ length: 9 }, (_, index) => image(`r${index}`)) });
    await expect.poll(() => waiting.length).toBe(8);
    const headers = { authorization: 'Bearer sk-other' };
    const { data } = await app.run(TasksDocument, { ids: [image('own')] }, { headers });
    expect(data?.tasks).toMatchObject([{ status: 'QUEUED' }]);
    expect(waiting).toHaveLength(8);
    for (const answer of waiting.splice(0)) answer();
    await expect.poll(() => waiting.length).toBe(1);
    waiting[0]?.();
    expect((await late).data?.tasks).toHaveLength(9);
  });

  test('are read independently when one fails or is unknown', async () => {
    const gateway = await startFakeGateway((request, response) => {
      response.setHeader('content-type', 'application/json');
      if (request.url?.endsWith('/gone')) response.writeHead(404).end('{"detail":"no such request"}');
      else if (request.url?.endsWith('/bad')) response.writeHead(400).end('{"detail":"bad request"}');
      else response.end('{"images":[{"url":"http://x/1.png"}]}');
    });
    await using app = await startApp({ gatewayUrl: gateway.url });
    const { data, errors } = await app.run(TasksDocument, { ids: ['gone', 'fine', 'bad'].map(image) });
    expect(data?.tasks?.map((task) => task?.status ?? null)).toEqual([null, 'SUCCEEDED', null]);
    expect(errors).toMatchObject([
      { path: ['tasks', 2], extensions: { code: 'GATEWAY_ERROR', status: 400 } },
    ]);
  });
});

test('a watch of several tasks goes on if the first read of one fails for a reason that may pass', async () => {
  const clock = createManualClock();
  let isRefused = true;
  const gateway = await startFakeGateway((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (isRefused && request.url?.endsWith('/late'))
      response.writeHead(429, { 'retry-after': '60' }).end('{"detail":"slow down"}');
    else response.end('{"images":[{"url":"http://x/1.png"}]}');
  });
  await using app = await startApp({ gatewayUrl: gateway.url, overrides: { clock } });
  const query =
    'subscription ($ids: [ID!]!) { tasksProgress(ids: $ids) { upstreamId status readFailure { code } } }';
  const events = app.wsClient().iterate({ query, variables: { ids: ['late', 'fine'].map(image) } });
  const next = async (): Promise<unknown> => (await events.next()).value?.data?.['tasksProgress'];
  const refused = { upstreamId: 'late', status: 'UNKNOWN', readFailure: { code: 'RATE_LIMITED' } };
  expect(await next()).toEqual(refused);
  expect(await next()).toEqual({ upstreamId: 'fine', status: 'SUCCEEDED', readFailure: null });
  isRefused = false;
  const last = next();
  clock.advance(61_000);
  expect(await last).toEqual({ upstreamId: 'late', status: 'SUCCEEDED', readFailure: null });
  expect((await events.next()).done).toBe(true);
});

describe('a read whose reply is not a JSON object or list', () => {
  test.each([
    ['null', 200, 'with an unreadable body: null', 'NEVER'],
    ['"x"', 200, 'with an unreadable body: "x"', 'NEVER'],
    [' 5\n', 200, 'with an unreadable body: 5', 'NEVER'],
    ['true', 200, 'with an unreadable body: true', 'NEVER'],
    ['try later', 200, 'with an unreadable body: try later', 'NEVER'],
    ['', 200, 'with an empty body.', 'NEVER'],
    ['<p>no</p>', 200, 'with an HTML or XML page.', 'NEVER'],
    ['null', 400, 'without an error message.', 'FIX_INPUT'],
    ['5', 400, 'without an error message.', 'FIX_INPUT'],
  ])(
    'fails with a message that describes the reply: %j with status %d',
    async (body, status, words, retry) => {
      const gateway = await startFakeGateway((_request, response) => sendJson(response, body, status));
      await using app = await startApp({ gatewayUrl: gateway.url });
      const { data, errors } = await app.run(TasksDocument, { ids: [song('a'), image('b')] });
      expect(data?.tasks).toEqual([null, null]);
      const message = `The gateway answered ${status} ${words}`;
      expect(errors?.map((error) => error.message)).toEqual([message, message]);
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'GATEWAY_ERROR', status, retry });
      expect(gateway.requests).toHaveLength(2);
    },
  );

  test('fails with a message that redacts the credential and abbreviates long text', async () => {
    const gateway = await startFakeGateway(
      (request, response) =>
        void response.end(`no channel for ${request.headers.authorization} ${'x'.repeat(1000)}`),
    );
    await using app = await startApp({ gatewayUrl: gateway.url });
    const { errors } = await app.run(TasksDocument, { ids: [image('b')] });
    const [message = ''] = errors?.map((error) => error.message) ?? [];
    expect(message).toMatch(/^The gateway answered 200 with an unreadable body: no channel for/);
    expect(message).toContain('[credential]');
    expect(message.length).toBeLessThan(300);
  });
});

describe('a read without a reply', () => {
  test('fails after GATEWAY_READ_SECONDS and is not retried', async () => {
    const gateway = await startFakeGateway(() => {});
    await using app = await startApp({ gatewayUrl: gateway.url, env: { GATEWAY_READ_SECONDS: '0.2' } });
    const { data, errors } = await app.run(TasksDocument, { ids: [song('a'), image('b')] });
    expect(data?.tasks).toEqual([null, null]);
    expect(errors).toMatchObject([
      { extensions: { code: 'GATEWAY_ERROR', retry: 'SAFE' } },
      { extensions: { code: 'GATEWAY_ERROR' } },
    ]);
    expect(gateway.requests).toHaveLength(2);
  });
});

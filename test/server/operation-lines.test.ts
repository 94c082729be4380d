import { describe, expect, test } from 'vitest';
import { apiAt, sandboxKey } from '../support/app.ts';
import { ask, made, refused, startChat, streamChat, toEnd } from '../support/chats.ts';
import { startFakeGateway } from '../support/fake-gateway.ts';
import { postJson } from '../support/http.ts';
import { createInbox } from '../support/inbox.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { startScriptedGateway } from '../support/scripted-gateway.ts';
import { createThrowingStore } from '../support/throwing-store.ts';
import { levels, refusing, startLogged } from '../support/logged-app.ts';
import { sharingAlone } from '../support/sharing.ts';

const { info, warn, error } = levels;

describe('the line of a create that fails with a member of its result union has its code', () => {
  test.each([
    [401, 'AUTHENTICATION_FAILED', info],
    [429, 'RATE_LIMITED', warn],
    [500, 'GATEWAY_ERROR', warn],
  ])('after status %i of the gateway: %s', async (status, code, level) => {
    const gateway = await refusing(status);
    const { app, operation } = await startLogged({ gatewayUrl: gateway.url });
    expect(refused(await startChat(app, { input: ask('Hello') })).code).toBe(code);
    expect(await operation(code)).toMatchObject({
      level,
      transport: 'http',
      operationName: 'Create',
      address: '127.0.0.1',
      upstreamStatus: status,
      upstreamMs: expect.any(Number),
    });
  });

  test('for invalid input, which never reaches the gateway', async () => {
    const { app, operation } = await startLogged();
    await startChat(app, { input: ask('Hello', { temperature: 9 }) });
    const line = await operation('INVALID_INPUT');
    expect(line).toMatchObject({ level: info, operationType: 'mutation' });
    expect(line['upstreamStatus']).toBeUndefined();
  });

  test('for a lost reply, with its generation', async () => {
    const gateway = await startFakeGateway((_request, response) => void response.socket?.destroy());
    const { app, operation } = await startLogged({ gatewayUrl: gateway.url });
    const { generation } = refused(await startChat(app, { input: ask('Hello') }));
    expect(await operation('OUTCOME_UNKNOWN')).toMatchObject({ level: warn, generationId: generation?.id });
  });

  test('as a subscription, on both transports', async () => {
    const gateway = await refusing(429);
    const { app, operation, lines } = await startLogged({ gatewayUrl: gateway.url });
    await toEnd(streamChat(app.wsClient(), { input: ask('Hello') }));
    expect(await operation('RATE_LIMITED')).toMatchObject({ level: warn, transport: 'websocket' });
    await toEnd(streamChat(app.sseClient(), { input: ask('Hello'), idempotencyKey: 'k' }));
    await lines.when((all) => all.some(({ transport, codes }) => transport === 'sse' && codes !== undefined));
  });

  test('and counts in the metric by this code', async () => {
    const { app } = await startLogged({ env: { METRICS_ON_MAIN_PORT: 'true' } });
    await startChat(app, { input: ask('Hello', { temperature: 9 }) });
    const text = await (await fetch(app.url.replace('/graphql', '/metrics'))).text();
    expect(text).toMatch(/operation_duration_count\{.*"Create".*error_type="INVALID_INPUT"\} 1/);
  });
});

describe('the line of a create', () => {
  test('names its generation, and a replay is marked', async () => {
    const { app, operation, named, lines } = await startLogged();
    const variables = { input: ask('Hello'), idempotencyKey: 'one' };
    const { id } = made(await startChat(app, variables));
    const line = await operation();
    expect(line).toMatchObject({ level: info, generationId: id, upstreamStatus: 200 });
    const { requestId } = line;
    expect(await named('generation ended')).toMatchObject({
      requestId,
      transport: 'http',
      address: '127.0.0.1',
      generationId: id,
      upstreamStatus: 200,
    });
    await startChat(app, variables);
    const [replay] = (await lines.when((all) => all.some(({ isReplay }) => isReplay === true))).filter(
      ({ isReplay }) => isReplay === true,
    );
    expect(replay).toMatchObject({ generationId: id });
    expect(replay?.['upstreamStatus']).toBeUndefined();
  });

  test('names its task', async () => {
    const { app, operation } = await startLogged();
    await app.run('mutation { queueImage(input: { prompt: "a" }) { ... on Generation { id } } }');
    expect((await operation())['taskId']).toEqual(expect.stringMatching(/./));
  });
});

describe('the line of an operation names the program of the client', () => {
  const program = { clientName: 'a.program', clientVersion: '1.2' };

  test.each(['graphql', 'apollographql'])('from the headers %s-client-name and -version', async (prefix) => {
    const { app, lines } = await startLogged();
    const headers = { [`${prefix}-client-name`]: 'a.\tprogram', [`${prefix}-client-version`]: '1.2' };
    await postJson(app.url, { query: '{ __typename }' }, { ...sandboxKey, ...headers });
    await postJson(app.url, { query: '{ nothing }' }, { ...sandboxKey, ...headers });
    const ours = lines.all.filter(({ msg }) => msg === 'operation');
    expect(ours).toMatchObject([program, { ...program, codes: ['GRAPHQL_VALIDATION_FAILED'] }]);
  });

  test('from connectionParams, bounded and without control characters', async () => {
    const { app, operation } = await startLogged();
    const connectionParams = {
      'GraphQL-Client-Name': `a\n\u001B\u202E${'b'.repeat(5000)}`,
      'graphql-client-version': 7,
    };
    const client = apiAt(app.url).wsClient({ connectionParams });
    await client.iterate({ query: '{ __typename }' }).next();
    await expect(client.iterate({ query: '{ nothing }' }).next()).rejects.toBeDefined();
    for (const line of [await operation(), await operation('GRAPHQL_VALIDATION_FAILED')]) {
      expect(line['clientName']).toMatch(/^ab{90,98}…?$/);
      expect(line).not.toHaveProperty('clientVersion');
    }
  });
});

describe('the line of a create that nobody charges for says who refused it', () => {
  test('the gateway', async () => {
    const gateway = await refusing(401);
    const { app, named, operation } = await startLogged({ gatewayUrl: gateway.url });
    await startChat(app, { input: ask('Hello', { model: 'm' }) });
    const { requestId } = await operation('AUTHENTICATION_FAILED');
    const from = { requestId, transport: 'http', address: '127.0.0.1' };
    const who = { refusedBy: 'gateway', upstreamStatus: 401, ...from, model: 'm', operation: 'startChat' };
    expect(await named('create refused')).toMatchObject({ level: info, charged: 'no', ...who });
  });

  test.each([
    ['streamChat', 'messages: [{ role: USER, content: { text: "Hello" } }]'],
    ['streamImages', 'prompt: "a fox"'],
  ])('the gateway, for the root field %s under an alias', async (operation, input) => {
    const gateway = await refusing(401);
    const { app, named } = await startLogged({ gatewayUrl: gateway.url });
    const query = `subscription { made: ${operation}(input: { model: "m", ${input} }) { __typename } }`;
    await app.wsClient().iterate({ query }).next();
    expect(await named('create refused')).toMatchObject({ operation, model: 'm', transport: 'websocket' });
  });

  test('this server, which cannot reach the gateway', async () => {
    const { app, named } = await startLogged({ gatewayUrl: 'http://127.0.0.1:1' });
    await startChat(app, { input: ask('Hello') });
    const line = await named('create refused');
    expect(line).toMatchObject({ code: 'GATEWAY_ERROR', refusedBy: 'server', charged: 'no' });
    expect(line['upstreamStatus']).toBeUndefined();
  });
});

test('the first line has the version and the settings that are not the defaults, without secrets', async () => {
  const secret = 'a secret of more than 32 characters';
  const { lines } = await startLogged({
    env: {
      AUTH: 'both',
      AUTH_JWT_SECRET: secret,
      AUTH_ISSUER: 'https://issuer.example',
      AUTH_AUDIENCE: 'gengraph',
      GATEWAY_API_KEY: 'sk-of-the-server',
      MAX_SOCKETS: '7',
    },
  });
  const started = lines.all.find(({ msg }) => msg === 'started');
  expect(started).toMatchObject({
    level: info,
    version: expect.stringMatching(/^\d+\./),
    settings: { MAX_SOCKETS: '7', AUTH_JWT_SECRET: '…', GATEWAY_API_KEY: '…' },
  });
  expect(started?.['settings']).not.toHaveProperty('MAX_BODY_BYTES');
  expect(JSON.stringify(lines.all)).not.toMatch(/a secret of|sk-of-the-server/);
});

test('a defect has an error line, and the line of its operation has the code', async () => {
  const throwing = createThrowingStore('deleteGenerations');
  const { app, operation, lines } = await startLogged({
    overrides: { wrapStore: throwing.wrapStore },
  });
  throwing.throwNow();
  await app.run('mutation Forget { deleteGenerations(ids: ["x"]) { deletedIds } }');
  const { requestId, ...line } = await operation('INTERNAL');
  expect(line).toMatchObject({ level: warn, operationName: 'Forget' });
  expect(lines.all.filter(({ level }) => level === error)).toMatchObject([{ requestId }]);
});

test('jobs that fail again and again have one line per minute, and one when they work again', async () => {
  const clock = createManualClock();
  const renewals = createInbox<boolean>();
  let isBroken = false;
  const { app, lines, named } = await startLogged({
    overrides: {
      clock,
      wrapStore: (store) => ({
        ...store,
        sharing: sharingAlone(async () => {
          renewals.push(isBroken);
          if (isBroken) throw new TypeError('a defect of the test');
        }),
      }),
    },
  });
  const renew = async (count: number): Promise<void> => {
    const wanted = renewals.all.length + count;
    while (renewals.all.length < wanted) {
      clock.advance(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const failed = 'record maintenance failed: renewing the lease; retrying';
  isBroken = true;
  await renew(4);
  expect(await named(failed)).toMatchObject({ level: error });
  const failures = () => lines.all.filter(({ msg }) => msg === failed).length;
  const startedAt = clock.elapsed();
  await renew(4);
  const minutes = Math.ceil((clock.elapsed() - startedAt) / 60_000);
  expect(failures()).toBeLessThanOrEqual(1 + minutes);
  // The clock is set back by an hour.
  clock.step(-3_600_000);
  const [before, steppedAt] = [failures(), clock.elapsed()];
  while (clock.elapsed() - steppedAt < 61_000) await renew(1);
  expect(failures()).toBeGreaterThan(before);
  isBroken = false;
  await renew(1);
  expect(await named('record maintenance works again')).toMatchObject({ level: info });
  await app[Symbol.asyncDispose]();
  expect(await named('draining')).toMatchObject({ level: info, streams: 0 });
  expect(await named('stopped')).toMatchObject({ level: info });
});

test('a chat that the gateway refuses late was not charged', async () => {
  const gateway = await startScriptedGateway();
  const { app, named } = await startLogged({
    gatewayUrl: gateway.url,
    env: { CHAT_ACCEPT_SECONDS: '0.05' },
  });
  const { id } = made(await startChat(app, { input: ask('Hello') }));
  (await gateway.exchange(0)).reply(429, { error: { message: 'busy' } });
  expect(await named('generation ended')).toMatchObject({
    level: warn,
    generationId: id,
    code: 'RATE_LIMITED',
    charged: 'no',
  });
});

test('LOG_STREAM_ENDS is the share of streams that have a line when they end well', async () => {
  const { app, lines } = await startLogged({ env: { LOG_STREAM_ENDS: '0.5' } });
  const client = app.wsClient();
  for (let index = 0; index < 4; index += 1) await toEnd(streamChat(client, { input: ask('Hello') }));
  await toEnd(streamChat(client, { input: ask('Hello', { model: 'fault-cut-stream' }) }));
  await lines.when((all) => all.some(({ status }) => status === 'FAILED'));
  const ended = lines.all.filter(({ msg }) => msg === 'generation ended');
  expect(ended.map(({ status }) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED', 'FAILED']);
  for (const { chunks } of ended) expect(chunks).toBeGreaterThan(1);
});

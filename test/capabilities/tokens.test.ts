import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CreateChatCompletionDocument,
  type CreateAccessTokenInput,
  CreateAccessTokenDocument,
  NodeDocument,
} from '../../src/client/documents.generated.ts';
import { startApp, sandboxKey, systemToken } from '../support/app.ts';
import { createDirectory } from '../support/durable-server.ts';
import { addEmptyTables } from '../support/empty-tables.ts';
import { startFakeGateway } from '../support/fake-gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';

const tokenPath = '/api/token/';
const caller = { headers: systemToken };
const hello = {
  model: 'gpt-4o',
  messages: [{ role: 'USER', content: { text: 'Hello' } }],
  maxTokens: 5,
} as const;
const plain: CreateAccessTokenInput = { name: 'plain', quota: { units: 1000 } };

describe('createAccessToken', () => {
  let app: Awaited<ReturnType<typeof startApp>>;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const create = async (input: CreateAccessTokenInput, idempotencyKey?: string) => {
    const result = await app.run(
      CreateAccessTokenDocument,
      { input, idempotencyKey: idempotencyKey ?? null },
      caller,
    );
    expect(result.errors).toBeUndefined();
    return result.data?.createAccessToken;
  };
  const lastBody = () => app.sandbox.activity.requests(tokenPath).at(-1)?.body;

  test('creates a working key whose quota is debited', async () => {
    const created = await create(plain);
    if (created?.__typename !== 'CreatedAccessToken' || !created.key)
      throw new Error(JSON.stringify(created));
    const chat = await app.run(
      CreateChatCompletionDocument,
      { input: hello },
      { headers: { authorization: `Bearer ${created.key}` } },
    );
    expect(chat.data?.createChatCompletion?.__typename).toBe('Generation');
    expect(app.sandbox.findToken(created.key)?.remainQuota).toBeLessThan(1000);
  });

  test('sends all eight members in the wire format', async () => {
    await create(plain);
    expect(lastBody()).toEqual({
      name: 'plain',
      remain_quota: 1000,
      expired_time: -1,
      unlimited_quota: false,
      model_limits_enabled: false,
      model_limits: '',
      allow_ips: '',
      group: '',
    });
    await create({
      name: '  full  ',
      quota: { amount: 2.5 },
      expiresAt: '2100-01-01T00:00:00.900Z',
      allowedModels: ['gpt-4o', 'o3'],
      allowedIps: ['127.0.0.1', '10.0.0.0/8', '::1'],
      groups: ['default', 'vip'],
      extra: { mj_image_mode: 'x', selected_groups: ['a'] },
    });
    expect(lastBody()).toEqual({
      name: 'full',
      remain_quota: 1_250_000,
      expired_time: 4_102_444_800,
      unlimited_quota: false,
      model_limits_enabled: true,
      model_limits: 'gpt-4o,o3',
      allow_ips: '127.0.0.1\n10.0.0.0/8\n::1',
      group: 'default,vip',
      mj_image_mode: 'x',
      selected_groups: ['a'],
    });
    await create({
      name: 'free',
      quota: { isUnlimited: true },
      allowedModels: ['a'],
      enforceAllowedModels: false,
    });
    expect(lastBody()).toMatchObject({
      remain_quota: 0,
      unlimited_quota: true,
      model_limits_enabled: false,
      model_limits: 'a',
    });
  });

  test('reports every broken rule at once with its path, without a request', async () => {
    const before = app.sandbox.activity.count(tokenPath);
    const refused = await create({
      name: ' ',
      quota: { units: -1 },
      expiresAt: '2001-01-01T00:00:00Z',
      allowedModels: ['a,b', ''],
      allowedIps: ['10.0.0.0/33', 'somewhere', '1.2.3.4'],
      groups: ['x\ny'],
      extra: { remain_quota: 5 },
    });
    if (refused?.__typename !== 'InvalidInputError') throw new Error(JSON.stringify(refused));
    expect(refused.issues.map(({ path }) => path.join('.'))).toEqual([
      'input.allowedIps.0',
      'input.allowedIps.1',
      'input.allowedModels.0',
      'input.allowedModels.1',
      'input.expiresAt',
      'input.extra.remain_quota',
      'input.groups.0',
      'input.name',
      'input.quota.units',
    ]);
    expect(app.sandbox.activity.count(tokenPath)).toBe(before);
  });

  test.each([
    ['units below 0', { ...plain, quota: { units: -1 } }, 'input.quota.units'],
    ['an amount below 0', { ...plain, quota: { amount: -0.01 } }, 'input.quota.amount'],
    ['an amount of half a unit', { ...plain, quota: { amount: 0.000_001 } }, 'input.quota.amount'],
    ['an amount of one and a half units', { ...plain, quota: { amount: 0.000_003 } }, 'input.quota.amount'],
    ['an amount far below a unit', { ...plain, quota: { amount: 1e-7 } }, 'input.quota.amount'],
    ['an amount with too many digits', { ...plain, quota: { amount: 0.1 + 0.2 } }, 'input.quota.amount'],
    ['an amount beyond exact numbers', { ...plain, quota: { amount: 1e12 } }, 'input.quota.amount'],
    ['isUnlimited: false', { ...plain, quota: { isUnlimited: false } }, 'input.quota.isUnlimited'],
    ['an empty list of addresses', { ...plain, allowedIps: [] }, 'input.allowedIps'],
    ['an empty list of models', { ...plain, allowedModels: [] }, 'input.allowedModels'],
    ['enabled limits without models', { ...plain, enforceAllowedModels: true }, 'input.allowedModels'],
  ] satisfies [string, CreateAccessTokenInput, string][])('refuses %s', async (_name, input, path) => {
    const refused = await create(input);
    if (refused?.__typename !== 'InvalidInputError') throw new Error(JSON.stringify(refused));
    expect(refused.issues.map((issue) => issue.path.join('.'))).toEqual([path]);
  });

  test('refuses an expiry whose whole second has passed', async () => {
    const clock = createManualClock(Date.parse('2026-11-20T12:00:00.200Z'));
    await using timed = await startApp({ overrides: { clock } });
    const problems = async (expiresAt: string) => {
      const input = { ...plain, expiresAt };
      const { data } = await timed.run(CreateAccessTokenDocument, { input }, caller);
      const result = data?.createAccessToken;
      return result?.__typename === 'InvalidInputError'
        ? result.issues.map(({ path }) => path.join('.'))
        : [];
    };
    expect(await problems('2026-11-20T12:00:00.900Z')).toEqual(['input.expiresAt']);
    expect(await problems('2026-11-20T12:00:01Z')).toEqual([]);
  });

  test.each([
    ['0 units', { ...plain, quota: { units: 0 } }],
    ['an amount of 0', { ...plain, quota: { amount: 0 } }],
    ['an amount of one unit', { ...plain, quota: { amount: 0.000_002 } }],
    ['a single IPv6 network', { ...plain, allowedIps: ['2001:db8::/32'] }],
    ['an expiry in the future', { ...plain, expiresAt: new Date(Date.now() + 60_000).toISOString() }],
  ] satisfies [string, CreateAccessTokenInput][])('accepts %s', async (_name, input) => {
    expect(await create(input)).toMatchObject({ __typename: 'CreatedAccessToken' });
  });

  test.each([
    [0.29, 145_000],
    [1.1, 550_000],
    [0.000_004, 2],
    [4.35, 2_175_000],
    [1_000_000.000_002, 500_000_000_001],
    [123_456, 61_728_000_000],
  ])('sends the exact units of an amount: %d', async (amount, units) => {
    await create({ ...plain, quota: { amount } });
    expect(lastBody()).toMatchObject({ remain_quota: units });
  });

  test('with two kinds of quota fails GraphQL validation', async () => {
    const result = await app.run(
      CreateAccessTokenDocument,
      { input: { name: 'x', quota: { units: 1, isUnlimited: true } } as never },
      caller,
    );
    expect(result.errors?.[0]?.message).toMatch(/exactly one key|OneOf|one of/i);
    expect(result.errors?.[0]?.extensions?.['code']).toBe('BAD_REQUEST');
  });

  test('returns the secret once; a replay omits it, and different input conflicts', async () => {
    const before = app.sandbox.activity.count(tokenPath);
    const first = await create(plain, 'token-once');
    const again = await create(plain, 'token-once');
    if (first?.__typename !== 'CreatedAccessToken' || again?.__typename !== 'CreatedAccessToken')
      throw new Error('not created');
    expect(first.key).toMatch(/^sk-/);
    expect(again.key).toBeNull();
    expect(again.accessToken.id).toBe(first.accessToken.id);
    expect(await create({ ...plain, name: 'other' }, 'token-once')).toMatchObject({
      __typename: 'IdempotencyConflictError',
      code: 'IDEMPOTENCY_CONFLICT',
    });
    expect(app.sandbox.activity.count(tokenPath)).toBe(before + 1);
    const { data } = await app.run(NodeDocument, { id: first.accessToken.id }, caller);
    expect(data?.node).toMatchObject({ __typename: 'AccessToken', id: first.accessToken.id });
    expect(
      (await app.run(NodeDocument, { id: first.accessToken.id }, { headers: sandboxKey })).data?.node,
    ).toBeNull();
  });

  test('with the wrong credential is an AuthenticationError; without new-api-user nothing is sent', async () => {
    const wrong = await app.run(
      CreateAccessTokenDocument,
      { input: plain },
      { headers: { ...systemToken, authorization: 'nonsense' } },
    );
    expect(wrong.data?.createAccessToken?.__typename).toBe('AuthenticationError');
    const before = app.sandbox.activity.count(tokenPath);
    const missing = await app.run(
      CreateAccessTokenDocument,
      { input: plain },
      { headers: { authorization: 'sandbox-system' } },
    );
    expect(missing.errors?.[0]?.extensions?.['code']).toBe('UNAUTHENTICATED');
    expect(app.sandbox.activity.count(tokenPath)).toBe(before);
  });

  test('records its collection separately from its groups', async () => {
    const query = /* GraphQL */ `
      mutation ($input: CreateAccessTokenInput!) {
        createAccessToken(input: $input, collection: "project-7") {
          ... on CreatedAccessToken {
            accessToken {
              collection
              groups
            }
          }
        }
      }
    `;
    const { data } = await app.run<{ createAccessToken: unknown }, object>(
      query,
      { input: { ...plain, groups: ['vip'] } },
      caller,
    );
    expect(data?.createAccessToken).toEqual({ accessToken: { collection: 'project-7', groups: ['vip'] } });
  });
});

describe('a createAccessToken reply', () => {
  interface Created {
    readonly createAccessToken: Readonly<Record<string, unknown>>;
  }
  const query = /* GraphQL */ `
    mutation ($input: CreateAccessTokenInput!) {
      createAccessToken(input: $input, idempotencyKey: "k") {
        __typename
        ... on CreatedAccessToken {
          key
          raw
          accessToken {
            id
          }
        }
        ... on GengraphError {
          code
          message
        }
        ... on GatewayError {
          upstreamCode
        }
      }
    }
  `;
  /** Sends the same create twice to a gateway that always answers with this body. */
  const createTwice = async (body: string) => {
    const gateway = await startFakeGateway((_request, response) => void response.writeHead(200).end(body));
    const directory = await createDirectory();
    await addEmptyTables(directory);
    const log: string[] = [];
    await using app = await startApp({
      gatewayUrl: gateway.url,
      env: { DATA_DIR: directory },
      onLog: (line) => void log.push(JSON.stringify(line)),
    });
    const run = async () => {
      const { data, errors } = await app.run<Created, object>(query, { input: plain }, caller);
      expect(errors).toBeUndefined();
      return data?.createAccessToken;
    };
    const [first, again] = [await run(), await run()];
    const records = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'latin1'));
    expect(records.join()).toContain('CREATE TABLE');
    return { first, again, requests: gateway.requests.length, traces: [...log, ...records].join('\n') };
  };

  test.each([
    ['as data', '{"success":true,"data":"sk-1"}', 'sk-1'],
    ['in data', '{"success":true,"data":{"key":"sk-2"}}', 'sk-2'],
    ['at the top', '{"key":"sk-3"}', 'sk-3'],
    ['as token', '{"token":"sk-4"}', 'sk-4'],
    ['in a list', '{"data":[{"id":1,"key":"sk-5"}]}', 'sk-5'],
    ['in a token in data', '{"data":{"token":{"key":"sk-6"}}}', 'sk-6'],
    ['as access_token in data', '{"data":{"access_token":"sk-7"}}', 'sk-7'],
    ['as api_key in data', '{"data":{"api_key":"sk-8"}}', 'sk-8'],
    ['in a token', '{"token":{"id":7,"key":"sk-9"}}', 'sk-9'],
    ['in a result', '{"result":{"key":"sk-10"}}', 'sk-10'],
    ['beside an id in data', '{"success":true,"data":"42","key":"sk-12"}', 'sk-12'],
    ['beside data', '{"code":0,"data":{"name":"plain"},"key":"sk-11"}', 'sk-11'],
  ])('with the secret %s is decoded', async (_name, body, key) => {
    const { first, again, requests } = await createTwice(body);
    expect(first).toMatchObject({ __typename: 'CreatedAccessToken', key });
    expect(again).toMatchObject({ __typename: 'CreatedAccessToken', key: null, raw: null });
    expect(requests).toBe(1);
  });

  test.each([
    ['', 'sk-0123456789abcdef'],
    ['Your new token: ', 'sk-0123456789abcdef'],
    ['', 'Ab0123456789cdefAb0123456789cdef'],
  ])('of plain text has the secret: %s%s', async (before, key) => {
    for (const body of [before + key, `${before}${key}\n`, JSON.stringify(before + key)]) {
      const { first, again, requests, traces } = await createTwice(body);
      expect(first).toMatchObject({ __typename: 'CreatedAccessToken', key, raw: `${before}[credential]` });
      expect(again).toMatchObject({ __typename: 'CreatedAccessToken', key: null, raw: null });
      expect(requests).toBe(1);
      expect(traces).not.toContain('123456789');
    }
  });

  test('with a recognized secret has it only in `key`', async () => {
    const { first, traces } = await createTwice('{"data":{"key":"sk-0123456789","id":5}}');
    expect(first).toMatchObject({ key: 'sk-0123456789', raw: { data: { key: '[credential]', id: 5 } } });
    expect(traces).not.toContain('0123456789');
  });

  test.each([
    '{"success":true,"message":""}',
    '{"success":true,"data":{"key":5}}',
    '{"success":true,"data":{"key":"sk-ab**********yz"}}',
    '{"success":true,"data":"sk-ab…yz"}',
    '{"success":true,"data":"ok"}',
    '{"success":true,"data":"created"}',
    '{"success":true,"data":"创建成功"}',
    '{"success":true,"data":"42"}',
    '{"code":"success","data":null}',
    '{"code":0}',
    '{"code":200,"message":"Token created"}',
    '{"base_resp":{"status_code":0}}',
    '{"data":{"id":5,"name":"plain"}}',
    '{"id":5,"name":"plain"}',
    '{"success":true,"data":{"hidden_key":"unknown-place-01"}}',
  ])('that confirms the token without a recognizable secret is shown once: %s', async (body) => {
    const { first, again, requests, traces } = await createTwice(body);
    expect(first).toMatchObject({ __typename: 'CreatedAccessToken', key: null, raw: JSON.parse(body) });
    expect(again).toMatchObject({ __typename: 'CreatedAccessToken', key: null, raw: null });
    expect(requests).toBe(1);
    expect(traces).not.toContain('unknown-place-01');
  });

  test.each([
    ['{"base_resp":{"status_code":1004,"status_msg":"login fail"}}', 'login fail', '1004'],
    ['{"key":"sk-1","base_resp":{"status_code":1008,"status_msg":"no balance"}}', 'no balance', '1008'],
  ])('that refuses the token is an error and releases the key: %s', async (body, message, upstreamCode) => {
    const { first, again, requests } = await createTwice(body);
    expect(first).toMatchObject({ __typename: 'GatewayError', message, upstreamCode });
    expect(again).toEqual(first);
    expect(requests).toBe(2);
  });

  test.each([
    '{}',
    '[]',
    '"ok"',
    'ok',
    'The token was created successfully.',
    'Request 0123456789abcdef0123 failed.',
    'sk-0123456789abcdef or sk-fedcba9876543210',
    '<p>sk-0123456789abcdef</p>',
    // Replies that were cut within the secret.
    '{"success":true,"data":{"key":"sk-0123456789abcd',
    '"sk-0123456789abcd',
    '{"id":5}',
    '{"data":{"name":"another"}}',
    '{"odd":{"place":"unknown-place-02"}}',
  ])('that neither confirms nor refuses the token leaves an unknown outcome: %s', async (body) => {
    const { first, again, requests, traces } = await createTwice(body);
    expect(first).toMatchObject({ __typename: 'OutcomeUnknownError', code: 'OUTCOME_UNKNOWN' });
    expect(again).toMatchObject({ __typename: 'OutcomeUnknownError' });
    expect(requests).toBe(1);
    expect(traces).not.toContain('unknown-place-02');
  });
});

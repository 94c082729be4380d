import { expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { ask, chatEvents, createChatCompletion, made, refused, startChat, toEnd } from '../support/chats.ts';
import { sendEvents, sendJson, startFakeGateway } from '../support/fake-gateway.ts';
import { finishedSong, startFakeMusic } from '../support/fake-music.ts';
import { sendRequest } from '../support/http.ts';
import { bearer, mint, signInBySecret } from '../support/sign-in.ts';

type Line = Readonly<Record<string, unknown>>;

interface Refusal {
  readonly status: number;
  readonly body: unknown;
  /** @default every request */
  readonly paths?: RegExp;
  readonly after?: Promise<void>;
}

const badKey: Refusal = {
  status: 401,
  body: { error: { message: 'Incorrect API key sk-sandbox', code: 'invalid_api_key' } },
};
const noPermission: Refusal = {
  status: 403,
  body: { error: { message: 'No access to this model', code: 'model_forbidden' } },
};
const noQuota: Refusal = {
  status: 403,
  body: { error: { message: 'Balance 0.01 is too low', code: 'insufficient_quota' } },
};

const completion = { choices: [{ message: { role: 'assistant', content: 'a' }, finish_reason: 'stop' }] };

/** A server whose users sign in, and a gateway that accepts its key or not. */
async function start(env: Readonly<Record<string, string>> = {}) {
  let refusal: Refusal | undefined;
  const lines: Line[] = [];
  const gateway = await startFakeGateway(async (request, response, text) => {
    const { url = '' } = request;
    await refusal?.after;
    if (refusal && (refusal.paths?.test(url) ?? true)) sendJson(response, refusal.body, refusal.status);
    else if (text.includes('"stream":true')) sendEvents(response, [{ choices: [] }, '[DONE]']);
    else sendJson(response, answerOf(url));
  });
  const app = await startApp({
    gatewayUrl: gateway.url,
    env: { ...signInBySecret, METRICS_ON_MAIN_PORT: 'true', ...env },
    onLog: (line) => void lines.push(line),
  });
  const user = bearer(await mint('ann', { claims: { scope: 'tokens:create' } }));
  return {
    app,
    gateway,
    user,
    refuse: (next: Refusal | undefined) => void (refusal = next),
    warnings: () => lines.filter(({ msg }) => String(msg).includes('the key of this server')),
    operations: (code: string) =>
      lines.filter(({ msg, codes }) => msg === 'operation' && String(codes) === code),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

function answerOf(path: string): unknown {
  if (path.startsWith('/suno')) return { code: 'success', data: 'song-1' };
  return path.includes('chat') ? completion : { data: { voices: [] } };
}

/** The gauge and the counter of refusals. */
async function figures({ url }: TestApp): Promise<readonly (string | undefined)[]> {
  const { text } = await sendRequest(url.replace('/graphql', '/metrics'));
  return ['gengraph_server_key_refused', 'gengraph_server_key_refusals_total'].map(
    (name) => new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1],
  );
}

const keyRefused = { __typename: 'ServerKeyError', code: 'SERVER_KEY_REFUSED', retry: 'LATER' };

test("a refused key of the server is not the user's fault, and the operator is told once", async () => {
  await using server = await start();
  const { app, gateway, user, refuse, warnings } = server;
  const create = (idempotencyKey: string) =>
    createChatCompletion(app, { input: ask('Hello'), idempotencyKey }, user);
  made(await create('before'));
  expect(await figures(app)).toEqual(['0', '0']);

  refuse(badKey);
  expect(refused(await create('k'))).toMatchObject(keyRefused);
  // At once.
  expect(warnings()).toMatchObject([
    { level: 40, setting: 'GATEWAY_API_KEY', status: 401, upstreamCode: 'invalid_api_key' },
  ]);
  expect(refused(await startChat(app, { input: ask('Hello'), idempotencyKey: 's' }, user))).toMatchObject(
    keyRefused,
  );
  const { errors } = await app.run('{ voices { edges { node { id } } } }', {}, { headers: user });
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'SERVER_KEY_REFUSED', retry: 'LATER' });
  const failure = await app
    .wsClient({ connectionParams: user })
    .iterate<{ streamChat: { error: object } }>({
      query: `subscription ($input: ChatInput!) {
        streamChat(idempotencyKey: "w", input: $input) {
          ... on ChatFailed { error { __typename code retry message } }
        }
      }`,
      variables: { input: ask('Hello') },
    })
    .next();
  expect(failure.value?.data?.streamChat.error).toMatchObject(keyRefused);
  expect(JSON.stringify([failure.value, errors])).not.toMatch(/Incorrect API key|sk-sandbox|AUTHENTICATE/);
  expect(warnings()).toHaveLength(1);
  expect(JSON.stringify(warnings())).not.toContain('sk-sandbox');
  expect(server.operations('SERVER_KEY_REFUSED').every(({ level }) => level === 40)).toBe(true);
  expect(await figures(app)).toEqual(['1', String(gateway.requests.length - 1)]);
  // Records can be read, and every instance has the same key.
  expect((await sendRequest(app.app.url + '/health/ready')).status).toBe(200);

  refuse(undefined);
  // Nothing was charged, so the same key sends the create.
  expect(made(await create('k')).status).toBe('SUCCEEDED');
  const sent = gateway.requests.length;
  expect(made(await create('k')).status).toBe('SUCCEEDED');
  expect(gateway.requests).toHaveLength(sent);
  expect(warnings().slice(1)).toMatchObject([{ level: 40, refusals: 4, setting: 'GATEWAY_API_KEY' }]);
  expect((await figures(app))[0]).toBe('0');

  refuse(badKey);
  await create('again');
  expect(warnings()).toHaveLength(3);
});

test.each([
  ['403', noPermission, keyRefused],
  ['an exhausted quota', noQuota, { __typename: 'QuotaError', code: 'QUOTA_EXCEEDED', retry: 'LATER' }],
])('%s concerns the key after three in a row: one may concern a model', async (_what, refusal, expected) => {
  await using server = await start();
  const { app, user, refuse, warnings } = server;
  const create = async () => createChatCompletion(app, { input: ask('Hello') }, user);
  for (let round = 0; round < 2; round += 1) {
    refuse(refusal);
    for (let count = 0; count < 2; count += 1) {
      const failure = refused(await create());
      expect(failure).toMatchObject(expected);
      expect(JSON.stringify(failure)).not.toContain('0.01');
    }
    refuse(undefined);
    made(await create());
  }
  expect(warnings()).toEqual([]);
  expect(await figures(app)).toEqual(['0', '4']);
  refuse(refusal);
  for (let count = 0; count < 3; count += 1) await create();
  expect(warnings()).toHaveLength(1);
  expect((await figures(app))[0]).toBe('1');
});

test('an accepted read does not end the refusal of creates', async () => {
  await using server = await start();
  const { app, user, refuse, warnings } = server;
  const readVoices = () => app.run('{ voices { edges { node { id } } } }', {}, { headers: user });
  const create = async () => createChatCompletion(app, { input: ask('Hello') }, user);
  refuse({ ...badKey, paths: /chat/ });
  await create();
  expect((await readVoices()).errors).toBeUndefined();
  expect((await figures(app))[0]).toBe('1');
  refuse(undefined);
  await create();
  expect((await figures(app))[0]).toBe('0');
  expect(warnings()).toHaveLength(2);
});

test("a user's own refused key is theirs, also beside users who sign in", async () => {
  await using server = await start({ AUTH: 'both' });
  const { app, refuse, warnings } = server;
  refuse(badKey);
  const own = { authorization: 'Bearer sk-own-key' };
  const failure = refused(await createChatCompletion(app, { input: ask('Hello') }, own));
  expect(failure).toMatchObject({ code: 'AUTHENTICATION_FAILED', retry: 'AUTHENTICATE' });
  expect(warnings()).toEqual([]);
  expect(await figures(app)).toEqual(['0', '0']);
});

test('a refused system token of the server is told by its own name', async () => {
  await using server = await start();
  const { app, user, refuse, warnings } = server;
  refuse({ ...badKey, paths: /token/ });
  const { data } = await app.run(
    `mutation { createAccessToken(input: { name: "n", quota: { isUnlimited: true } }) { __typename ... on GengraphError { code retry } } }`,
    {},
    { headers: user },
  );
  expect(data).toEqual({ createAccessToken: keyRefused });
  expect(warnings()).toMatchObject([{ setting: 'GATEWAY_SYSTEM_TOKEN' }]);
});

test('a chat whose late reply is a refusal of the key fails with it, and frees its key', async () => {
  await using server = await start({ CHAT_ACCEPT_SECONDS: '0.001' });
  const { app, user, refuse } = server;
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  refuse({ ...badKey, after: answered });
  const create = () => startChat(app, { input: ask('Hello'), idempotencyKey: 'k' }, user);
  const { id } = made(await create());
  answer();
  const last = (await toEnd(chatEvents(app.wsClient({ connectionParams: user }), { id }))).at(-1);
  expect(last).toMatchObject({ __typename: 'ChatFailed', error: { code: 'SERVER_KEY_REFUSED' } });
  refuse(undefined);
  expect(made(await create()).id).not.toBe(id);
});

test('the tasks of users are followed to their end after the key was refused', async () => {
  const music = await startFakeMusic({
    answer: (ids, fetch) =>
      fetch < 5
        ? { status: 401, body: badKey.body }
        : { body: { code: 'success', data: ids.map((id) => finishedSong(id)) } },
  });
  const env = { TASK_FOLLOW_HOURS: '24', TASK_POLL_SECONDS: '0.02', TASK_POLL_MAX_SECONDS: '0.02' };
  await using app = await startApp({ gatewayUrl: music.url, env: { ...signInBySecret, ...env } });
  const headers = bearer(await mint('ann'));
  const created = await app.run<{ createSong: { id: string } }, object>(
    'mutation { createSong(input: { description: "x", model: SONG_V5 }) { ... on Generation { id } } }',
    {},
    { headers },
  );
  const { id } = created.data?.createSong ?? { id: '' };
  // A list reads nothing at the gateway.
  await expect
    .poll(() => app.run('{ generations { edges { node { id status } } } }', {}, { headers }))
    .toEqual({ data: { generations: { edges: [{ node: { id, status: 'SUCCEEDED' } }] } } });
});

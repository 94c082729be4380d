import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import {
  AccessTokensDocument,
  CreateSongDocument,
  CreateAccessTokenDocument,
} from '../../../../src/client/documents.generated.ts';
import { startApp, type TestApp, type TestAppOptions } from '../../../support/app.ts';
import { ask, createChatCompletion, made } from '../../../support/chats.ts';
import { createDirectory } from '../../../support/durable-server.ts';
import { finishedSong, musicTask, startFakeMusic } from '../../../support/fake-music.ts';
import { sendRequest } from '../../../support/http.ts';
import { startRecorded } from '../../../support/recording-gateway.ts';
import { bearer, mint, signInBySecret } from '../../../support/sign-in.ts';

async function start(options: TestAppOptions): Promise<TestApp & AsyncDisposable> {
  const app = await startApp(options);
  onTestFinished(() => app[Symbol.asyncDispose]());
  return app;
}

const list = '{ generations(first: 10) { edges { node { id status } } } }';
const song = { description: 'a shanty', model: 'SONG_V5' } as const;

interface Listed {
  readonly generations: {
    readonly edges: readonly { readonly node: { readonly id: string; readonly status: string } }[];
  };
}

async function nodesOf(app: TestApp, headers: Readonly<Record<string, string>>) {
  const { data } = await app.run<Listed, object>(list, {}, { headers });
  return data?.generations.edges.map(({ node }) => node) ?? [];
}

test('a rotated key keeps the history of everyone, and an idempotency key does not pay again', async () => {
  const directory = await createDirectory();
  const recorded = { status: 'SUCCEEDED', id: expect.any(String) };
  const input = ask('Hello');
  const headers = bearer(await mint('ann'));
  const env = { ...signInBySecret, DATA_DIR: directory };
  const answer = { body: { choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' } }] } };
  await using first = await startRecorded({ env: { ...env, GATEWAY_API_KEY: 'sk-the-old-key' } });
  first.gateway.answer(answer);
  const { id } = made(await createChatCompletion(first.app, { input, idempotencyKey: 'k' }, headers));
  expect(first.gateway.requests.map((request) => request.headers['authorization'])).toEqual([
    'Bearer sk-the-old-key',
  ]);
  await first.app.app.close();
  await using second = await startRecorded({ env: { ...env, GATEWAY_API_KEY: 'sk-the-new-key' } });
  second.gateway.answer(answer);
  expect(await nodesOf(second.app, headers)).toEqual([recorded]);
  expect(made(await createChatCompletion(second.app, { input, idempotencyKey: 'k' }, headers)).id).toBe(id);
  expect(second.gateway.requests).toEqual([]);
  made(await createChatCompletion(second.app, { input }, headers));
  expect(second.gateway.requests.map((request) => request.headers['authorization'])).toEqual([
    'Bearer sk-the-new-key',
  ]);
});

test('after a start, the unfinished tasks of everyone go on without a request of anyone', async () => {
  const directory = await createDirectory();
  let isFinished = false;
  const music = await startFakeMusic({
    answer: (ids) => ({
      body: { code: 'success', data: ids.map((id) => (isFinished ? finishedSong(id) : musicTask(id))) },
    }),
  });
  const options = {
    gatewayUrl: music.url,
    env: {
      ...signInBySecret,
      AUTH: 'both',
      DATA_DIR: directory,
      TASK_FOLLOW_HOURS: '1',
      TASK_POLL_SECONDS: '0.05',
    },
  };
  const users = ['ann', 'bob', 'carl'];
  const tokens = await Promise.all(users.map(async (user) => bearer(await mint(user))));
  const ownKey = { authorization: 'Bearer sk-of-somebody' };
  const first = await start(options);
  for (const headers of [...tokens, ownKey])
    await first.run(CreateSongDocument, { input: song }, { headers });
  await first.app.close();
  isFinished = true;
  const before = music.fetches.length;
  const second = await start(options);
  await expect.poll(() => music.fetches.length - before).toBe(users.length);
  await expect.poll(() => second.app.activity.polledTasks).toBe(0);
  // Of the caller with a key of its own, the server has no key.
  expect(music.fetches.slice(before).flat().toSorted()).toEqual(['song-1', 'song-2', 'song-3']);
  for (const headers of tokens)
    expect(await nodesOf(second, headers)).toMatchObject([{ status: 'SUCCEEDED' }]);
});

test('createAccessToken, accessTokens and adopting a task need their scopes', async () => {
  const app = await start({ env: signInBySecret });
  const as = async (scope?: string) => ({ headers: bearer(await mint('ann', { claims: { scope } })) });
  const input = { name: 'front-end', quota: { isUnlimited: true } } as const;
  const codeOf = ({ errors }: { readonly errors?: readonly { readonly extensions: object }[] }) =>
    errors?.[0]?.extensions;
  const forbidden = { code: 'FORBIDDEN', retry: 'AUTHENTICATE' };
  expect(codeOf(await app.run(CreateAccessTokenDocument, { input }, await as('tokens:read')))).toMatchObject(
    forbidden,
  );
  expect(codeOf(await app.run(AccessTokensDocument, {}, await as('tokens:create')))).toMatchObject(forbidden);
  expect(app.sandbox.activity.count()).toBe(0);
  const { data } = await app.run(CreateAccessTokenDocument, { input }, await as('openid tokens:create'));
  expect(data?.createAccessToken).toMatchObject({
    __typename: 'CreatedAccessToken',
    key: expect.stringMatching(/^sk-/),
  });
  const [request] = app.sandbox.activity.requests('/api/token/');
  expect(request?.headers).toMatchObject({ authorization: 'sandbox-system', 'new-api-user': '1' });
  const listed = await app.run(AccessTokensDocument, {}, await as('tokens:read'));
  expect(listed.data?.accessTokens?.edges).toMatchObject([{ node: { name: 'front-end' } }]);
  const id = listed.data?.accessTokens?.edges[0]?.node.id ?? '';
  const node = '{ node(id: "ID") { id } }'.replace('ID', id);
  expect(await app.run(node, {}, await as('tokens:read'))).toEqual({ data: { node: { id } } });
  expect(await app.run(node, {}, await as())).toEqual({ data: { node: null } });

  // Work that was created elsewhere with the key of the server.
  const elsewhere = await start({ gatewayUrl: app.sandbox.url });
  const created = await elsewhere.run<{ createSong: { task: { upstreamId: string } } }, object>(
    'mutation { createSong(input: { description: "a shanty", model: SONG_V5 }) { ... on Generation { task { upstreamId } } } }',
  );
  const upstreamId = created.data?.createSong.task.upstreamId ?? '';
  const adopt = `{ taskByHandle(handle: { kind: SONG, upstreamId: "${upstreamId}" }) { id upstreamId status } }`;
  expect(codeOf(await app.run(adopt, {}, await as()))).toMatchObject(forbidden);
  const adopted = await app.run(adopt, {}, await as('tasks:adopt'));
  expect(adopted).toMatchObject({ data: { taskByHandle: { upstreamId } } });
  // It is recorded for its new owner.
  expect(await app.run(adopt, {}, await as())).toMatchObject({ data: { taskByHandle: { upstreamId } } });
  const other = { headers: bearer(await mint('bob')) };
  expect(codeOf(await app.run(adopt, {}, other))).toMatchObject(forbidden);
});

test('a server without a system token creates none', async () => {
  const { GATEWAY_SYSTEM_TOKEN: _token, GATEWAY_SYSTEM_USER: _user, ...env } = signInBySecret;
  const app = await start({ env });
  const headers = bearer(await mint('ann', { claims: { scope: 'tokens:create' } }));
  const input = { name: 'front-end', quota: { isUnlimited: true } };
  expect(await app.run(CreateAccessTokenDocument, { input }, { headers })).toMatchObject({
    // No credential of a user helps.
    errors: [{ message: /GATEWAY_SYSTEM_TOKEN/, extensions: { code: 'FORBIDDEN', retry: 'NEVER' } }],
  });
  expect(app.sandbox.activity.count()).toBe(0);
});

test('with GATEWAY_API_KEY_FOR_ALL, the pages ask for no key', async () => {
  const playground = await createDirectory();
  await mkdir(join(playground, 'playground'));
  await writeFile(join(playground, 'index.html'), '<head></head>');
  const env = { GATEWAY_API_KEY: 'sk-sandbox', GATEWAY_API_KEY_FOR_ALL: 'true', PLAYGROUND: 'on' };
  const app = await start({ env, overrides: { playground } });
  const headers = { accept: 'text/html' };
  const page = await sendRequest(app.app.url, { headers });
  // Without `apiKey`, the page asks its visitor for one.
  expect(JSON.parse(/id="settings">(.*?)<\/script>/.exec(page.text)?.[1] ?? '{}')).toMatchObject({
    apiKey: '',
  });
  const editor = await sendRequest(app.url, { headers });
  expect(editor.text).toContain('StreamChat');
  expect(editor.text).not.toContain('YOUR_API_KEY');
});

test('with GATEWAY_API_KEY_FOR_ALL, callers without a credential use the key and see only their own', async () => {
  const app = await start({ env: { GATEWAY_API_KEY: 'sk-sandbox', GATEWAY_API_KEY_FOR_ALL: 'true' } });
  const [ann, bob] = [{ 'x-end-user': 'ann' }, { 'x-end-user': 'bob' }];
  const created = await app.run(CreateSongDocument, { input: song }, { headers: ann });
  const task =
    created.data?.createSong?.__typename === 'Generation' ? created.data.createSong.task : undefined;
  const query = `{ task(id: "${task?.id}") { id } }`;
  expect(await app.run(query, {}, { headers: ann })).toEqual({ data: { task: { id: task?.id } } });
  expect(await app.run(query, {}, { headers: bob })).toEqual({ data: { task: null } });
  expect(await app.run(query, {}, { headers: {} })).toEqual({ data: { task: null } });
  const ownKey = { authorization: 'Bearer sk-sandbox' };
  expect(await nodesOf(app, ownKey)).toEqual([]);
  // Nobody can sign in here.
  expect(await app.run(AccessTokensDocument, {}, { headers: ann })).toMatchObject({
    errors: [
      {
        message: 'accessTokens needs a credential of your own: the key of this server does not serve it.',
        extensions: { code: 'FORBIDDEN', retry: 'AUTHENTICATE' },
      },
    ],
  });
  const systemToken = { authorization: 'sandbox-system', 'new-api-user': '1' };
  expect(await app.run(AccessTokensDocument, {}, { headers: systemToken })).toMatchObject({
    data: { accessTokens: { edges: [] } },
  });
});

test.each([
  [undefined, 1],
  ['https://app.example', 0],
])('with GATEWAY_API_KEY_FOR_ALL and CORS_ORIGINS %s, the start warns %d times', async (origins, count) => {
  const warnings: unknown[] = [];
  const onLog: TestAppOptions['onLog'] = (line) => void (line['level'] === 40 && warnings.push(line['msg']));
  const cors = origins === undefined ? undefined : { CORS_ORIGINS: origins };
  const env = { GATEWAY_API_KEY: 'sk-sandbox', GATEWAY_API_KEY_FOR_ALL: 'true', ...cors };
  const app = await start({ env, onLog });
  const warning = 'GATEWAY_API_KEY_FOR_ALL without CORS_ORIGINS: any web page ';
  expect(warnings).toEqual(Array.from({ length: count }, () => expect.stringContaining(warning)));
  const page = new WebSocket(app.url.replace('http', 'ws'), ['graphql-transport-ws'], {
    origin: 'https://other.example',
  });
  onTestFinished(() => page.terminate());
  const opened = await once(page, 'open').then(
    () => 1,
    () => 0,
  );
  expect(opened).toBe(count);
});

import { expect, describe, test } from 'vitest';
import { sandboxKey, startApp } from '../../support/app.ts';
import { startCallbackApp, startCallbackRouter, subscribeByCallback } from '../../support/callback-router.ts';
import { ask, chatQuery } from '../../support/chats.ts';
import { codeOf } from '../../support/http.ts';
import { startLogged } from '../../support/logged-app.ts';
import { createRecords } from '../../support/records.ts';

const feedQuery = 'subscription { generationChanged { cursor } }';

describe('an address', () => {
  test('that is not listed is refused, and nothing is posted or sent', async () => {
    const { app, gateway, router } = await startCallbackApp();
    const other = await startCallbackRouter();
    const port = new URL(router.url).port;
    for (const callbackUrl of [
      `${other.url}/callback/1`,
      `${router.url}/callbacks/1`,
      `${router.url}/other/callback/1`,
      `${router.url}/callback/../1`,
      `${router.url}/callback/%2e%2e/1`,
      `http://localhost:${port}/callback/1`,
      `http://user@127.0.0.1:${port}/callback/1`,
      `https://127.0.0.1:${port}/callback/1`,
      'http://169.254.169.254/latest/meta-data',
      'not a url',
    ]) {
      const variables = { input: ask('hello'), idempotencyKey: 'k' };
      const reply = await subscribeByCallback(app, router, { query: chatQuery, variables, callbackUrl });
      expect([reply.status, codeOf(reply.json)]).toEqual([400, 'FORBIDDEN']);
      // No credential makes it listed.
      expect(reply.json).toMatchObject({ errors: [{ extensions: { retry: 'FIX_INPUT' } }] });
    }
    expect([...router.posts.all, ...other.posts.all, ...gateway.requests]).toEqual([]);
  });

  test('is refused if a server that decodes it could read another path', async () => {
    const { app, router } = await startCallbackApp();
    for (const path of [
      '%2f..%2fadmin',
      'x%2F..%2F..%2Fadmin',
      '%5c..%5cadmin',
      '..;/admin',
      '..%3b/admin',
      '%252e%252e/admin',
    ]) {
      const callbackUrl = `${router.url}/callback/${path}`;
      const reply = await subscribeByCallback(app, router, { query: feedQuery, callbackUrl });
      expect([path, codeOf(reply.json)]).toEqual([path, 'FORBIDDEN']);
    }
    expect(router.posts.all).toEqual([]);
  });

  test('may be written in another way', async () => {
    const { app, router } = await startCallbackApp();
    const { port } = new URL(router.url);
    for (const origin of [
      `HTTP://127.0.0.1:${port}`,
      `http://2130706433:${port}`,
      ` http://127.0.0.1.:${port}`,
    ]) {
      const callbackUrl = `${origin}/callback/./a/../1?router=2#part`;
      const reply = await subscribeByCallback(app, router, { query: feedQuery, callbackUrl });
      expect(reply.json).toEqual({ data: null });
    }
    expect(router.posts.all.map(({ path }) => path)).toEqual(Array(3).fill('/callback/1?router=2'));
  });

  test.each([
    [400, 'FIX_INPUT'],
    [404, 'LATER'],
    [500, 'LATER'],
    [{ redirectTo: '/elsewhere' }, 'FIX_INPUT'],
  ] as const)('that answers a check with %o opens nothing, and no chat is created', async (answer, retry) => {
    const records = await createRecords('SQLite');
    const { app, gateway, router } = await startCallbackApp({ env: records.env });
    router.answer = () => answer;
    const variables = { input: ask('hello'), idempotencyKey: 'k' };
    const reply = await subscribeByCallback(app, router, { query: chatQuery, variables });
    expect([reply.status, codeOf(reply.json)]).toEqual([400, 'BAD_REQUEST']);
    expect(reply.json).toMatchObject({ errors: [{ extensions: { retry } }] });
    expect(gateway.requests).toEqual([]);
    expect(router.posts.all.every(({ path }) => path.startsWith('/callback/'))).toBe(true);
    expect(await records.query('select id from callbacks')).toEqual([]);
  });

  test('without CALLBACK_URLS is of no use', async () => {
    const router = await startCallbackRouter();
    await using app = await startApp();
    const reply = await subscribeByCallback(app, router, {
      query: 'subscription { generationChanged { cursor } }',
    });
    expect(reply.status).toBe(406);
    expect(router.posts.all).toEqual([]);
  });

  test('of a query is not used', async () => {
    const { app, router } = await startCallbackApp();
    const reply = await subscribeByCallback(app, router, { query: '{ __typename }' });
    expect(reply.json).toEqual({ data: { __typename: 'Query' } });
    expect(router.posts.all).toEqual([]);
  });
});

describe('a request', () => {
  test.each([[-1], [1], [499], [5000.5], [86_400_001], ['5000'], [null]])(
    'with heartbeatIntervalMs %j is refused',
    async (heartbeatIntervalMs) => {
      const { app, router } = await startCallbackApp();
      const reply = await subscribeByCallback(app, router, { query: feedQuery, heartbeatIntervalMs });
      expect([reply.status, codeOf(reply.json)]).toEqual([400, 'BAD_REQUEST']);
      expect(router.posts.all).toEqual([]);
    },
  );

  test.each(['subscriptionId', 'verifier'])('with a huge or empty %s is refused', async (member) => {
    const { app, router } = await startCallbackApp();
    const callbackUrl = `${router.url}/callback/1`;
    for (const value of ['', 'a'.repeat(2001)]) {
      const reply = await subscribeByCallback(app, router, {
        query: feedQuery,
        callbackUrl,
        [member]: value,
      });
      expect([reply.status, codeOf(reply.json)]).toEqual([400, 'BAD_REQUEST']);
      const message = `extensions.subscription.${member} must be text of 1 to 2000 characters.`;
      expect(reply.json).toMatchObject({ errors: [{ message }] });
    }
    expect(router.posts.all).toEqual([]);
  });

  test('with the id of another subscription opens none for the same owner, and its own for another one', async () => {
    const records = await createRecords('SQLite');
    const { app, router } = await startCallbackApp({ env: records.env });
    const open = (verifier: string, owner: string) =>
      subscribeByCallback(app, router, {
        query: feedQuery,
        subscriptionId: 'one',
        verifier,
        headers: { ...sandboxKey, 'x-end-user': owner },
      });
    const count = async () => (await records.query('select id from callbacks')).length;
    expect((await open('first', 'ann')).json).toEqual({ data: null });
    // A router that repeats its request.
    expect((await open('first', 'ann')).json).toEqual({ data: null });
    const message = 'This subscriptionId is in use. Subscribe again with another one.';
    expect((await open('second', 'ann')).json).toMatchObject({
      errors: [{ message, extensions: { code: 'BAD_REQUEST' } }],
    });
    expect([await count(), router.posts.all.length]).toEqual([1, 1]);
    // The router decides by its verifier whom it knows.
    router.answer = ({ body }) => (body.verifier === 'first' ? 204 : 400);
    expect(codeOf((await open('guessed', 'bob')).json)).toBe('BAD_REQUEST');
    expect((await open('first', 'bob')).json).toEqual({ data: null });
    expect(await count()).toBe(2);
  });

  test.each(['SQLite', 'PostgreSQL'] as const)(
    'among many at once keeps to the limit of its owner with %s',
    async (engine) => {
      const records = await createRecords(engine);
      const { app, router } = await startCallbackApp({ env: { ...records.env, MAX_OPEN_PER_OWNER: '3' } });
      const replies = await Promise.all(
        Array.from({ length: 30 }, () => subscribeByCallback(app, router, { query: feedQuery })),
      );
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(3);
      expect(await records.query('select id from callbacks')).toHaveLength(3);
    },
  );

  test('shows its verifier in no line of the log, whatever the router does', async () => {
    const router = await startCallbackRouter();
    const { app, lines } = await startLogged({
      env: { CALLBACK_URLS: router.url, LOG_LEVEL: 'trace', SHUTDOWN_SECONDS: '0.05' },
    });
    for (const answer of [204, 400, { redirectTo: '/elsewhere' }]) {
      router.answer = () => answer;
      await subscribeByCallback(app, router, { query: feedQuery });
    }
    await subscribeByCallback(app, router, {
      query: feedQuery,
      callbackUrl: 'http://127.0.0.1:1/the-verifier',
    });
    await subscribeByCallback(app, router, { query: '{ wrong' });
    expect(lines.all.length).toBeGreaterThan(0);
    expect(JSON.stringify(lines.all)).not.toContain('the-verifier');
  });
});

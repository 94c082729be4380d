import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  AccessTokensDocument,
  CloneVoiceDocument,
  CreateAccessTokenDocument,
} from '../../src/client/documents.generated.ts';
import { sandboxKey, startApp, systemToken, type TestApp } from '../support/app.ts';
import { RecordsUnavailableError } from '../../src/errors.ts';
import type { Store } from '../../src/store/store.ts';
import { createDirectory } from '../support/durable-server.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';
import { codeOf } from '../support/http.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';

const caller = { headers: systemToken };

async function makeToken(app: TestApp, name: string): Promise<string> {
  const input = { name, quota: { units: 5 }, allowedModels: ['gpt-4o'] };
  const { data } = await app.run(CreateAccessTokenDocument, { input }, caller);
  if (data?.createAccessToken?.__typename !== 'CreatedAccessToken') throw new Error(JSON.stringify(data));
  return data.createAccessToken.accessToken.id;
}

describe('accessTokens', () => {
  let app: TestApp & AsyncDisposable;
  const ids: string[] = [];
  beforeAll(async () => {
    app = await startApp();
    for (let index = 0; index < 23; index += 1) ids.push(await makeToken(app, `t${index}`));
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const list = async (variables: { first?: number; after?: string | null } = {}) => {
    const { data, errors } = await app.run(AccessTokensDocument, variables, caller);
    expect(errors).toBeUndefined();
    return data?.accessTokens;
  };

  test('lists the tokens created through this API, twenty per page by default, each once over all pages', async () => {
    const first = await list();
    expect(first?.edges).toHaveLength(20);
    expect(first?.pageInfo.hasNextPage).toBe(true);
    const rest = await list({ after: first?.pageInfo.endCursor ?? null });
    expect(rest?.pageInfo.hasNextPage).toBe(false);
    const read = [...(first?.edges ?? []), ...(rest?.edges ?? [])].map(({ node }) => node);
    expect(read.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(read.find(({ id }) => id === ids[3])).toMatchObject({
      name: 't3',
      quotaAmount: 5 / 500_000,
      allowedModels: ['gpt-4o'],
      expiresAt: null,
    });
    expect(read.map(({ createdAt }) => createdAt)).toEqual(
      read
        .map(({ createdAt }) => createdAt)
        .toSorted()
        .toReversed(),
    );
  });

  test('counts the tokens of all pages', async () => {
    const query = '{ accessTokens(first: 2) { totalCount isTotalCapped } }';
    expect((await app.run(query, {}, caller)).data).toEqual({
      accessTokens: { totalCount: ids.length, isTotalCapped: false },
    });
  });

  test('has cursors that other lists do not accept', async () => {
    const after = (await list({ first: 1 }))?.pageInfo.endCursor;
    const query = 'query ($after: String) { generations(after: $after) { edges { cursor } } }';
    const { errors } = await app.run(query, { after }, caller);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('does not list tokens of other owners', async () => {
    for (const headers of [
      { ...systemToken, 'new-api-user': '2' },
      { authorization: 'Bearer sk-sandbox', 'new-api-user': '1' },
    ]) {
      const { data } = await app.run(AccessTokensDocument, {}, { headers });
      expect(data?.accessTokens?.edges).toEqual([]);
    }
  });

  test('needs the header new-api-user', async () => {
    const { data, errors } = await app.run(AccessTokensDocument, {}, { headers: sandboxKey });
    expect(data).toEqual({ accessTokens: null });
    expect(errors).toMatchObject([
      {
        message: 'accessTokens needs the header new-api-user in addition to the system token.',
        extensions: { code: 'UNAUTHENTICATED', retry: 'AUTHENTICATE' },
      },
    ]);
  });

  test('shows no secrets', async () => {
    const directory = await createDirectory();
    await using own = await startApp({ env: { DATA_DIR: directory } });
    const input = { name: 'findable-name', quota: { units: 5 } };
    const { data } = await own.run(CreateAccessTokenDocument, { input }, caller);
    const key =
      data?.createAccessToken?.__typename === 'CreatedAccessToken' ? data.createAccessToken.key : null;
    const kept = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'latin1'));
    expect(kept.join()).toContain('findable-name');
    expect(key).toMatch(/^sk-.{10}/);
    expect(kept.join()).not.toContain(key?.slice(3));
  });

  test('rejects a missing credential, a page size above 100, and a cursor of another list', async () => {
    expect(codeOf(await app.run(AccessTokensDocument, {}, { headers: {} }))).toBe('UNAUTHENTICATED');
    expect(codeOf(await app.run(AccessTokensDocument, { first: 101 }, caller))).toBe('LIMIT_EXCEEDED');
    for (const members of [[1.5, 'a'], [1, 'a\u0000'], ['1', 'a'], [1]]) {
      const after = Buffer.from(JSON.stringify(members)).toString('base64url');
      expect(codeOf(await app.run(AccessTokensDocument, { after }, caller))).toBe('BAD_REQUEST');
    }
  });
});

/** A store that records no settlement before `bringBack`, which resolves when it has recorded one. */
function createLateRecords() {
  const recorded = Promise.withResolvers<void>();
  let isAway = true;
  const wrapStore = (store: Store): Store => ({
    ...store,
    async settle(...settlement) {
      if (isAway) throw new RecordsUnavailableError('The disk is full');
      const generation = await store.settle(...settlement);
      recorded.resolve();
      return generation;
    },
  });
  const bringBack = (clock: ManualClock): Promise<void> => {
    isAway = false;
    clock.advance(2000);
    return recorded.promise;
  };
  return { wrapStore, bringBack };
}

test('the preview of a voice that can be recorded only later is returned', async () => {
  const clock = createManualClock();
  const { wrapStore, bringBack } = createLateRecords();
  await using app = await startApp({ overrides: { clock, wrapStore } });
  const input = { fileId: 5, voiceId: 'my-voice_1', previewText: 'Hello', previewModel: 'speech-2.6-hd' };
  const clone = () => app.run(CloneVoiceDocument, { input, idempotencyKey: 'k' });
  const [url, id] = [expect.stringContaining('http'), expect.any(String)];
  expect(await clone()).toMatchObject({ data: { cloneVoice: { preview: { url }, voice: { id } } } });
  await bringBack(clock);
  expect(await clone()).toMatchObject({ data: { cloneVoice: { preview: null, voice: { id } } } });
});

test('the secret of a token that can be recorded only later is returned', async () => {
  const clock = createManualClock();
  const { wrapStore, bringBack } = createLateRecords();
  await using app = await startApp({ overrides: { clock, wrapStore } });
  const create = async () => {
    const variables = { input: { name: 'late', quota: { units: 5 } }, idempotencyKey: 'k' };
    const { data, errors } = await app.run(CreateAccessTokenDocument, variables, caller);
    expect(errors).toBeUndefined();
    if (data?.createAccessToken?.__typename !== 'CreatedAccessToken') throw new Error(JSON.stringify(data));
    return data.createAccessToken;
  };
  const created = await create();
  expect(app.sandbox.findToken(created.key ?? '')).toMatchObject({ name: 'late' });
  await bringBack(clock);
  expect(await create()).toMatchObject({ key: null, accessToken: { id: created.accessToken.id } });
  expect(app.sandbox.activity.count('/api/token/')).toBe(1);
});

test.each([500, 503])(
  'the secret of a new token under HTTP %d is neither a refusal nor in the log: a retry would create another token',
  async (status) => {
    const gateway = await startFakeGateway((_request, response) =>
      sendJson(response, { success: true, data: { key: 'sk-0123456789abcdef' } }, status),
    );
    const log: string[] = [];
    await using app = await startApp({
      gatewayUrl: gateway.url,
      onLog: (line) => void log.push(JSON.stringify(line)),
    });
    const create = () =>
      app.run(
        'mutation { createAccessToken(input: { name: "a", quota: { units: 1 } }, idempotencyKey: "k") { ... on GengraphError { code retry } } }',
        {},
        { headers: systemToken },
      );
    const unknown = { createAccessToken: { code: 'OUTCOME_UNKNOWN', retry: 'MAY_CHARGE_AGAIN' } };
    expect((await create()).data).toEqual(unknown);
    expect((await create()).data).toEqual(unknown);
    expect(gateway.requests).toHaveLength(1);
    expect(log.join()).not.toContain('0123456789abcdef');
  },
);

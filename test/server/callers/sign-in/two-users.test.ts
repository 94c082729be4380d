import { base64url } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../support/app.ts';
import { sendRequest } from '../../../support/http.ts';
import { openRawSocket } from '../../../support/raw-socket.ts';
import { bearer, mint, signInBySecret } from '../../../support/sign-in.ts';
import { schema } from '../../../support/api-schema.ts';
import { findGeneration } from '../../../support/chats.ts';
import { type Attempt, createPrivateRecords, type PrivateRecords } from './private-records.ts';

type App = TestApp & AsyncDisposable;
type Headers = Readonly<Record<string, string>>;

let app: App;
let ann: Headers;
let bob: Headers;
let records: PrivateRecords;
beforeAll(async () => {
  app = await startApp({
    env: { ...signInBySecret, SHUTDOWN_SECONDS: '0.05', OWNER_WEBHOOKS: 'on' },
    sandbox: { taskSeconds: 0.2 },
  });
  ann = bearer(await mint('ann', { claims: { scope: 'tokens:create tokens:read' } }));
  bob = bearer(await mint('bob'));
  records = await createPrivateRecords(app, ann);
});
afterAll(() => app[Symbol.asyncDispose]());

/** Sends a document as somebody. Returns the whole text of the answer. */
type Send = (attempt: Attempt) => Promise<string>;

function overHttp(headers: Headers, { path = '', accept = 'application/json' } = {}): Send {
  return async ({ query, variables }) => {
    const body = [Buffer.from(JSON.stringify({ query, variables }))];
    const contentType = { 'content-type': 'application/json', accept };
    return (await sendRequest(app.url + path, { headers: { ...headers, ...contentType }, body })).text;
  };
}

interface Presented {
  readonly upgrade?: Headers;
  readonly params?: object;
  readonly operation?: object;
}

async function overSocket({ upgrade = {}, params, operation }: Presented): Promise<Send> {
  const socket = await openRawSocket(app.url, { headers: upgrade });
  await socket.init(params ?? null);
  let operations = 0;
  return async ({ query, variables }) => {
    operations += 1;
    const id = `operation-${operations}`;
    socket.subscribe(id, { query, variables, ...(operation && { extensions: { headers: operation } }) });
    const { type } = await socket.waitForMessage(id);
    // A running stream is not awaited: its first message would show it.
    if (type === 'next' && query.startsWith('subscription')) socket.send({ id, type: 'complete' });
    else await socket.waitForEnd(id);
    return JSON.stringify(socket.inbox.all.filter((message) => message.id === id));
  };
}

/** An unsigned token of another user. */
function forge(user: string): string {
  const now = Math.floor(Date.now() / 1000);
  const { AUTH_ISSUER: iss, AUTH_AUDIENCE: aud } = signInBySecret;
  const claims = { iss, aud, sub: user, iat: now, exp: now + 600, scope: 'tasks:adopt' };
  return `${base64url.encode('{"alg":"none"}')}.${base64url.encode(JSON.stringify(claims))}.`;
}

/** Every way in which another user can try. */
function createWays(): Readonly<Record<string, () => Send | Promise<Send>>> {
  const forged = { authorization: `Bearer ${forge('ann')}` };
  const named = { 'x-end-user': 'ann' };
  const numbered = { 'new-api-user': '1' };
  return {
    'HTTP, the fast way': () => overHttp(bob),
    'HTTP, through Yoga': () => overHttp(bob, { path: '?yoga' }),
    'server-sent events': () => overHttp(bob, { accept: 'text/event-stream' }),
    'HTTP with the name of the other': () => overHttp({ ...bob, ...named }),
    'HTTP with a user id': () => overHttp({ ...bob, ...numbered }),
    'HTTP with a second credential': () => overHttp({ ...bob, token: forge('ann') }),
    WebSocket: () => overSocket({ params: bob }),
    'WebSocket, by the upgrade request': () => overSocket({ upgrade: bob }),
    'a forged token in connectionParams': () => overSocket({ upgrade: bob, params: forged }),
    'the name of the other in connectionParams': () => overSocket({ upgrade: bob, params: named }),
    'the key of the gateway in connectionParams': () =>
      overSocket({
        upgrade: bob,
        params: { token: 'sk-sandbox' },
      }),
    'the name of the other in the operation': () => overSocket({ params: bob, operation: named }),
    'a forged token in the operation': () => overSocket({ params: bob, operation: forged }),
    'the system token in the operation': () =>
      overSocket({
        upgrade: bob,
        operation: { authorization: 'sandbox-system', ...numbered },
      }),
    'nested connectionParams': () =>
      overSocket({
        params: { ...bob, connectionParams: { ...forged, ...named } },
      }),
  };
}

function secretsIn(text: string): readonly string[] {
  return records.secrets.filter((secret) => text.includes(secret));
}

/** Root fields that show nothing of a user. */
const publicFields = ['voices', 'inputSchema', '_service'];
/** They show nothing before an event is delivered. */
const silentFields = ['webhookDeliveries', 'redeliverWebhookEvents', 'deleteWebhook'];
/** Tested on its own, because it never ends. */
const feeds = ['generationChanged'];
/** They name no record: what they make belongs to their caller. */
const ownCreates = ['createWebhook', 'createUpload'];

test('the attempts cover every root field of the schema', () => {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const fields = roots.flatMap((root) => Object.keys(root?.getFields() ?? {}));
  const covered = new Set([...records.attempts, ...records.creates].map(({ field }) => field));
  expect(fields.filter((field) => !covered.has(field) && ![...feeds, ...ownCreates].includes(field))).toEqual(
    [],
  );
});

test('no way shows a record of another user, or changes it', { timeout: 120_000 }, async () => {
  const sent = app.sandbox.activity.count();
  const catalogReads = app.sandbox.activity.count('/videoa/v1/general/presets-voices');
  const ways = Object.entries(createWays());
  const visible: string[] = [];
  let attempts = 0;
  for (const [way, open] of ways) {
    const send = await open();
    for (const attempt of records.attempts) {
      attempts += 1;
      for (const secret of secretsIn(await send(attempt)))
        visible.push(`${way}: ${attempt.field} shows ${secret}`);
    }
  }
  console.log(`${attempts} attempts in ${ways.length} ways, ${visible.length} visible`);
  expect(visible).toEqual([]);
  // Only the public catalog of voices was read.
  const catalog = app.sandbox.activity.count('/videoa/v1/general/presets-voices') - catalogReads;
  expect(app.sandbox.activity.count() - sent).toBe(catalog);
  expect((await findGeneration(app, records.runningChat, ann))?.status).toBe('RUNNING');
});

test(
  'an idempotency key of another user is free, for every create on every transport',
  { timeout: 120_000 },
  async () => {
    const creator = bearer(await mint('bob', { claims: { scope: 'tokens:create' } }));
    const users = [
      creator,
      bearer(await mint('carl', { claims: { scp: ['tokens:create'] } })),
      bearer(await mint('dora', { claims: { scope: 'tokens:create' } })),
    ];
    const [first = {}, second = {}, third = {}] = users;
    const ways = [
      overHttp(first),
      overHttp(second, { accept: 'text/event-stream' }),
      await overSocket({ params: third }),
    ];
    const visible: string[] = [];
    let attempts = 0;
    for (const send of ways)
      for (const attempt of records.creates) {
        attempts += 1;
        const text = await send(attempt);
        if (!text.includes('__typename')) continue;
        for (const secret of secretsIn(text)) visible.push(`${attempt.field} shows ${secret}`);
        expect([attempt.field, text]).toEqual([attempt.field, expect.not.stringContaining('IDEMPOTENCY')]);
      }
    console.log(`${attempts} creates with used keys, ${visible.length} visible`);
    expect(visible).toEqual([]);
  },
);

test('the live feed shows only changes of its owner', async () => {
  const query = 'subscription { generationChanged { ... on GenerationChanged { generationId } } }';
  const socket = await openRawSocket(app.url);
  await socket.init(bob);
  socket.subscribe('feed', query);
  await expect.poll(() => app.app.activity.feeds).toBe(1);
  const create = async (headers: Headers): Promise<string> => {
    const { data } = await app.run<{ startChat: { id: string } }, object>(
      'mutation { startChat(input: { model: "m", messages: [{ role: USER, content: { text: "Hi" } }] }) { ... on Generation { id } } }',
      {},
      { headers },
    );
    return data?.startChat.id ?? '';
  };
  const other = await create(ann);
  const own = await create(bob);
  const { payload } = await socket.waitForMessage('feed');
  expect(payload).toEqual({ data: { generationChanged: { generationId: own } } });
  expect(JSON.stringify(socket.inbox.all)).not.toContain(other);
});

test('every attempt shows the owner something, so it would show a leak', { timeout: 120_000 }, async () => {
  const send = await overSocket({ params: ann });
  const shown = new Set<string>();
  for (const attempt of records.attempts)
    if (secretsIn(await send(attempt)).length > 0) shown.add(attempt.field);
  const expected = new Set(records.attempts.map(({ field }) => field));
  expect([...expected].filter((field) => !shown.has(field))).toEqual([...publicFields, ...silentFields]);
});

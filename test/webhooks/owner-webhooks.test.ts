import type { ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  CreateWebhookDocument,
  type CreateWebhookInput,
  DeleteWebhookDocument,
  RedeliverWebhookEventsDocument,
  WebhookDeliveriesDocument,
  WebhooksDocument,
} from '../../src/client/documents.generated.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { createOwnerWebhooks } from '../../src/webhooks/owner-webhooks.ts';
import { advanceUntil } from '../support/advance-until.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { ask, createChatCompletion, made } from '../support/chats.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createRecords, engines } from '../support/records.ts';
import { answerStatus, startReceiver, verify, type WebhookReceiver } from '../support/webhook-receiver.ts';

const otherUser = { headers: { authorization: 'Bearer sk-sandbox', 'x-end-user': 'other' } };

const envOf = (receiver: WebhookReceiver) => ({
  OWNER_WEBHOOKS: 'on',
  OWNER_WEBHOOK_HOSTS: `${receiver.host}, *.example.com`,
  WEBHOOK_HOSTS: receiver.host,
});

async function create(app: TestApp, input: CreateWebhookInput) {
  const { data } = await app.run(CreateWebhookDocument, { input });
  const { createWebhook: created } = data ?? {};
  if (created?.__typename !== 'CreatedWebhook') throw new Error(JSON.stringify(created));
  return { id: created.webhook.id, secret: created.secret };
}

describe.each(engines)('%s', (engine) => {
  test('a caller gets the ends of its own generations, signed with a secret that is shown once and stored encrypted', async () => {
    const records = await createRecords(engine);
    const receiver = await startReceiver();
    await using app = await startApp({ env: { ...records.env, ...envOf(receiver) } });
    const { id, secret } = await create(app, {
      url: receiver.url,
      statuses: ['SUCCEEDED'],
      includeContent: true,
    });
    await createChatCompletion(app, { input: ask('Say hello') }, otherUser.headers);
    const chat = made(await createChatCompletion(app, { input: ask('Say hello') }));
    const [event] = await receiver.waitFor(1);
    expect(event?.event.data).toMatchObject({ generationId: chat.id, prompt: 'Say hello' });
    expect(event?.event.data).not.toHaveProperty('owner');
    expect(event && verify(event, secret)).toBeUndefined();
    const listed = await app.run(WebhooksDocument);
    expect(listed.data?.webhooks).toMatchObject([
      { id, url: receiver.url, statuses: ['SUCCEEDED'], kinds: null },
    ]);
    const stored = JSON.stringify(await records.query('select * from webhooks'));
    expect(stored).toContain(id);
    expect(stored + JSON.stringify(listed)).not.toContain(secret.slice(6));
    expect(receiver.received).toHaveLength(1);
  });
});

test('the ends of an owner whose webhooks hang delay no other owner, also at the same address', async () => {
  const receiver = await startReceiver();
  const hung: ServerResponse[] = [];
  receiver.answer = ({ event }, response) => {
    if (event.data.prompt === 'hang') hung.push(response);
    else response.end();
  };
  await using app = await startApp({ env: envOf(receiver) });
  const input = { url: receiver.url, includeContent: true };
  for (let count = 0; count < 10; count += 1) await create(app, input);
  await Promise.all(Array.from({ length: 8 }, () => createChatCompletion(app, { input: ask('hang') })));
  // Each webhook has four requests in flight.
  await expect.poll(() => hung.length).toBe(40);
  const { data } = await app.run(CreateWebhookDocument, { input }, otherUser);
  expect(data?.createWebhook?.__typename).toBe('CreatedWebhook');
  await createChatCompletion(app, { input: ask('in time') }, otherUser.headers);
  await receiver.waitFor(41);
  expect(receiver.received.at(-1)?.event.data.prompt).toBe('in time');
  expect(hung).toHaveLength(40);
  receiver.answer = answerStatus(200);
  for (const response of hung) response.end();
});

test('the requests for all owners are limited in number, and an owner among many gets its turn', async () => {
  const receiver = await startReceiver();
  const hung: ServerResponse[] = [];
  receiver.answer = ({ event }, response) => {
    if (event.data.prompt === 'hang') hung.push(response);
    else response.end();
  };
  await using app = await startApp({ env: envOf(receiver) });
  const input = { url: receiver.url, includeContent: true };
  const ten = Array.from(
    { length: 10 },
    (_, index) => `a${index}: createWebhook(input: $input) { __typename }`,
  );
  for (const user of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
    const headers = { ...otherUser.headers, 'x-end-user': user };
    await app.run(`mutation ($input: CreateWebhookInput!) { ${ten.join(' ')} }`, { input }, { headers });
    await Promise.all(
      Array.from({ length: 4 }, () => createChatCompletion(app, { input: ask('hang') }, headers)),
    );
  }
  await receiver.waitFor(256);
  await app.run(CreateWebhookDocument, { input }, otherUser);
  await createChatCompletion(app, { input: ask('in time') }, otherUser.headers);
  expect(receiver.received).toHaveLength(256);
  const isDelivered = () => receiver.received.some(({ event }) => event.data.prompt === 'in time');
  for (let ended = 1; !isDelivered(); ended += 1) {
    hung[ended - 1]?.end();
    await receiver.waitFor(256 + ended);
    expect(receiver.received).toHaveLength(256 + ended);
  }
  receiver.answer = answerStatus(200);
  for (const response of hung) response.end();
});

test('the bodies of an owner whose receiver hangs are limited in bytes, and all events are delivered', async () => {
  const receiver = await startReceiver();
  const hung: ServerResponse[] = [];
  receiver.answer = (_event, response) => hung.push(response);
  await using app = await startApp({ env: { ...envOf(receiver), MAX_ANSWER_BYTES: '65536' } });
  const input = { url: receiver.url, includeContent: true };
  for (let count = 0; count < 3; count += 1) await create(app, input);
  for (let count = 0; count < 2; count += 1)
    await createChatCompletion(app, { input: ask('long '.repeat(6000)) });
  await receiver.waitFor(1);
  await createChatCompletion(app, { input: ask('Say hello') });
  expect(hung).toHaveLength(1);
  receiver.answer = answerStatus(204);
  hung[0]?.end();
  await receiver.waitFor(9);
});

test('the large events of many callers have a limit together', async () => {
  const receiver = await startReceiver();
  const hung: ServerResponse[] = [];
  receiver.answer = ({ body }, response) => (body.length > 65_536 ? hung.push(response) : response.end());
  const env = { MAX_UNSENT_BYTES: '1048576', MAX_UNSENT_BYTES_PER_OWNER: '1048576' };
  await using app = await startApp({ env: { ...envOf(receiver), ...env } });
  const end = async (user: string, text: string): Promise<void> => {
    const headers = { authorization: 'Bearer sk-sandbox', 'x-end-user': user };
    const input = { url: receiver.url, includeContent: true };
    await app.run(CreateWebhookDocument, { input }, { headers });
    await createChatCompletion(app, { input: ask(text) }, headers);
  };
  for (let user = 0; user < 5; user += 1) await end(`user-${user}`, 'long '.repeat(40_000));
  await receiver.waitFor(1);
  await end('another', 'Say hello');
  await expect.poll(() => receiver.received.length - hung.length).toBe(1);
  expect(hung.length).toBeLessThan(5);
  receiver.answer = answerStatus(204);
  for (const response of hung) response.end();
  await receiver.waitFor(6);
});

test('a caller sees and deletes only its own webhooks', async () => {
  const receiver = await startReceiver();
  await using app = await startApp({ env: envOf(receiver) });
  const { id } = await create(app, { url: receiver.url });
  await createChatCompletion(app, { input: ask('Say hello') });
  const [event] = await receiver.waitFor(1);
  const eventIds = [event?.id ?? ''];
  expect((await app.run(WebhooksDocument, {}, otherUser)).data?.webhooks).toEqual([]);
  const theirs = await app.run(WebhookDeliveriesDocument, { webhookId: id }, otherUser);
  expect(theirs.data?.webhookDeliveries).toBeNull();
  expect(
    (await app.run(RedeliverWebhookEventsDocument, { webhookId: id, eventIds }, otherUser)).data
      ?.redeliverWebhookEvents,
  ).toEqual([]);
  expect((await app.run(DeleteWebhookDocument, { id }, otherUser)).data?.deleteWebhook).toBe(false);
  expect((await app.run(DeleteWebhookDocument, { id })).data?.deleteWebhook).toBe(true);
  expect((await app.run(DeleteWebhookDocument, { id })).data?.deleteWebhook).toBe(false);
  expect((await app.run(WebhookDeliveriesDocument, { webhookId: id })).data?.webhookDeliveries).toBeNull();
});

test('a webhook that its caller deletes is not called again, although its queue has read more events', async () => {
  const receiver = await startReceiver();
  const hung: ServerResponse[] = [];
  receiver.answer = (_event, response) => hung.push(response);
  await using app = await startApp({ env: envOf(receiver) });
  const { id } = await create(app, { url: receiver.url });
  await Promise.all(Array.from({ length: 9 }, () => createChatCompletion(app, { input: ask('Say hello') })));
  await expect.poll(() => hung.length).toBe(4);
  // The queue now reads all others.
  hung[0]?.end();
  await receiver.waitFor(5);
  expect((await app.run(DeleteWebhookDocument, { id })).data?.deleteWebhook).toBe(true);
  const { id: next } = await create(app, { url: receiver.url });
  receiver.answer = answerStatus(200);
  for (const response of hung) response.end();
  await createChatCompletion(app, { input: ask('Say hello') });
  const deliveries = async () =>
    (await app.run(WebhookDeliveriesDocument, { webhookId: next })).data?.webhookDeliveries;
  await expect.poll(deliveries).toMatchObject([{ state: 'DELIVERED' }]);
  expect(receiver.received).toHaveLength(6);
});

test('deliveries show how the receiver answered, and are delivered again with the same id', async () => {
  const receiver = await startReceiver();
  receiver.answer = answerStatus(503);
  const clock = createManualClock();
  await using app = await startApp({ env: envOf(receiver), overrides: { clock } });
  const { id: webhookId } = await create(app, { url: receiver.url });
  const chat = made(await createChatCompletion(app, { input: ask('Say hello') }));
  const findOne = async () =>
    (await app.run(WebhookDeliveriesDocument, { webhookId })).data?.webhookDeliveries?.[0];
  const [event] = await receiver.waitFor(1);
  await expect.poll(findOne).toMatchObject({ attempts: 1 });
  expect(await findOne()).toEqual({
    eventId: event?.id,
    generationId: chat.id,
    status: 'SUCCEEDED',
    corrects: null,
    state: 'PENDING',
    attempts: 1,
    attemptedAt: expect.any(String),
    responseStatus: 503,
    failure: 'status 503',
  });
  receiver.answer = answerStatus(200);
  const again = await app.run(RedeliverWebhookEventsDocument, { webhookId, eventIds: [event?.id ?? ''] });
  expect(again.data?.redeliverWebhookEvents).toMatchObject([{ eventId: event?.id, state: 'PENDING' }]);
  await receiver.waitFor(2);
  await expect
    .poll(findOne)
    .toMatchObject({ state: 'DELIVERED', attempts: 2, responseStatus: 200, failure: null });
  await app.run(RedeliverWebhookEventsDocument, { webhookId, eventIds: [event?.id ?? ''] });
  await advanceUntil(clock, () => receiver.received.length >= 3);
  expect(new Set(receiver.received.map(({ id }) => id))).toEqual(new Set([event?.id]));
  const none = await app.run(RedeliverWebhookEventsDocument, { webhookId });
  expect(none.data?.redeliverWebhookEvents).toEqual([]);
});

test('the delivery whose receiver answers 410 shows this answer', async () => {
  const receiver = await startReceiver();
  receiver.answer = answerStatus(410);
  await using app = await startApp({ env: envOf(receiver) });
  const { id: webhookId } = await create(app, { url: receiver.url });
  await createChatCompletion(app, { input: ask('Say hello') });
  const findOne = async () =>
    (await app.run(WebhookDeliveriesDocument, { webhookId })).data?.webhookDeliveries?.[0];
  await expect.poll(findOne).toMatchObject({ state: 'FAILED' });
  expect(await findOne()).toMatchObject({
    attempts: 1,
    attemptedAt: expect.any(String),
    responseStatus: 410,
    failure: 'the receiver answered 410',
  });
});

test.each([
  [
    'a host that the operator no longer allows',
    { OWNER_WEBHOOK_HOSTS: 'elsewhere.example.com' },
    'select 1',
    'the operator of this server does not allow the host',
  ],
  [
    'a webhook whose secret is of other records',
    {},
    "update webhooks set secret = 'other'",
    'the secret of the webhook cannot be read: delete the webhook and create another',
  ],
  [
    'a generation whose output cannot be read',
    {},
    `create trigger spoil after insert on contents begin update contents set body = '{' where part = 'output'; end`,
    'the event cannot be written (SyntaxError)',
  ],
])('what waits for %s is given up, and says why', async (_name, changed, query, failure) => {
  const records = await createRecords('SQLite');
  const receiver = await startReceiver();
  const earlier = await startApp({ env: { ...records.env, ...envOf(receiver) } });
  const { id: webhookId } = await create(earlier, { url: receiver.url });
  await earlier[Symbol.asyncDispose]();
  await records.query(query);
  const clock = createManualClock();
  const env = { ...records.env, ...envOf(receiver), ...changed };
  await using app = await startApp({ env, overrides: { clock } });
  await createChatCompletion(app, { input: ask('Say hello') });
  const findOne = async () =>
    (await app.run(WebhookDeliveriesDocument, { webhookId })).data?.webhookDeliveries?.[0];
  await expect.poll(findOne).toMatchObject({
    state: 'PENDING',
    responseStatus: null,
    failure,
  });
  const isOver = async () => (await findOne())?.state === 'FAILED';
  await advanceUntil(clock, isOver, 3_600_000);
  expect(receiver.received).toEqual([]);
});

describe('createWebhook', () => {
  test.each([
    ['http://hooks.example.com', 'begin with https://'],
    ['https://elsewhere.example', 'does not allow this host'],
    ['https://me:secret@hooks.example.com', 'user name or password'],
    ['https://127.0.0.1:1', 'does not allow this host'],
    ['https://hooks.example.com/'.padEnd(2001, 'x'), 'too long: at most 2000 characters.'],
  ])('refuses %s', async (url, message) => {
    const receiver = await startReceiver();
    await using app = await startApp({ env: envOf(receiver) });
    const { data } = await app.run(CreateWebhookDocument, { input: { url } });
    expect(data?.createWebhook).toMatchObject({
      __typename: 'InvalidInputError',
      issues: [{ path: ['input', 'url'], message: expect.stringContaining(message) }],
    });
  });

  test('refuses private addresses without a list of hosts, an end that is none, and the eleventh webhook', async () => {
    await using app = await startApp({ env: { OWNER_WEBHOOKS: 'on', WEBHOOK_HOSTS: '127.0.0.1' } });
    const issuesOf = async (input: CreateWebhookInput) => {
      const { data } = await app.run(CreateWebhookDocument, { input });
      const { createWebhook: refused } = data ?? {};
      return refused?.__typename === 'InvalidInputError' ? refused.issues : [];
    };
    for (const url of ['https://127.0.0.1/', 'https://[::1]/', 'https://169.254.169.254/latest'])
      expect(await issuesOf({ url })).toMatchObject([{ message: 'The address must be public.' }]);
    for (const odd of ['\0', '\ud800'])
      expect(await issuesOf({ url: `https://hooks.example.com/${odd}` })).toMatchObject([
        { message: 'The address must not have control characters or half a surrogate pair.' },
      ]);
    const url = 'https://hooks.example.com/in';
    expect(await issuesOf({ url, statuses: ['RUNNING', 'FAILED'], kinds: [] })).toMatchObject([
      {
        path: ['input', 'kinds'],
        message: 'Must be 1 to 100 values. Omit the list for all.',
        limit: '1 to 100',
      },
      { path: ['input', 'statuses'], received: 'RUNNING' },
    ]);
    // No generation has such a collection.
    expect(await issuesOf({ url, collections: ['album', 'x'.repeat(201)] })).toMatchObject([
      { path: ['input', 'collections', '1'], limit: '1 to 200 characters', received: '201 characters' },
    ]);
    for (let count = 0; count < 10; count += 1) await create(app, { url: url.padEnd(2000, 'x') });
    expect(await issuesOf({ url })).toMatchObject([{ limit: 'at most 10 webhooks' }]);
  });

  test('of callers whose credential the gateway has not accepted is limited in all, others are not', async () => {
    const clock = createManualClock();
    const store = await createSqliteStore({ directory: ':memory:', clock });
    onTestFinished(() => store.close());
    const records = await store.setUpWebhooks({ operator: [], forOwners: true });
    if (!records) throw new Error('webhooks are off');
    const inserted = { ...records, insert: async () => true };
    const callers = { store, clock, hosts: undefined, isListed: () => false, wake: () => {} };
    const webhooks = createOwnerWebhooks({ ...callers, records: inserted });
    const make = (isAccepted: boolean) =>
      webhooks.create({ owner: 'o', isAccepted }, { url: 'https://hooks.example.com', hasContent: false });
    for (let count = 0; count < 1000; count += 1) await make(false);
    await expect(make(false)).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 87 });
    await make(true);
    clock.advance(87_000);
    await make(false);
  });

  test('and all fields of webhooks say that a server does not offer them', async () => {
    await using app = await startApp();
    const url = 'https://hooks.example.com/in';
    const [{ errors }, listed] = [
      await app.run(CreateWebhookDocument, { input: { url } }),
      await app.run(WebhooksDocument),
    ];
    for (const refused of [errors, listed.errors])
      expect(refused).toMatchObject([
        { message: expect.stringContaining('OWNER_WEBHOOKS=on'), extensions: { code: 'BAD_REQUEST' } },
      ]);
  });
});

import { parse } from 'graphql';
import { expect, onTestFinished, test } from 'vitest';
import { RateLimitError } from '../../../src/errors.ts';
import { createHeldDocuments } from '../../../src/server/admission/held-documents.ts';
import { startApp } from '../../support/app.ts';
import { openRawSocket } from '../../support/raw-socket.ts';

/** A document of 250,000 characters. Four of them are the limit of a party. */
function large(name: string) {
  const text = `subscription ${name} { __typename }`;
  return parse(text.padEnd(250_000));
}

test('a party may hold documents up to its limit, and each once', () => {
  const held = createHeldDocuments();
  const documents = ['A', 'B', 'C', 'D'].map(large);
  const [first = large('none')] = documents;
  const releases = documents.map((document) => held.hold('a', document));
  const again = held.hold('a', first);
  expect(() => held.hold('a', large('E'))).toThrow(RateLimitError);
  held.hold('b', large('E'));
  releases[0]?.();
  expect(() => held.hold('a', large('E'))).toThrow(RateLimitError);
  again();
  held.hold('a', large('E'));
});

test('all parties together have a limit', () => {
  const held = createHeldDocuments();
  const documents = ['A', 'B', 'C', 'D'].map(large);
  for (let party = 0; party < 8; party += 1)
    documents.forEach((document) => held.hold(String(party), document));
  expect(() => held.hold('another', large('A'))).toThrow(RateLimitError);
});

test('the variables of each subscription count until it ends', () => {
  const held = createHeldDocuments();
  const document = large('A');
  const chars = 8_000_000;
  const releases = [1, 2, 3].map(() => held.hold('a', document, chars));
  expect(() => held.hold('a', document, chars)).toThrow(RateLimitError);
  for (const release of releases) release();
  for (const _time of releases) held.hold('a', document, chars);
});

/** Opens this many subscriptions with as much text in a variable. Returns the first message of the last one. */
async function openLarge(query: string, count: number) {
  const app = await startApp();
  onTestFinished(() => app[Symbol.asyncDispose]());
  const socket = await openRawSocket(app.url);
  await socket.init();
  const variables = { text: 'x'.repeat(10_000_000) };
  for (let index = 1; index < count; index += 1) {
    socket.subscribe(`${index}`, { query, variables });
    // The message is no longer held as well.
    socket.subscribe(`after ${index}`, '{ __typename }');
    await socket.waitForEnd(`after ${index}`);
  }
  socket.subscribe('last', { query, variables });
  return socket.waitForMessage('last');
}

test('subscriptions with large variables are refused beyond the limit', async () => {
  const { payload } = await openLarge(
    `subscription ($text: String!) {
      generationChanged {
        ... on GenerationChanged { generation { continuations(after: $text) { totalCount } } }
      }
    }`,
    4,
  );
  expect(payload).toMatchObject({
    errors: [{ message: expect.stringContaining('large variables'), extensions: { code: 'RATE_LIMITED' } }],
  });
});

test('the input of a create does not count, because its subscription does not hold it', async () => {
  const { payload } = await openLarge(
    `subscription ($text: String!) {
      streamChat(input: { model: "m", messages: [{ role: USER, content: { text: $text } }] }, idempotencyKey: "k") {
        __typename
      }
    }`,
    4,
  );
  expect(payload).toEqual({ data: { streamChat: { __typename: 'ChatSnapshot' } } });
});

test('subscriptions with different documents are refused beyond the limit, over a WebSocket', async () => {
  await using app = await startApp();
  const socket = await openRawSocket(app.url);
  await socket.init();
  const fields = Array.from({ length: 200 }, (_, index) => `f${index}: cursor`.padEnd(200)).join(' ');
  const subscribe = (name: string): void =>
    socket.subscribe(name, { query: `subscription ${name} { generationChanged { ${fields} } }` });
  const length = fields.length + 50;
  const allowed = Math.floor(1_000_000 / length);
  for (let count = 0; count <= allowed + 1; count += 1) subscribe(`S${count}`);
  const message = await socket.waitForMessage(`S${allowed + 1}`);
  expect(message.payload).toMatchObject({
    errors: [
      { message: expect.stringContaining('different documents'), extensions: { code: 'RATE_LIMITED' } },
    ],
  });
  await expect.poll(() => app.app.activity.feeds).toBeGreaterThanOrEqual(allowed - 1);
  // A document that is held already takes no more memory.
  const before = app.app.activity.feeds;
  socket.subscribe('again', { query: `subscription S${allowed - 2} { generationChanged { ${fields} } }` });
  await expect.poll(() => app.app.activity.feeds).toBe(before + 1);
  socket.send({ type: 'complete', id: 'S1' });
  await expect.poll(() => app.app.activity.feeds).toBe(before);
  subscribe('T');
  await expect.poll(() => app.app.activity.feeds).toBe(before + 1);
});

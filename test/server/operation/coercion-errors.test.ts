import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../../support/app.ts';
import { postJson } from '../../support/http.ts';
import { openRawSocket } from '../../support/raw-socket.ts';

let app: Awaited<ReturnType<typeof startApp>>;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const listQuery = 'query ($filter: GenerationFilter) { generations(filter: $filter) { totalCount } }';
const chatMutation = 'mutation ($input: ChatInput!) { startChat(input: $input) { __typename } }';
const chatSubscription = 'subscription ($input: ChatInput!) { streamChat(input: $input) { __typename } }';

const unknownMembers = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, 1]));
const longModel = 'A'.repeat(900_000);
const longInput = { model: longModel, ...unknownMembers(60) };
const maxReplyChars = 100_000;

const messagesOf = (errors: readonly { readonly message: string }[] | undefined): readonly string[] =>
  errors?.map(({ message }) => message) ?? [];

describe('variables with many errors, without a credential', () => {
  test.each([1, 2, 3])('cost time in proportion to their size, at use %i of a query', async () => {
    const variables = { filter: unknownMembers(4000) };
    const before = process.cpuUsage();
    const { json, text } = await postJson(app.url, { query: listQuery, variables });
    const { user, system } = process.cpuUsage(before);
    expect(messagesOf(json.errors)[0]).toMatch(/Field "x0" is not defined by type "GenerationFilter"/);
    expect(text.length).toBeLessThan(maxReplyChars);
    expect((user + system) / 1000).toBeLessThan(1000);
  });

  test.each([chatMutation, chatSubscription])('have a short answer: %s', async (query) => {
    const { json, text } = await postJson(
      app.url,
      { query, variables: { input: longInput } },
      { accept: 'application/json, text/event-stream' },
    );
    expect(messagesOf(json.errors)[0]).toMatch(
      /^Variable "\$input" got invalid value \{ model: "A+….*Field "messages" of required type/,
    );
    expect(text.length).toBeLessThan(maxReplyChars);
    const socket = await openRawSocket(app.url);
    await socket.init();
    socket.subscribe('a', { query, variables: { input: longInput } });
    const message = await socket.waitForMessage('a');
    expect(JSON.stringify(message).length).toBeLessThan(maxReplyChars);
    expect(JSON.stringify(message)).toContain('of required type');
  });

  test('are all reported if they are small', async () => {
    const { json } = await postJson(app.url, { query: listQuery, variables: { filter: unknownMembers(40) } });
    expect(json.errors).toHaveLength(40);
  });

  test('may be nested deeply', async () => {
    const depth = 40_000;
    const extra = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const body = `{"query":${JSON.stringify(chatMutation)},"variables":{"input":{"extra":{"a":${extra}}}}}`;
    const { json } = await postJson(app.url, body);
    expect(messagesOf(json.errors)).not.toEqual([]);
    expect((await postJson(app.url, { query: '{ __typename }' })).json.data).toEqual({ __typename: 'Query' });
  });
});

import { describe, expect, test } from 'vitest';
import { sandboxKey, startApp } from '../../support/app.ts';

const variables = {
  input: { model: 'gpt-4o', messages: [{ role: 'USER', content: { text: 'Count to 5.' } }], seed: 1 },
  withText: true,
};

/** Equivalent forms of one subscription. */
const forms = {
  plain:
    'subscription ($input: ChatInput!) { streamChat(input: $input) { __typename sequence soFar { choices { message { content } } } } }',
  'with an alias':
    'subscription ($input: ChatInput!) { streamChat: streamChat(input: $input) { __typename sequence soFar { choices { message { content } } } } }',
  'with a fragment':
    'subscription ($input: ChatInput!) { streamChat(input: $input) { ...E } } fragment E on ChatEvent { __typename sequence soFar { choices { message { content } } } }',
  'with the field in a fragment':
    'subscription ($input: ChatInput!) { ...S } fragment S on Subscription { streamChat(input: $input) { __typename sequence soFar { choices { message { content } } } } }',
  'with a variable below the root':
    'subscription ($input: ChatInput!, $withText: Boolean!) { streamChat(input: $input) { __typename sequence soFar { choices { message { content @include(if: $withText) } } } } }',
  'with an operation of another name beside it':
    'subscription S($input: ChatInput!) { streamChat(input: $input) { __typename sequence soFar { choices { message { content } } } } } query Q { __typename }',
};

describe('an event of a subscription', () => {
  test.each(Object.entries(forms))('%s contains the selected fields', async (_name, query) => {
    await using app = await startApp();
    const operationName = query.includes('query Q') ? 'S' : undefined;
    const client = app.wsClient({ connectionParams: sandboxKey });
    const payload = { query, variables, ...(operationName && { operationName }) };
    const events: Record<string, unknown>[] = [];
    for await (const { data, errors } of client.iterate<{ streamChat: Record<string, unknown> }>(payload)) {
      expect(errors).toBeUndefined();
      if (data) events.push(data.streamChat);
    }
    expect(events[0]).toMatchObject({ __typename: 'ChatSnapshot' });
    expect(events.at(-1)).toMatchObject({
      __typename: 'ChatCompleted',
      soFar: { choices: [{ message: { content: expect.stringMatching(/1.*5/s) } }] },
    });
  });

  test('keeps an alias that looks like a meta field', async () => {
    await using app = await startApp();
    const query =
      'subscription ($input: ChatInput!) { __typename: streamChat(input: $input) { __typename } }';
    const client = app.wsClient();
    for await (const { data } of client.iterate({ query, variables }))
      expect(data).toHaveProperty('__typename.__typename');
  });
});

import { describe, expect, test } from 'vitest';
import { hasMoreValues, hasMoreValuesAtOnce } from '../../src/lib/count-values.ts';
import {
  ask,
  createChatCompletion,
  findGeneration,
  made,
  refused,
  startChat,
  streamChat,
  toEnd,
} from '../support/chats.ts';
import { foldedText } from '../support/fold-chat.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';

const input = ask('Hello');
/** More than a megabyte, so that the values are counted. */
const manyValues = JSON.stringify({
  choices: [{ index: 0, message: { content: 'Hi' } }],
  numbers: Array.from({ length: 600_000 }, () => 1),
});
const fewValues = JSON.stringify({
  choices: [{ index: 0, message: { content: 'Hi' } }],
  numbers: Array.from({ length: 450_000 }, () => 1000),
  text: '[{,"'.repeat(200_000),
});

describe('a reply with more than 500,000 values', () => {
  test('leaves the outcome of its create unknown, and the record stays', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const creating = createChatCompletion(app, { input, idempotencyKey: 'k' });
    (await gateway.exchange(0)).reply(200, manyValues);
    const failure = refused(await creating);
    expect(failure).toMatchObject({ code: 'OUTCOME_UNKNOWN', retry: 'MAY_CHARGE_AGAIN' });
    expect(failure.message).toContain('more than 500000 values');
    expect(await findGeneration(app, failure.generation?.id ?? '')).toMatchObject({
      status: 'UNKNOWN',
      error: { code: 'OUTCOME_UNKNOWN' },
    });
    expect(refused(await createChatCompletion(app, { input, idempotencyKey: 'k' })).code).toBe(
      'OUTCOME_UNKNOWN',
    );
    expect(gateway.requests).toHaveLength(1);
  });

  test('leaves the outcome of a started chat unknown', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const starting = startChat(app, { input });
    (await gateway.exchange(0)).reply(200, manyValues);
    expect(refused(await starting)).toMatchObject({ code: 'OUTCOME_UNKNOWN', retry: 'MAY_CHARGE_AGAIN' });
  });

  test('may be an event of a stream, which fails the chat and keeps its text', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const watching = toEnd(streamChat(app.wsClient(), { input }));
    const exchange = await gateway.exchange(0);
    exchange.send(...words('Hel', 'lo'), manyValues);
    const events = await watching;
    expect(foldedText(events)).toBe('Hello');
    expect(events.at(-1)).toMatchObject({
      __typename: 'ChatFailed',
      error: { code: 'GATEWAY_ERROR', retry: 'MAY_CHARGE_AGAIN' },
      generation: { status: 'FAILED' },
    });
    await exchange.closed;
  });
});

test('a large reply with fewer values succeeds', async () => {
  await using scripted = await startScripted();
  const { app, gateway } = scripted;
  const creating = createChatCompletion(app, { input });
  (await gateway.exchange(0)).reply(200, fewValues);
  expect(made(await creating).status).toBe('SUCCEEDED');
});

test('values are counted outside of strings, in one step and in pieces', async () => {
  const documents: readonly [string, number][] = [
    ['1', 1],
    ['[]', 2],
    ['[1,2,3]', 4],
    ['{"a,[{":"\\\\\\",[","b":[{}]}', 5],
    [`"${'[,'.repeat(600_000)}"`, 1],
    [`["${'\\"'.repeat(600_000)}",1]`, 3],
    [`[${'1,'.repeat(600_000)}1]`, 600_002],
    ['"', 1],
  ];
  for (const [document, counted] of documents) {
    // Short documents are not counted: the limit is never below their length.
    const padded = document.padEnd(700_000, ' ');
    expect(hasMoreValuesAtOnce(padded, counted)).toBe(false);
    expect(await hasMoreValues(padded, counted)).toBe(false);
    expect(hasMoreValuesAtOnce(padded, counted - 1)).toBe(true);
    expect(await hasMoreValues(padded, counted - 1)).toBe(true);
  }
});

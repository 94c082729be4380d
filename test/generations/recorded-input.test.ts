import { createHash } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { GenerationDocument } from '../../src/client/documents.generated.ts';
import { newGeneration } from '../../src/generations/new-generation.ts';
import { limitInput, limitPrompt } from '../../src/generations/recorded-input.ts';
import { largeWork } from '../../src/lib/fairness/large-work.ts';
import { stringifyJson } from '../../src/lib/json.ts';
import { ask, createChatCompletion, made } from '../support/chats.ts';
import { startScripted } from '../support/scripted-gateway.ts';

const describeText = (text: string): string =>
  `text: ${Buffer.byteLength(text)} bytes, sha256 ${createHash('sha256').update(text).digest('hex')}`;
const maxBytes = 4000;
const long = 'é '.repeat(2000);
const middle = 'word '.repeat(400);

const limitOf = (bytes: number) => ({ maxBytes: bytes, sizes: new Map() });

describe('a recorded request', async () => {
  test('within the limit is kept', async () => {
    const input = { text: 'a'.repeat(maxBytes - '{"text":""}'.length) };
    expect(await limitInput(input, limitOf(maxBytes))).toBe(input);
    expect(await limitInput({ text: `${input.text}a` }, limitOf(maxBytes))).toEqual({
      text: describeText(`${input.text}a`),
    });
  });

  test('beyond the limit loses its longest texts, and no more than needed', async () => {
    const input = { model: 'm', messages: [{ content: [{ text: long }, { text: middle }] }], n: 1 };
    expect(await limitInput(input, limitOf(maxBytes))).toEqual({
      model: 'm',
      messages: [{ content: [{ text: describeText(long) }, { text: middle }] }],
      n: 1,
    });
    const both = await limitInput({ a: long, b: middle, c: middle }, limitOf(1000));
    expect(both).toEqual({ a: describeText(long), b: describeText(middle), c: describeText(middle) });
  });

  test('of many short members is replaced as a whole', async () => {
    const input = { extra: Array.from({ length: 5000 }, (_, index) => ({ [`member${index}`]: index })) };
    const limited = await limitInput(input, limitOf(maxBytes));
    expect(limited).toEqual({ request: expect.stringMatching(/^json: \d+ bytes, sha256 [\da-f]{64}$/) });
    expect(await limitInput({ ['k'.repeat(5000)]: long }, limitOf(maxBytes))).toEqual({
      request: expect.any(String),
    });
  });

  test.each([1024, 2000, 20_000])('never exceeds %i bytes', async (limit) => {
    for (let texts = 0; texts < 40; texts += 1) {
      const input = Object.fromEntries(
        Array.from({ length: texts }, (_, index) => [`t${index}`, `"${'x\n'.repeat(index * 20)}"`]),
      );
      expect(Buffer.byteLength(stringifyJson(await limitInput(input, limitOf(limit))))).toBeLessThanOrEqual(
        limit,
      );
    }
  });

  test('that fits is kept with its prompt, although both have the same text', async () => {
    const limit = limitOf(maxBytes);
    const text = 'a'.repeat(maxBytes * 0.6);
    const input = { model: 'm', messages: [{ content: text }] };
    expect(await limitInput(input, limit)).toBe(input);
    expect(await limitPrompt(text, limit)).toBe(text);
  });

  test('is measured in pieces: each of its texts once', async () => {
    const nextPiece = vi.spyOn(largeWork, 'nextPiece');
    onTestFinished(() => nextPiece.mockRestore());
    const [one, other] = ['a'.repeat(1000), 'b'.repeat(1000)];
    const input = { texts: [one, other, one] };
    expect(await limitInput(input, limitOf(maxBytes))).toBe(input);
    // One before the texts are found.
    expect(nextPiece).toHaveBeenCalledTimes(1 + 2);
  });

  test('has a prompt with the same limit', async () => {
    expect(await limitPrompt(undefined, limitOf(maxBytes))).toBeUndefined();
    expect(await limitPrompt(middle, limitOf(maxBytes))).toBe(middle);
    expect(await limitPrompt(long, limitOf(maxBytes))).toBe(describeText(long));
  });
});

test.each([
  ['a small request is recorded in the turn of the event loop in which it came', 10_000, false],
  ['a large request is recorded in a later turn of the event loop', 1_100_000, true],
])('%s', async (_title, chars, isLater) => {
  let isNextTurn = false;
  setImmediate(() => (isNextTurn = true));
  const { input } = await newGeneration({
    kind: 'CHAT',
    status: 'QUEUED',
    model: 'm',
    prompt: undefined,
    caller: { owner: 'ann', credential: '', userId: undefined, forwarded: {} },
    collection: undefined,
    body: { text: 'word '.repeat(chars / 5) },
    maxInputBytes: 10 * chars,
    now: 0,
  });
  expect(isNextTurn).toBe(isLater);
  expect(input).toEqual({ text: 'word '.repeat(chars / 5) });
});

test('the gateway receives a long text, and the record has its size and hash', async () => {
  const env = { MAX_RECORDED_INPUT_BYTES: String(maxBytes) };
  await using scripted = await startScripted({ env });
  const { app, gateway } = scripted;
  const variables = { input: ask(long), idempotencyKey: 'k' };
  const creating = createChatCompletion(app, variables);
  const exchange = await gateway.exchange(0);
  expect(exchange.text).toContain(long);
  exchange.reply(200, { choices: [{ message: { content: 'a' } }] });
  const { id } = made(await creating);
  const { data } = await app.run(GenerationDocument, { by: { id } });
  expect(data?.generation).toMatchObject({ prompt: describeText(long) });
  // The whole input identifies a duplicate.
  expect(made(await createChatCompletion(app, variables)).id).toBe(id);
  const query = 'query ($id: ID!) { generation(by: { id: $id }) { input } }';
  expect(await app.run(query, { id })).toMatchObject({
    data: { generation: { input: { messages: [{ role: 'user', content: describeText(long) }] } } },
  });
  expect(gateway.requests).toHaveLength(1);
});

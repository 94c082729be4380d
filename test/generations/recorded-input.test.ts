import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { GenerationDocument } from '../../src/client/documents.generated.ts';
import { limitInput, limitPrompt } from '../../src/generations/recorded-input.ts';
import { stringifyJson } from '../../src/lib/json.ts';
import { ask, createChatCompletion, made } from '../support/chats.ts';
import { startScripted } from '../support/scripted-gateway.ts';

const describeText = (text: string): string =>
  `text: ${Buffer.byteLength(text)} bytes, sha256 ${createHash('sha256').update(text).digest('hex')}`;
const maxBytes = 4000;
const long = 'é '.repeat(2000);
const middle = 'word '.repeat(400);

describe('a recorded request', () => {
  test('within the limit is kept', () => {
    const input = { text: 'a'.repeat(maxBytes - '{"text":""}'.length) };
    expect(limitInput(input, maxBytes)).toBe(input);
    expect(limitInput({ text: `${input.text}a` }, maxBytes)).toEqual({
      text: describeText(`${input.text}a`),
    });
  });

  test('beyond the limit loses its longest texts, and no more than needed', () => {
    const input = { model: 'm', messages: [{ content: [{ text: long }, { text: middle }] }], n: 1 };
    expect(limitInput(input, maxBytes)).toEqual({
      model: 'm',
      messages: [{ content: [{ text: describeText(long) }, { text: middle }] }],
      n: 1,
    });
    const both = limitInput({ a: long, b: middle, c: middle }, 1000);
    expect(both).toEqual({ a: describeText(long), b: describeText(middle), c: describeText(middle) });
  });

  test('of many short members is replaced as a whole', () => {
    const input = { extra: Array.from({ length: 5000 }, (_, index) => ({ [`member${index}`]: index })) };
    const limited = limitInput(input, maxBytes);
    expect(limited).toEqual({ request: expect.stringMatching(/^json: \d+ bytes, sha256 [\da-f]{64}$/) });
    expect(limitInput({ ['k'.repeat(5000)]: long }, maxBytes)).toEqual({ request: expect.any(String) });
  });

  test.each([1024, 2000, 20_000])('never exceeds %i bytes', (limit) => {
    for (let texts = 0; texts < 40; texts += 1) {
      const input = Object.fromEntries(
        Array.from({ length: texts }, (_, index) => [`t${index}`, `"${'x\n'.repeat(index * 20)}"`]),
      );
      expect(Buffer.byteLength(stringifyJson(limitInput(input, limit)))).toBeLessThanOrEqual(limit);
    }
  });

  test('has a prompt with the same limit', () => {
    expect(limitPrompt(undefined, maxBytes)).toBeUndefined();
    expect(limitPrompt(middle, maxBytes)).toBe(middle);
    expect(limitPrompt(long, maxBytes)).toBe(describeText(long));
  });
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

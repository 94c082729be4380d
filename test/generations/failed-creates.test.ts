import { describe, expect, test } from 'vitest';
import { startAnswering } from '../support/answering-gateway.ts';

interface Member {
  readonly __typename: string;
  readonly id: string;
}

const messages = '[{ role: USER, content: { text: "Hello" } }]';

/** A create of each way to run one, and an accepted reply that reports a failure. */
const creates: readonly (readonly [string, string, unknown, string])[] = [
  [
    'a chat',
    `createChatCompletion(input: { model: "m", messages: ${messages} }, idempotencyKey: "k")`,
    { id: 'c1', choices: [] },
    'The gateway replied without a choice.',
  ],
  [
    'an image',
    'createImage(input: { byCount: { prompt: "a" } }, idempotencyKey: "k")',
    { created: 1, data: [{ error: { message: 'Not this picture.' } }] },
    'Not this picture.',
  ],
  [
    'a task',
    'queueImage(input: { prompt: "a" }, idempotencyKey: "k")',
    { request_id: 'r1', status: 'FAILED', error: 'Out of pictures.' },
    'Out of pictures.',
  ],
];

describe.each(creates)(
  '%s that the gateway accepts and reports as failed',
  (_name, field, answer, message) => {
    test('is a generation with the failure, which may be charged, and keeps its key', async () => {
      await using answering = await startAnswering(answer);
      const { app, requests } = answering;
      const selection =
        '__typename id status isTerminal error { code message retry } task { error { message retry } }';
      const create = `mutation { result: ${field} { __typename ... on Generation { ${selection} } } }`;
      const run = async () => (await app.run<{ readonly result: Member }, object>(create)).data?.result;
      const first = await run();
      expect(first).toMatchObject({
        __typename: 'Generation',
        status: 'FAILED',
        isTerminal: true,
        error: { code: 'GATEWAY_ERROR', message, retry: 'MAY_CHARGE_AGAIN' },
        task: _name === 'a task' ? { error: { message, retry: 'MAY_CHARGE_AGAIN' } } : null,
      });
      expect(await run()).toEqual(first);
      expect(requests).toHaveLength(1);
    });
  },
);

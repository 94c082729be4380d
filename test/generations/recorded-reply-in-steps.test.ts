import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { toRecordedReply } from '../../src/generations/recorded-reply.ts';
import { toRecordedReplyInSteps } from '../../src/generations/recorded-reply-in-steps.ts';
import { type Json, stringifyJson } from '../../src/lib/json.ts';
import { longestPieceMs } from '../support/longest-piece.ts';

const prose = (chars: number): string => 'prose "é" 🙂 '.repeat(chars / 13);
const base64 = (bytes: number): string => randomBytes(bytes).toString('base64');
const succeeded = { status: 'SUCCEEDED', output: { type: 'x' } } as const;

const replies: readonly (readonly [string, Json])[] = [
  ['prose', { id: 'c', choices: [{ message: { content: prose(1_600_000) } }, { index: 1 }] }],
  ['base64', { data: [{ b64_json: base64(1_500_001) }, { b64_json: base64(800_000) }] }],
  ['base64 in the alphabet for URLs', { data: randomBytes(1_200_000).toString('base64url') }],
  ['a data URI', { url: `data:image/png;base64,${base64(1_200_000)}` }],
  ['a data URI of text', { url: `data:text/plain,${prose(1_200_000)}` }],
  ['a data URI with line breaks', { url: `data:image/png;base64,${base64(1_500_000)}\n${base64(10)}` }],
  ['nearly base64', { data: `${'A'.repeat(2_000_000)} ` }],
  ['padding in the middle', { data: `${'A'.repeat(999_999)}=${'A'.repeat(999_999)}` }],
  ['many texts', Array.from({ length: 1500 }, (_, index) => prose(600 + index))],
  [
    'many members',
    Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`name ${index}`, index])),
  ],
  ['a text alone', prose(1_200_000)],
  ['wide integers', { seed: 2n ** 63n, text: prose(1_500_000) }],
];

describe('the record of a large reply', () => {
  test.each(replies)('is the same in steps: %s', async (_what, reply) => {
    // Only replies of ends with an output are limited.
    for (const [decoded, maxBytes] of [
      [succeeded, 2000],
      [succeeded, 500_000],
      [succeeded, 4_194_304],
      [{ status: 'FAILED' }, 2000],
    ] as const) {
      const inSteps = await toRecordedReplyInSteps(reply, decoded, maxBytes);
      expect(stringifyJson(inSteps) === stringifyJson(toRecordedReply(reply, decoded, maxBytes))).toBe(true);
    }
  });

  test.each([
    ['prose', { text: prose(30_000_000) }],
    ['base64', { data: base64(22_500_000) }],
    ['texts', { texts: Array.from({ length: 100 }, () => prose(300_000)) }],
  ] as const)('takes no long step: 30 MB of %s', async (_what, reply) => {
    const record = (): Promise<Json> => toRecordedReplyInSteps(reply, succeeded, 4_194_304);
    expect(await longestPieceMs(record, 30)).toBeLessThan(30);
  });
});

test('a small reply is recorded in the turn of the event loop in which it came', async () => {
  let isNextTurn = false;
  setImmediate(() => (isNextTurn = true));
  const reply = { text: prose(13_000), data: base64(10_000) };
  const recorded = await toRecordedReplyInSteps(reply, succeeded, 500_000);
  expect(isNextTurn).toBe(false);
  expect(recorded).toEqual(toRecordedReply(reply, succeeded, 500_000));
});

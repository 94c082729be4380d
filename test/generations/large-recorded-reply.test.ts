import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { toRecordedReply } from '../../src/generations/recorded-reply.ts';
import { withoutMedia } from '../../src/generations/without-media.ts';
import { isRecord, type Json, stringifyJson } from '../../src/lib/json.ts';
import { mapMembers } from '../../src/lib/members.ts';
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

const describeText = (head: string, text: string): string =>
  `${head}: ${Buffer.byteLength(text)} bytes, sha256 ${createHash('sha256').update(text).digest('hex')}`;

function withoutTexts(value: Json): Json {
  if (typeof value === 'string') return Buffer.byteLength(value) < 512 ? value : describeText('text', value);
  if (Array.isArray(value)) return value.map((item: Json) => withoutTexts(item));
  return isRecord(value) ? mapMembers(value, withoutTexts) : value;
}

/** What is recorded of a reply with an output. */
function expectedText(reply: Json, maxBytes: number): string {
  const raw = withoutMedia(reply);
  const texts = [raw, withoutTexts(raw)].map(stringifyJson);
  const whole = describeText('json', texts[0] ?? '');
  return texts.find((text) => Buffer.byteLength(text) <= maxBytes) ?? stringifyJson(whole);
}

describe('the record of a large reply', () => {
  test.each(replies)('has the size and hash of what is too long: %s', async (_what, reply) => {
    for (const maxBytes of [2000, 500_000, 4_194_304]) {
      const recorded = await toRecordedReply(reply, succeeded, maxBytes);
      expect(stringifyJson(recorded) === expectedText(reply, maxBytes)).toBe(true);
    }
    // Only replies of ends with an output are limited.
    const recorded = await toRecordedReply(reply, { status: 'FAILED' }, 2000);
    expect(stringifyJson(recorded) === stringifyJson(withoutMedia(reply))).toBe(true);
  });

  test.each([
    ['prose', { text: prose(30_000_000) }],
    ['base64', { data: base64(22_500_000) }],
    ['texts', { texts: Array.from({ length: 100 }, () => prose(300_000)) }],
  ] as const)('takes no long step: 30 MB of %s', async (_what, reply) => {
    const record = (): Promise<Json> => toRecordedReply(reply, succeeded, 4_194_304);
    expect(await longestPieceMs(record, 30)).toBeLessThan(30);
  });
});

test('a small reply is recorded in the turn of the event loop in which it came', async () => {
  let isNextTurn = false;
  setImmediate(() => (isNextTurn = true));
  const reply = { text: prose(13_000), data: base64(10_000) };
  const recorded = await toRecordedReply(reply, succeeded, 500_000);
  expect(isNextTurn).toBe(false);
  expect(recorded).toEqual(withoutMedia(reply));
});

import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { readConversation } from '../../../src/sandbox/chat/text/conversation.ts';
import { writeReply } from '../../../src/sandbox/chat/text/write-reply.ts';
import { findGroupSize } from '../../../src/sandbox/images/group-size.ts';
import { composeScene, drawScene } from '../../../src/sandbox/media/scene.ts';
import { findUrls } from '../../../src/sandbox/native-content/url-context.ts';
import { createDice } from '../../../src/sandbox/random.ts';

/** Stops work that would block the thread for hours. It takes milliseconds. */
function within(work: () => unknown): unknown {
  return runInNewContext('work()', { work }, { timeout: 20_000 });
}

const space = ' '.repeat(19_900);

test.each([
  ['capital', `the capital of${space}!`],
  ['capital with letters', `the capital of ${'a '.repeat(9900)}!`],
  ['translation', `translate${space}!`],
  ['exact reply', `say exactly${space}`],
  ['exact reply with an end', `say exactly: a${space}b`],
  ['calculation', `111111111111111 + 111111111111111${space}!`],
])('a prompt with much space is answered at once: %s', (_name, content) => {
  const conversation = readConversation([{ role: 'user', content }]);
  expect(within(() => writeReply(conversation, createDice('1')))).toEqual(expect.any(String));
});

test.each([
  ['capital', 'capital of ', '.'],
  ['translation', 'say ', ''],
  ['earlier question', 'what did i ', ''],
  ['choice', 'use ', ''],
  ['preference', 'or ', ''],
])('the time to answer grows with the length of a prompt, not faster: %s', (_name, words, end) => {
  const conversation = readConversation([{ role: 'user', content: 'bananas' }]);
  // 30 times longer than what is read of a message, and 900 times the time if that were its square.
  const prompt = words.repeat(600_000 / words.length) + end;
  expect(within(() => writeReply({ ...conversation, prompt }, createDice('1')))).toEqual(expect.any(String));
});

test('a prompt of repeated numbers is counted at once', () => {
  expect(within(() => findGroupSize('one-'.repeat(250_000)))).toBe(1);
});

test('an address with a long run of dots is read at once', () => {
  const dots = '.'.repeat(1_000_000);
  expect(
    within(() => findUrls(`see https://example.com/a${dots}b and https://example.com/c${dots}`)),
  ).toEqual([`https://example.com/a${dots}b`, 'https://example.com/c']);
});

test('of very many addresses only the first are read', () => {
  const text = Array.from({ length: 200_000 }, (_, index) => `http://a.b/${index}`).join(' ');
  const read = (): readonly string[][] => Array.from({ length: 150 }, () => [...findUrls(text)]);
  expect(within(read)).toMatchObject({
    149: Array.from({ length: 20 }, (_, index) => `http://a.b/${index}`),
  });
});

test('the frames of a film with a long prompt are drawn at once', () => {
  const caption = 'a word '.repeat(1_500_000);
  const scene = composeScene('a', '1');
  const draw = (): void => {
    for (let frame = 0; frame < 240; frame += 1) drawScene(scene, { width: 320, height: 180, caption });
  };
  expect(() => within(draw)).not.toThrow();
});

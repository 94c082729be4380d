import { expect } from 'vitest';
import type { Section } from '../contract.ts';
import { endingOf, isDelta, textOf } from '../../../src/contract/clients/events.ts';
import { chunk, encodeEvent, failedPicture, picture, words } from '../support/gateway-double.ts';
import { letters, parts, transports } from '../support/replies.ts';
import { startStream } from '../support/world.ts';

/** Replies as bytes, and the text that they make. */
const encodings: readonly (readonly [string, string, string])[] = [
  ['with CR LF line ends', encodeEvent(chunk({ content: 'ab' })).replaceAll('\n', '\r\n'), 'ab'],
  ['with CR line ends', encodeEvent(chunk({ content: 'ab' })).replaceAll('\n', '\r'), 'ab'],
  ['with comments', `: ping\n\n${encodeEvent(chunk({ content: 'ab' }))}: ping\n\n`, 'ab'],
  ['without a space after the colon', encodeEvent(chunk({ content: 'ab' })).replace('data: ', 'data:'), 'ab'],
  ['with event names and ids', `event: x\nid: 1\nretry: 5\n${encodeEvent(chunk({ content: 'ab' }))}`, 'ab'],
  [
    'with a value on several data lines',
    encodeEvent('{"choices":[{"index":0,\ndata: "delta":{"content":"ab"}}]}'),
    'ab',
  ],
  [
    'with escaped characters',
    encodeEvent('{"choices":[{"delta":{"content":"\\u0061\\ud83d\\ude00\\n\\"\\\\"}}]}'),
    'a😀\n"\\',
  ],
  ['with empty content', [...words('a', '', 'b')].map(encodeEvent).join(''), 'ab'],
  [
    'with null members',
    encodeEvent({ choices: [{ index: 0, delta: { role: null, content: 'ab', tool_calls: null } }] }),
    'ab',
  ],
  ['without choices in a chunk', encodeEvent({ choices: [] }) + encodeEvent(chunk({ content: 'ab' })), 'ab'],
  ['with a byte order mark', `\uFEFF${encodeEvent(chunk({ content: 'ab' }))}`, 'ab'],
  [
    'with half characters in two chunks',
    encodeEvent('{"choices":[{"delta":{"content":"a\\ud83d"}}]}') +
      encodeEvent('{"choices":[{"delta":{"content":"\\ude00b"}}]}'),
    'a😀b',
  ],
];

export const delta: Section = {
  name: 'delta',
  register(check) {
    for (const transport of transports)
      check(`of each word has one sequence number, over ${transport}`, async (world) => {
        const stream = await startStream(world);
        const watcher = stream.follow({ transport });
        await watcher.at(0);
        for (const [index, word] of letters.entries()) {
          stream.exchange.send(...words(word));
          expect(await watcher.at(index + 1)).toMatchObject({
            __typename: 'ChatDelta',
            generationId: stream.id,
            fromSequence: index + 1,
            sequence: index + 1,
            choices: [{ index: 0, content: word }],
          });
        }
      });

    for (const [index, part] of parts.entries())
      check(`number ${index + 1} of every kind of part adds up to soFar`, async (world) => {
        const stream = await startStream(world);
        if (index > 0) await stream.sendSeen(...parts.slice(0, index));
        const watcher = stream.follow();
        await watcher.at(0);
        stream.exchange.send(part);
        await watcher.untilSequence(index + 1);
        expect(isDelta(await watcher.at(1))).toBe(true);
      });

    check('of several words in one write covers them all', async (world) => {
      const stream = await startStream(world);
      const watcher = stream.follow();
      await watcher.at(0);
      stream.exchange.send(...words('a', 'b', 'c'));
      await watcher.untilSequence(3);
      expect(textOf(watcher.held)).toBe('abc');
    });

    check('of 200 KB arrives whole', async (world) => {
      const stream = await startStream(world);
      const watcher = stream.follow();
      await watcher.at(0);
      const text = 'Zoë 😀 '.repeat(20_000);
      stream.exchange.send(...words(text));
      await watcher.untilSequence(1);
      expect(textOf(watcher.held)).toBe(text);
    });

    for (const [name, reply, text] of encodings)
      check(`of a reply ${name} has the whole text`, async (world) => {
        const stream = await startStream(world);
        const watcher = stream.follow();
        await watcher.at(0);
        stream.exchange.end(`${reply}data: [DONE]\n\n`);
        expect(endingOf(await watcher.ended)).toBe('Completed');
        expect(textOf(watcher.held)).toBe(text);
      });

    for (const size of [1, 2, 3, 7, 64])
      check(`of a reply in writes of ${size} bytes has the whole text`, async (world) => {
        const stream = await startStream(world);
        const watcher = stream.follow();
        const reply = Buffer.from([...words('Zoë', ' 😀', ' ünï'), '[DONE]'].map(encodeEvent).join(''));
        for (let start = 0; start < reply.length; start += size)
          await stream.exchange.write(reply.subarray(start, start + size));
        stream.exchange.end();
        expect(endingOf(await watcher.ended)).toBe('Completed');
        expect(textOf(watcher.held)).toBe('Zoë 😀 ünï');
      });

    check('of each image has its index, also out of order and failed', async (world) => {
      const stream = await startStream(world, { kind: 'images' });
      const watcher = stream.follow();
      await watcher.at(0);
      for (const [index, part] of [picture(2), failedPicture(1), picture(0)].entries()) {
        stream.exchange.send(part);
        expect(await watcher.at(index + 1)).toMatchObject({
          __typename: 'ImageDelta',
          fromSequence: index + 1,
        });
      }
      expect(watcher.held).toMatchObject({ images: [{ index: 0 }, { index: 2 }], failures: [{ index: 1 }] });
    });
  },
};

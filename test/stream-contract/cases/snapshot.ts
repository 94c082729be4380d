import { expect } from 'vitest';
import type { Section } from '../contract.ts';
import { isSnapshot, textOf } from '../../../src/contract/clients/events.ts';
import { picture, words } from '../support/gateway-double.ts';
import { letters, parts, transports } from '../support/replies.ts';
import { kinds, recordedText, startStream } from '../support/world.ts';

export const snapshot: Section = {
  name: 'snapshot',
  register(check) {
    for (const transport of transports)
      for (const count of [0, 1, 2, 20])
        check(`after ${count} deltas is whole, over ${transport}`, async (world) => {
          const stream = await startStream(world);
          if (count > 0) await stream.sendSeen(...words(...letters.slice(0, count)));
          const watcher = stream.follow({ transport });
          const first = await watcher.at(0);
          expect(first).toMatchObject({
            __typename: 'ChatSnapshot',
            generationId: stream.id,
            sequence: count,
          });
          expect(textOf(watcher.held)).toBe(letters.slice(0, count).join(''));
        });

    for (const joinedAfter of [0, 1, 3, 5])
      check(`is sent once to a watcher that joins after ${joinedAfter} of 5 words`, async (world) => {
        const stream = await startStream(world);
        for (const word of letters.slice(0, joinedAfter)) await stream.sendSeen(...words(word));
        const watcher = stream.follow();
        await watcher.at(0);
        for (const [index, word] of letters.slice(joinedAfter, 5).entries()) {
          stream.exchange.send(...words(word));
          await watcher.untilSequence(joinedAfter + index + 1);
        }
        stream.exchange.send('[DONE]');
        const events = await watcher.ended;
        expect(events.filter(isSnapshot)).toHaveLength(1);
        expect(textOf(watcher.held)).toBe('abcde');
        expect(events).toHaveLength(1 + (5 - joinedAfter) + 1);
      });

    for (const count of [0, 2, 4])
      check(`of ${count} images is whole`, async (world) => {
        const stream = await startStream(world, { kind: 'images' });
        if (count > 0) await stream.sendSeen(...[0, 1, 2, 3].slice(0, count).map(picture));
        const watcher = stream.follow();
        expect(await watcher.at(0)).toMatchObject({ __typename: 'ImageSnapshot', sequence: count });
        expect(watcher.held.images.map(({ index }) => index)).toEqual([0, 1, 2, 3].slice(0, count));
      });

    for (const kind of kinds)
      check(`of a query of running ${kind} has every part that a watcher has seen`, async (world) => {
        const stream = await startStream(world, { kind });
        const watcher = stream.follow();
        await watcher.at(0);
        for (let count = 1; count <= 4; count += 1) {
          stream.exchange.send(kind === 'chat' ? words(letters[count - 1] ?? '')[0] : picture(count - 1));
          await watcher.untilSequence(count);
          // At once, so that they reach several instances.
          const queries = Array.from({ length: 4 }, () =>
            stream.run('generation', { by: { id: stream.id } }),
          );
          for (const record of await Promise.all(queries)) {
            if (kind === 'chat') expect(recordedText(record)).toBe(letters.slice(0, count).join(''));
            else expect(record?.output?.images).toHaveLength(count);
          }
        }
      });

    check('of an ended chat is the whole reply, followed by the end', async (world) => {
      const stream = await startStream(world);
      stream.exchange.send(...words('a', 'b', 'c'), '[DONE]');
      await stream.follow().ended;
      const watcher = stream.follow();
      const events = await watcher.ended;
      expect(events.map(({ __typename }) => __typename)).toEqual(['ChatSnapshot', 'ChatCompleted']);
      expect(textOf(watcher.held)).toBe('abc');
    });

    check('has every choice, role, reasoning and tool call', async (world) => {
      const stream = await startStream(world);
      await stream.sendSeen(...parts);
      const watcher = stream.follow();
      await watcher.at(0);
      expect(watcher.held.choices).toMatchObject([
        { index: 0, role: 'ASSISTANT', content: 'Hi!', reasoningContent: 'so on', finishReason: null },
        { index: 1, content: 'other', toolCalls: [{ index: 0, id: 't', name: 'f', arguments: '{"a":1}' }] },
      ]);
    });
  },
};

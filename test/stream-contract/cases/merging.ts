import { expect } from 'vitest';
import type { Section } from '../contract.ts';
import { endingOf, isDelta, textOf } from '../../../src/contract/clients/events.ts';
import { picture, words } from '../support/gateway-double.ts';
import { startStream } from '../support/world.ts';

const numbers = Array.from({ length: 60 }, (_, index) => `${index} `);
const transports = ['WebSocket', 'server-sent events'] as const;

export const merging: Section = {
  name: 'order under merging',
  register(check) {
    for (const transport of transports)
      for (const minIntervalMs of [1, 20, 200, 10_000])
        check(
          `an interval of ${minIntervalMs} ms over ${transport} loses nothing and keeps the order`,
          async (world) => {
            const stream = await startStream(world);
            const paced = stream.follow({ minIntervalMs, transport });
            const unpaced = stream.follow();
            await Promise.all([paced.at(0), unpaced.at(0)]);
            for (const [index, word] of numbers.entries()) {
              stream.exchange.send(...words(word));
              await unpaced.untilSequence(index + 1);
            }
            stream.exchange.send('[DONE]');
            const events = await paced.ended;
            expect(endingOf(events)).toBe('Completed');
            expect(textOf(paced.held)).toBe(numbers.join(''));
            // With the longest interval, the deltas before the end come as one, and neither they nor the end wait.
            if (minIntervalMs === 10_000) expect(events.filter(isDelta)).toHaveLength(1);
          },
          { timeoutMs: 9000 + (minIntervalMs < 10_000 ? 51_000 : 0) },
        );

    for (const minIntervalMs of [-1, 10_001])
      check(`an interval of ${minIntervalMs} ms is refused`, async (world) => {
        const stream = await startStream(world);
        await expect(stream.follow({ minIntervalMs }).ended).rejects.toThrow('LIMIT_EXCEEDED');
      });

    check(
      'an interval does not delay the first event',
      async (world) => {
        const stream = await startStream(world);
        await stream.sendSeen(...words('a'));
        expect(await stream.follow({ minIntervalMs: 10_000 }).at(0)).toMatchObject({ sequence: 1 });
      },
      { timeoutMs: 9000 },
    );

    check('watchers with different intervals have the same text', async (world) => {
      const stream = await startStream(world);
      const watchers = [0, 1, 10, 50, 10_000].map((minIntervalMs) => stream.follow({ minIntervalMs }));
      await Promise.all(watchers.map((watcher) => watcher.at(0)));
      for (const [index, word] of numbers.entries()) {
        stream.exchange.send(...words(word));
        await watchers[0]?.untilSequence(index + 1);
      }
      stream.exchange.send('[DONE]');
      for (const watcher of watchers) {
        expect(endingOf(await watcher.ended)).toBe('Completed');
        expect(textOf(watcher.held)).toBe(numbers.join(''));
      }
    });

    for (const minIntervalMs of [0, 50])
      check(`images in an interval of ${minIntervalMs} ms merge without loss`, async (world) => {
        const stream = await startStream(world, { kind: 'images' });
        const watcher = stream.follow({ minIntervalMs });
        await watcher.at(0);
        for (const index of [3, 1, 0, 2]) await stream.sendSeen(picture(index));
        stream.exchange.send('[DONE]');
        expect(endingOf(await watcher.ended)).toBe('Completed');
        expect(watcher.held.images.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
      });

    for (const [steps, stepLength] of [
      [100, 50],
      [30, 100_000],
    ] as const)
      check(
        `a WebSocket client that stops reading for ${steps} words of ${stepLength} characters gets them in order`,
        async (world) => {
          const stream = await startStream(world);
          const slow = stream.follow();
          const quick = stream.follow();
          await Promise.all([slow.at(0), quick.at(0)]);
          slow.setReading(false);
          const all = Array.from({ length: steps }, (_, index) => `${index} `.padEnd(stepLength, '.'));
          for (const [index, word] of all.entries()) {
            stream.exchange.send(...words(word));
            await quick.untilSequence(index + 1);
          }
          slow.setReading(true);
          stream.exchange.send('[DONE]');
          expect(endingOf(await slow.ended)).toBe('Completed');
          expect(textOf(slow.held) === all.join('')).toBe(true);
          // The buffers of the operating system hold the events of short words, but not of long ones.
          if (stepLength > 1000) expect(slow.events.length).toBeLessThan(quick.events.length);
        },
      );
  },
};

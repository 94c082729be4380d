import { expect } from 'vitest';
import type { Section } from '../contract.ts';
import { chunk, words } from '../support/gateway-double.ts';
import { letters, transports } from '../support/replies.ts';
import { startStream } from '../support/world.ts';

export const sequence: Section = {
  name: 'sequence',
  register(check) {
    for (const count of [0, 1, 2, 10, 100, 500])
      check(`of the end is ${count} after ${count} words`, async (world) => {
        const stream = await startStream(world);
        const watcher = stream.follow();
        stream.exchange.send(
          ...Array.from({ length: count }, (_, index) => chunk({ content: `${index} ` })),
          '[DONE]',
        );
        expect((await watcher.ended).at(-1)?.sequence).toBe(count);
        expect((await stream.follow().ended).at(0)?.sequence).toBe(count);
      });

    check('is the same for the same text, for every watcher and transport', async (world) => {
      const stream = await startStream(world);
      const watchers = [...transports, ...transports].map((transport) => stream.follow({ transport }));
      const texts = new Map<number, string>();
      await Promise.all(watchers.map((watcher) => watcher.at(0)));
      for (const word of letters) {
        stream.exchange.send(...words(word));
        await Promise.all(watchers.map((watcher) => watcher.untilSequence(letters.indexOf(word) + 1)));
      }
      stream.exchange.send('[DONE]');
      for (const { ended } of watchers)
        for (const event of await ended) {
          const text = event.soFar.choices?.[0]?.message.content ?? '';
          expect(texts.get(event.sequence) ?? text).toBe(text);
          texts.set(event.sequence, text);
        }
      expect(texts.size).toBe(letters.length + 1);
    });
  },
};

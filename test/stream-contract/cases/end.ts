import { expect } from 'vitest';
import type { Section } from '../contract.ts';
import { endingOf, isEnd, textOf } from '../../../src/contract/clients/events.ts';
import { picture, picturesDone, words } from '../support/gateway-double.ts';
import { kinds, recordedText, startStream } from '../support/world.ts';

export const end: Section = {
  name: 'end',
  register(check) {
    for (const kind of kinds)
      for (const ending of ['Completed', 'Canceled', 'STREAM_CUT'] as const)
        for (const watcherKind of ['early', 'late', 'later than the log'] as const)
          check(`${ending} of ${kind} comes once to a watcher that is ${watcherKind}`, async (world) => {
            const isExpired = watcherKind === 'later than the log';
            const stream = await startStream(world, {
              kind,
              ...(isExpired && { settings: { logSeconds: 0.05 } }),
            });
            const early = stream.follow();
            await early.at(0);
            stream.exchange.send(...(kind === 'chat' ? words('a', 'b') : [picture(0), picture(1)]));
            await early.untilSequence(2);
            if (ending === 'Completed')
              stream.exchange.send(...(kind === 'chat' ? [] : [picturesDone]), '[DONE]');
            else if (ending === 'Canceled') await stream.run('cancelGeneration', { by: { id: stream.id } });
            else stream.exchange.cut();
            let events = await early.ended;
            if (watcherKind === 'late') events = await stream.follow().ended;
            if (isExpired)
              await expect
                .poll(async () => (events = await stream.follow({ after: 2, held: early.held }).ended).length)
                .toBe(2);
            expect(endingOf(events)).toBe(ending);
            expect(events.filter(isEnd)).toHaveLength(1);
            expect(events.at(-1)).toMatchObject({ sequence: 2, ended: { id: stream.id } });
            expect(events.at(-1)?.soFar).toEqual(early.events.at(-1)?.soFar);
          });

    check('is recorded before a watcher gets it', async (world) => {
      const stream = await startStream(world);
      stream.exchange.send(...words('a', 'b'), '[DONE]');
      await stream.follow().ended;
      const record = await stream.run('generation', { by: { id: stream.id } });
      expect(record).toMatchObject({ status: 'SUCCEEDED', isTerminal: true, error: null });
      expect(recordedText(record)).toBe('ab');
    });

    check('is the same for 20 watchers', async (world) => {
      const stream = await startStream(world);
      const watchers = Array.from({ length: 20 }, () => stream.follow());
      await Promise.all(watchers.map((watcher) => watcher.at(0)));
      stream.exchange.send(...words('a', 'b'));
      stream.exchange.send('[DONE]');
      const ends = (await Promise.all(watchers.map(({ ended }) => ended))).map((events) => events.at(-1));
      for (const each of ends) expect(each).toEqual(ends[0]);
      expect(ends[0]?.__typename).toBe('ChatCompleted');
    });

    check('is heard by awaitGeneration', async (world) => {
      const stream = await startStream(world);
      const waiting = stream.run('awaitGeneration', { by: { id: stream.id } });
      await stream.sendSeen(...words('a'));
      stream.exchange.send('[DONE]');
      expect(await waiting).toMatchObject({ id: stream.id, status: 'SUCCEEDED' });
    });

    check('[DONE] in the write of the last word keeps the word', async (world) => {
      const stream = await startStream(world);
      const watcher = stream.follow();
      await watcher.at(0);
      stream.exchange.send(...words('a', 'b'), '[DONE]');
      await watcher.ended;
      expect(textOf(watcher.held)).toBe('ab');
    });

    check('ignores what the gateway sends after [DONE]', async (world) => {
      const stream = await startStream(world);
      const watcher = stream.follow();
      stream.exchange.send(...words('a'), '[DONE]', ...words('b'), { error: { message: 'late' } });
      expect(endingOf(await watcher.ended)).toBe('Completed');
      expect(textOf(watcher.held)).toBe('a');
    });
  },
};

import { expect } from 'vitest';
import type { Section } from '../contract.ts';
import { type Held, nothing, textOf } from '../../../src/contract/clients/events.ts';
import { picture, picturesDone, words } from '../support/gateway-double.ts';
import { type Kind, kinds, type RunningStream, startStream, type World } from '../support/world.ts';

const count = 5;
const values = [-(2 ** 31), -1, 0, 1, 3, 4, 5, 6, 100, 2 ** 31 - 1] as const;

/** What a client that holds this many of the five parts has. */
function heldAt(kind: Kind, sequence: number): Held {
  if (kind === 'images')
    return { ...nothing, sequence, images: [0, 1, 2, 3, 4].slice(0, sequence).map((index) => ({ index })) };
  const content = 'abcde'.slice(0, sequence);
  const choice = {
    index: 0,
    finishReason: null,
    role: null,
    content,
    reasoningContent: null,
    toolCalls: null,
  };
  return { ...nothing, sequence, choices: sequence > 0 ? [choice] : [] };
}

async function startWithFive(world: World, kind: Kind, logSeconds?: number): Promise<RunningStream> {
  const stream = await startStream(world, {
    kind,
    ...(logSeconds !== undefined && { settings: { logSeconds } }),
  });
  await stream.sendSeen(...(kind === 'chat' ? words('a', 'b', 'c', 'd', 'e') : [0, 1, 2, 3, 4].map(picture)));
  return stream;
}

async function endIt({ exchange, follow }: RunningStream): Promise<void> {
  exchange.send(picturesDone, '[DONE]');
  await follow().ended;
}

const isInLog = (after: number): boolean => after >= 0 && after <= count;

export const after: Section = {
  name: 'after',
  register(check) {
    for (const kind of kinds)
      for (const value of values) {
        const first = !isInLog(value) ? 'a snapshot' : value === count ? 'the next part' : 'a delta';
        check(`${value} in running ${kind} with 5 parts starts with ${first}`, async (world) => {
          const stream = await startWithFive(world, kind);
          const watcher = stream.follow({
            after: value,
            ...(isInLog(value) && { held: heldAt(kind, value) }),
          });
          if (value === count) {
            // A round trip after the subscription: nothing was sent for it.
            await stream.follow().at(0);
            expect(watcher.events).toEqual([]);
            stream.exchange.send(...(kind === 'chat' ? words('f') : [picture(5)]));
            expect(await watcher.at(0)).toMatchObject({ fromSequence: 6, sequence: 6 });
          } else if (isInLog(value)) {
            expect(await watcher.at(0)).toMatchObject({ fromSequence: value + 1, sequence: count });
          } else {
            expect((await watcher.at(0)).__typename).toMatch(/Snapshot$/);
            expect(watcher.held.sequence).toBe(count);
          }
          if (kind === 'chat') expect(textOf(watcher.held)).toBe(value === count ? 'abcdef' : 'abcde');
        });

        const ending = !isInLog(value)
          ? 'a snapshot and the end'
          : value === count
            ? 'only the end'
            : 'a delta and the end';
        check(`${value} in ended ${kind} with 5 parts gets ${ending}`, async (world) => {
          const stream = await startWithFive(world, kind);
          await endIt(stream);
          const watcher = stream.follow({
            after: value,
            ...(isInLog(value) && { held: heldAt(kind, value) }),
          });
          const noun = kind === 'chat' ? 'Chat' : 'Image';
          const before = !isInLog(value) ? [`${noun}Snapshot`] : value === count ? [] : [`${noun}Delta`];
          expect((await watcher.ended).map(({ __typename }) => __typename)).toEqual([
            ...before,
            `${noun}Completed`,
          ]);
          expect(watcher.held.sequence).toBe(count);
        });
      }

    for (const value of [-1, 0, 3, 5, 6])
      check(`${value} after the log has expired gets a snapshot and the end`, async (world) => {
        const stream = await startWithFive(world, 'chat', 0.05);
        await endIt(stream);
        const options = { after: count, held: heldAt('chat', count) };
        await expect.poll(async () => (await stream.follow(options).ended).length).toBe(2);
        const watcher = stream.follow({
          after: value,
          ...(isInLog(value) && { held: heldAt('chat', value) }),
        });
        const names = (await watcher.ended).map(({ __typename }) => __typename);
        expect(names).toEqual(['ChatSnapshot', 'ChatCompleted']);
        expect(textOf(watcher.held)).toBe('abcde');
      });

    check('null starts with a snapshot', async (world) => {
      const stream = await startWithFive(world, 'chat');
      expect(await stream.follow({ after: null }).at(0)).toMatchObject({
        __typename: 'ChatSnapshot',
        sequence: 5,
      });
    });

    check('1.5 is refused before anything is followed', async (world) => {
      const stream = await startWithFive(world, 'chat');
      await expect(stream.follow({ after: 1.5 }).ended).rejects.toThrow('Int cannot represent');
    });
  },
};

import { expect } from 'vitest';
import type { Section } from '../contract.ts';
import { watch } from '../support/client.ts';
import type { Cut, Piece } from '../../../src/contract/clients/cutting-proxy.ts';
import { startCuttingProxy } from '../support/cutting-proxy.ts';
import { endingOf, isSnapshot, textOf } from '../../../src/contract/clients/events.ts';
import { picture, picturesDone, words } from '../support/gateway-double.ts';
import type { SubscriptionField } from '../../../src/contract/clients/operations.ts';
import { alice, inputOf, startStream, type World } from '../support/world.ts';

/** Where a piece is cut: the bytes that the client still receives. */
const places = {
  before: () => 0,
  'in the header of': () => 1,
  'in the middle of': ({ length }: Piece) => Math.floor(length / 2),
  'before the last byte of': ({ length }: Piece) => length - 1,
  'right after': ({ length }: Piece) => length,
} as const;

/** The classes of messages that a client receives during one stream. */
const messages: Readonly<Record<string, (piece: Piece) => boolean>> = {
  'the reply to the upgrade': ({ kind }) => kind === 'upgrade',
  'the acknowledgement': ({ text }) => text.includes('connection_ack'),
  'the snapshot': ({ text }) => /"__typename":"(Chat|Image)Snapshot"/.test(text),
  'a delta': ({ text }) => /"__typename":"(Chat|Image)Delta"/.test(text),
  'the end': ({ text }) => /"__typename":"(Chat|Image)Completed"/.test(text),
};

const fields = ['streamChat', 'chatEvents', 'streamImages', 'imageEvents'] as const;

interface Healed {
  readonly world: World;
  readonly field: SubscriptionField;
  readonly cut: Cut;
}

/** Watches one stream of five parts through a proxy that cuts. */
async function heal({ world, field, cut }: Healed) {
  const endpoint = await world.endpoint();
  const proxy = await startCuttingProxy(endpoint, cut);
  const kind = field === 'streamChat' || field === 'chatEvents' ? 'chat' : 'images';
  const isCreate = field === 'streamChat' || field === 'streamImages';
  const running = isCreate ? undefined : await startStream(world, { kind });
  const tag = running?.tag ?? world.nextTag();
  const variables = running ? { id: running.id } : { input: inputOf(kind, tag) };
  const watcher = watch(proxy, field, { variables, headers: alice, isHealing: true });
  const exchange = running?.exchange ?? (await world.gateway.exchange(tag));
  exchange.accept();
  await watcher.at(0);
  for (let index = 0; index < 5; index += 1) {
    exchange.send(...(kind === 'chat' ? words('abcde'[index] ?? '') : [picture(index)]));
    await watcher.untilSequence(index + 1);
  }
  exchange.send(...(kind === 'chat' ? [] : [picturesDone]), '[DONE]');
  const events = await watcher.ended;
  expect(endingOf(events)).toBe('Completed');
  expect(new Set(events.map(({ generationId }) => generationId)).size).toBe(1);
  expect(watcher.held.sequence).toBe(5);
  if (kind === 'chat') expect(textOf(watcher.held)).toBe('abcde');
  else expect(watcher.held.images.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
  expect(world.gateway.count(tag)).toBe(1);
  return { proxy, events };
}

export const healing: Section = {
  name: 'healing',
  register(check) {
    for (const field of fields)
      for (const [message, isMessage] of Object.entries(messages))
        for (const [place, keep] of Object.entries(places)) {
          // Every class of bytes once for chats, and its first byte for images.
          if (field.endsWith('Images') || field === 'imageEvents' ? place !== 'before' : false) continue;
          check(`${field} survives a cut ${place} ${message}`, async (world) => {
            let isCut = false;
            const { proxy } = await heal({
              world,
              field,
              cut(piece) {
                if (isCut || !isMessage(piece)) return undefined;
                isCut = true;
                return keep(piece);
              },
            });
            expect(proxy.cuts).toBe(1);
          });
        }

    for (const field of ['streamChat', 'chatEvents'] as const) {
      check(`${field} survives a cut after every event`, async (world) => {
        const { proxy, events } = await heal({
          world,
          field,
          cut: ({ text, length, connection }) =>
            connection < 6 && text.includes('"type":"next"') ? length : undefined,
        });
        expect(proxy.cuts).toBeGreaterThanOrEqual(5);
        expect(events.filter(isSnapshot).length).toBeGreaterThan(1);
      });

      check(`${field} survives ten failed handshakes in a row`, async (world) => {
        const { proxy } = await heal({
          world,
          field,
          cut: ({ kind, connection }) =>
            (connection > 0 && connection <= 10 && kind === 'upgrade') ||
            (connection === 0 && kind === 'frame')
              ? 1
              : undefined,
        });
        expect(proxy.cuts).toBe(11);
      });
    }

    check('a client without a connection gets what was sent meanwhile', async (world) => {
      const stream = await startStream(world);
      const proxy = await startCuttingProxy(stream.endpoint);
      const watcher = watch(proxy, 'chatEvents', {
        variables: { id: stream.id },
        headers: alice,
        isHealing: true,
      });
      await watcher.at(0);
      proxy.cutAll();
      await stream.sendSeen(...words('a', 'b'));
      await watcher.untilSequence(2);
      proxy.cutAll();
      stream.exchange.send(...words('c'), '[DONE]');
      expect(endingOf(await watcher.ended)).toBe('Completed');
      expect(textOf(watcher.held)).toBe('abc');
    });

    check('a new subscription with `after` continues without a snapshot', async (world) => {
      const stream = await startStream(world);
      const first = stream.follow();
      await first.at(0);
      stream.exchange.send(...words('a'));
      await first.untilSequence(1);
      first.disconnect();
      await stream.sendSeen(...words('b', 'c'));
      const { held } = first;
      const second = stream.follow({ after: held.sequence, held });
      expect(await second.at(0)).toMatchObject({ __typename: 'ChatDelta', fromSequence: 2, sequence: 3 });
    });

    check('a repeated request over server-sent events with its key gets the same chat', async (world) => {
      const stream = await startStream(world);
      const variables = { input: inputOf('chat', stream.tag), idempotencyKey: stream.key };
      for (const word of 'abc') {
        const watcher = watch(stream.endpoint, 'streamChat', {
          variables,
          headers: alice,
          transport: 'server-sent events',
        });
        const { sequence } = await watcher.at(0);
        stream.exchange.send(...words(word));
        await watcher.untilSequence(sequence + 1);
        watcher.disconnect();
      }
      expect(world.gateway.count(stream.tag)).toBe(1);
      expect(textOf((await followed(stream)).held)).toBe('abc');
    });
  },
};

async function followed(stream: Awaited<ReturnType<typeof startStream>>) {
  const watcher = stream.follow();
  await watcher.at(0);
  return watcher;
}

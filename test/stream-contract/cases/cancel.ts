import { expect } from 'vitest';
import type { Section } from '../contract.ts';
import { connect, run, watch } from '../support/client.ts';
import { endingOf, isEnd, textOf } from '../../../src/contract/clients/events.ts';
import { picture, words } from '../support/gateway-double.ts';
import { operations } from '../../../src/contract/clients/operations.ts';
import {
  alice,
  bob,
  createFields,
  inputOf,
  type Kind,
  kinds,
  recordedText,
  type RunningStream,
  startStream,
} from '../support/world.ts';

const selectors: Readonly<Record<string, (stream: RunningStream) => object>> = {
  id: ({ id }) => ({ id }),
  'idempotency key': ({ key }) => ({ idempotencyKey: key }),
};

function part(kind: Kind, index: number): unknown {
  return kind === 'chat' ? words('abc'[index] ?? '')[0] : picture(index);
}

export const cancel: Section = {
  name: 'cancel',
  register(check) {
    for (const kind of kinds)
      for (const [selector, select] of Object.entries(selectors))
        for (const count of [0, 2])
          check(
            `of ${kind} by ${selector} after ${count} parts keeps them and disconnects from the gateway`,
            async (world) => {
              const stream = await startStream(world, { kind });
              const watcher = stream.follow();
              await watcher.at(0);
              if (count > 0) {
                stream.exchange.send(part(kind, 0), part(kind, 1));
                await watcher.untilSequence(2);
              }
              const result = await stream.run('cancelGeneration', { by: select(stream) });
              expect(result).toMatchObject({
                __typename: 'Generation',
                id: stream.id,
                status: 'CANCELED',
                isTerminal: true,
              });
              await stream.exchange.closed;
              const events = await watcher.ended;
              expect(endingOf(events)).toBe('Canceled');
              expect(watcher.held.sequence).toBe(count);
              expect(events.at(-1)?.sequence).toBe(count);
              const record = await stream.run('generation', { by: { id: stream.id } });
              expect(record).toMatchObject({ status: 'CANCELED', error: null });
              if (kind === 'chat') expect(recordedText(record)).toBe('ab'.slice(0, count));
            },
          );

    for (const kind of kinds)
      check(`of ${kind} that the gateway has not accepted, by its key`, async (world) => {
        const endpoint = await world.endpoint();
        const tag = world.nextTag();
        const variables = { input: inputOf(kind, tag), idempotencyKey: `key-${tag}` };
        const watcher = watch(endpoint, createFields[kind], { variables, headers: alice });
        const exchange = await world.gateway.exchange(tag);
        const by = { idempotencyKey: `key-${tag}` };
        const result = await run(endpoint, 'cancelGeneration', { variables: { by }, headers: alice });
        expect(result?.__typename).toMatch(/^(Generation|NotFoundError|NotCancelableError)$/);
        if (result?.__typename === 'Generation') {
          await exchange.closed;
          expect(endingOf(await watcher.ended)).toBe('Canceled');
        } else {
          // The create is in flight: its key has no generation yet, and nothing was changed.
          exchange.send(part(kind, 0), '[DONE]');
          expect(endingOf(await watcher.ended)).toBe('Completed');
        }
        expect(world.gateway.count(tag)).toBe(1);
      });

    for (const ending of ['Completed', 'STREAM_CUT'])
      check(`after the end ${ending} changes nothing`, async (world) => {
        const stream = await startStream(world);
        stream.exchange.send(...words('a'), ...(ending === 'Completed' ? ['[DONE]'] : []));
        if (ending !== 'Completed') {
          await stream.follow().untilSequence(1);
          stream.exchange.cut();
        }
        await stream.follow().ended;
        const before = await stream.run('generation', { by: { id: stream.id } });
        expect(before?.isTerminal).toBe(true);
        await stream.run('cancelGeneration', { by: { id: stream.id } });
        expect(await stream.run('generation', { by: { id: stream.id } })).toEqual(before);
        expect(endingOf(await stream.follow().ended)).toBe(ending);
      });

    check('twice returns the same generation', async (world) => {
      const stream = await startStream(world);
      const by = { id: stream.id };
      const first = await stream.run('cancelGeneration', { by });
      expect(first?.status).toBe('CANCELED');
      expect(await stream.run('cancelGeneration', { by })).toEqual(first);
    });

    check('five times at once has one end', async (world) => {
      const stream = await startStream(world);
      const watcher = stream.follow();
      await watcher.at(0);
      const results = await Promise.all(
        Array.from({ length: 5 }, () => stream.run('cancelGeneration', { by: { id: stream.id } })),
      );
      expect(results.map((result) => result?.status)).toEqual(Array.from({ length: 5 }, () => 'CANCELED'));
      expect((await watcher.ended).filter(isEnd)).toHaveLength(1);
    });

    check('over the WebSocket of another client of the same caller', async (world) => {
      const stream = await startStream(world);
      const watcher = stream.follow();
      await watcher.at(0);
      const { client } = connect(stream.endpoint, alice);
      const query = operations.cancelGeneration;
      for await (const { data } of client.iterate({ query, variables: { by: { id: stream.id } } }))
        expect(data).toMatchObject({ cancelGeneration: { status: 'CANCELED' } });
      expect(endingOf(await watcher.ended)).toBe('Canceled');
    });

    check('reaches every watcher, over both transports', async (world) => {
      const stream = await startStream(world);
      const watchers = (['WebSocket', 'server-sent events', 'WebSocket'] as const).map((transport) =>
        stream.follow({ transport }),
      );
      await Promise.all(watchers.map((watcher) => watcher.at(0)));
      stream.exchange.send(...words('a'));
      await Promise.all(watchers.map((watcher) => watcher.untilSequence(1)));
      await stream.run('cancelGeneration', { by: { id: stream.id } });
      for (const watcher of watchers) {
        expect(endingOf(await watcher.ended)).toBe('Canceled');
        expect(textOf(watcher.held)).toBe('a');
      }
    });

    check('of an unknown id is NOT_FOUND', async (world) => {
      const endpoint = await world.endpoint();
      for (const by of [{ id: 'generation_unknown' }, { idempotencyKey: 'never used' }])
        expect(await run(endpoint, 'cancelGeneration', { variables: { by }, headers: alice })).toMatchObject({
          code: 'NOT_FOUND',
        });
    });

    check('by another caller is NOT_FOUND and stops nothing', async (world) => {
      const stream = await startStream(world);
      for (const select of Object.values(selectors)) {
        const variables = { by: select(stream) };
        const result = await run(stream.endpoint, 'cancelGeneration', { variables, headers: bob });
        expect(result).toMatchObject({ code: 'NOT_FOUND' });
      }
      stream.exchange.send(...words('on'), '[DONE]');
      expect(endingOf(await stream.follow().ended)).toBe('Completed');
    });

    check('frees no key: the same request gets the canceled chat', async (world) => {
      const stream = await startStream(world);
      await stream.sendSeen(...words('a'));
      await stream.run('cancelGeneration', { by: { id: stream.id } });
      const variables = { input: inputOf('chat', stream.tag), idempotencyKey: stream.key };
      const again = watch(stream.endpoint, 'streamChat', { variables, headers: alice });
      expect(endingOf(await again.ended)).toBe('Canceled');
      expect(textOf(again.held)).toBe('a');
      expect(world.gateway.count(stream.tag)).toBe(1);
    });
  },
};

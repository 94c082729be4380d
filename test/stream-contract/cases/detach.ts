import { expect } from 'vitest';
import type { Section } from '../contract.ts';
import type { Watch } from '../../../src/contract/clients/watch.ts';
import { run, watch } from '../support/client.ts';
import { endingOf, textOf } from '../../../src/contract/clients/events.ts';
import { picture, words } from '../support/gateway-double.ts';
import {
  alice,
  createFields,
  inputOf,
  type Kind,
  kinds,
  recordedText,
  runningStream,
  startStream,
  type World,
} from '../support/world.ts';

/** Long enough for a create on a busy machine, whose watcher comes after the gateway has accepted it. */
const settings = { detachSeconds: 1.5 };

/** Starts a stream without a client's key, whose only watcher stays. */
async function startKeyless(world: World, kind: Kind = 'chat') {
  const endpoint = await world.endpoint(settings);
  const tag = world.nextTag();
  const watcher = watch(endpoint, createFields[kind], {
    variables: { input: inputOf(kind, tag) },
    headers: alice,
  });
  const exchange = await world.gateway.exchange(tag);
  exchange.accept();
  const id = (await watcher.at(0)).generationId ?? '';
  return { ...runningStream({ endpoint, kind, id, tag, key: '', exchange }), watcher };
}

/** Resolves when a stream that lost its watcher just now has been detached. */
async function waitForDetach(world: World): Promise<void> {
  const other = await startKeyless(world);
  await other.watcher.leave();
  await other.exchange.closed;
}

const ways: Readonly<Record<string, (watcher: Watch) => Promise<void> | void>> = {
  unsubscribed: (watcher) => watcher.leave(),
  'lost its connection': (watcher) => watcher.disconnect(),
};

export const detach: Section = {
  name: 'detach',
  register(check) {
    for (const kind of kinds)
      for (const [way, leave] of Object.entries(ways))
        check(
          `stops ${kind} without a key whose last watcher ${way}, and keeps what it has`,
          async (world) => {
            const stream = await startKeyless(world, kind);
            stream.exchange.send(kind === 'chat' ? words('kept')[0] : picture(0));
            await stream.watcher.untilSequence(1);
            await leave(stream.watcher);
            await stream.exchange.closed;
            const record = await stream.run('awaitGeneration', { by: { id: stream.id } });
            expect(record).toMatchObject({ status: 'CANCELED', error: { code: 'DETACHED' } });
            if (kind === 'chat') expect(recordedText(record)).toBe('kept');
            const late = await stream.follow().ended;
            expect(endingOf(late)).toBe('Canceled');
          },
        );

    check('stops a chat that has no text yet', async (world) => {
      const stream = await startKeyless(world);
      await stream.watcher.leave();
      await stream.exchange.closed;
      const record = await stream.run('awaitGeneration', { by: { id: stream.id } });
      expect(record).toMatchObject({ error: { code: 'DETACHED' } });
    });

    for (const kind of kinds)
      check(`does not stop ${kind} with a client's key`, async (world) => {
        const stream = await startStream(world, { kind, settings });
        await waitForDetach(world);
        stream.exchange.send(kind === 'chat' ? words('on')[0] : picture(0), '[DONE]');
        expect(endingOf(await stream.follow().ended)).toBe('Completed');
      });

    check('does not stop a chat of startChat', async (world) => {
      const endpoint = await world.endpoint(settings);
      const tag = world.nextTag();
      const starting = run(endpoint, 'startChat', {
        variables: { input: inputOf('chat', tag) },
        headers: alice,
      });
      const exchange = await world.gateway.exchange(tag);
      exchange.accept();
      const id = (await starting)?.id ?? '';
      await waitForDetach(world);
      exchange.send(...words('on'), '[DONE]');
      const watcher = watch(endpoint, 'chatEvents', { variables: { id }, headers: alice });
      expect(endingOf(await watcher.ended)).toBe('Completed');
      expect(textOf(watcher.held)).toBe('on');
    });

    for (const transport of ['WebSocket', 'server-sent events'] as const)
      check(`does not stop a chat that another watcher follows over ${transport}`, async (world) => {
        const stream = await startKeyless(world);
        const other = stream.follow({ transport });
        await other.at(0);
        await stream.watcher.leave();
        await waitForDetach(world);
        stream.exchange.send(...words('on'), '[DONE]');
        expect(endingOf(await other.ended)).toBe('Completed');
        expect(textOf(other.held)).toBe('on');
      });

    check(
      'does not stop a chat that its watcher follows again in time, but after that watcher has left',
      async (world) => {
        const stream = await startKeyless(world);
        await stream.watcher.leave();
        const back = stream.follow();
        await back.at(0);
        await waitForDetach(world);
        expect(await stream.run('generation', { by: { id: stream.id } })).toMatchObject({
          status: 'RUNNING',
        });
        await back.leave();
        await stream.exchange.closed;
        expect(await stream.run('awaitGeneration', { by: { id: stream.id } })).toMatchObject({
          status: 'CANCELED',
        });
      },
    );

    check('does not change a chat that has ended', async (world) => {
      const stream = await startKeyless(world);
      stream.exchange.send(...words('a'), '[DONE]');
      await stream.watcher.ended;
      await waitForDetach(world);
      const record = await stream.run('generation', { by: { id: stream.id } });
      expect(record).toMatchObject({ status: 'SUCCEEDED', error: null });
    });
  },
};

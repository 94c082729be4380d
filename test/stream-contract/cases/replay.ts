import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Section } from '../contract.ts';
import { connectWithId } from '../../../src/contract/clients/repeated-id.ts';
import { type Result, run, watch } from '../support/client.ts';
import { endingOf, textOf } from '../../../src/contract/clients/events.ts';
import { picture, words } from '../support/gateway-double.ts';
import { subscriptions } from '../../../src/contract/clients/operations.ts';
import {
  alice,
  createFields,
  followFields,
  inputOf,
  kinds,
  type RunningStream,
  startStream,
  type World,
} from '../support/world.ts';

const logSeconds = 0.05;

/** What has happened to a stream before its key is used again, and how a watcher sees it end. */
const states: Readonly<
  Record<string, { readonly reach: (stream: RunningStream) => Promise<unknown>; readonly ending: string }>
> = {
  running: { reach: async () => {}, ending: 'Completed' },
  completed: { reach: (stream) => complete(stream), ending: 'Completed' },
  canceled: {
    reach: (stream) => stream.run('cancelGeneration', { by: { id: stream.id } }),
    ending: 'Canceled',
  },
  failed: {
    reach(stream) {
      stream.exchange.cut();
      return stream.follow().ended;
    },
    ending: 'STREAM_CUT',
  },
  'completed and its log expired': {
    async reach(stream) {
      await complete(stream);
      // The record supplies a snapshot even to a client that holds everything.
      const { held } = await followed(stream);
      await expect.poll(async () => (await stream.follow({ after: 1, held }).ended).length).toBe(2);
    },
    ending: 'Completed',
  },
};

async function followed(stream: RunningStream) {
  const watcher = stream.follow();
  await watcher.ended;
  return watcher;
}

function complete(stream: RunningStream): Promise<unknown> {
  stream.exchange.send('[DONE]');
  return stream.follow().ended;
}

async function startOne(world: World, state: string): Promise<RunningStream> {
  const stream = await startStream(world, state.includes('expired') ? { settings: { logSeconds } } : {});
  await stream.sendSeen(...words('a'));
  await states[state]?.reach(stream);
  return stream;
}

function startChat({ endpoint, key }: RunningStream, input: object): Promise<Result | null> {
  return run(endpoint, 'startChat', { variables: { input, idempotencyKey: key }, headers: alice });
}

export const replay: Section = {
  name: 'replay',
  register(check) {
    for (const [state, { ending }] of Object.entries(states)) {
      for (const transport of ['WebSocket', 'server-sent events'] as const)
        check(
          `streamChat over ${transport} with the key of a chat that is ${state} follows it`,
          async (world) => {
            const stream = await startOne(world, state);
            const variables = { input: inputOf('chat', stream.tag), idempotencyKey: stream.key };
            const again = watch(stream.endpoint, 'streamChat', { variables, headers: alice, transport });
            expect((await again.at(0)).generationId).toBe(stream.id);
            if (state === 'running') stream.exchange.send('[DONE]');
            expect(endingOf(await again.ended)).toBe(ending);
            expect(textOf(again.held)).toBe('a');
            expect(world.gateway.count(stream.tag)).toBe(1);
          },
        );

      check(`startChat with the key of a chat that is ${state} returns it`, async (world) => {
        const stream = await startOne(world, state);
        const again = await startChat(stream, inputOf('chat', stream.tag));
        expect(again).toMatchObject({ __typename: 'Generation', id: stream.id });
        expect(world.gateway.count(stream.tag)).toBe(1);
      });

      check(`other input with the key of a chat that is ${state} is a conflict`, async (world) => {
        const stream = await startOne(world, state);
        const other = world.nextTag();
        expect(await startChat(stream, inputOf('chat', other))).toMatchObject({
          code: 'IDEMPOTENCY_CONFLICT',
        });
        const variables = { input: inputOf('chat', other), idempotencyKey: stream.key };
        const watcher = watch(stream.endpoint, 'streamChat', { variables, headers: alice });
        expect(endingOf(await watcher.ended)).toBe('IDEMPOTENCY_CONFLICT');
        expect(world.gateway.count(other)).toBe(0);
      });
    }

    check('another operation with the key is a conflict', async (world) => {
      const stream = await startOne(world, 'running');
      const variables = { input: inputOf('chat', stream.tag), idempotencyKey: stream.key };
      const result = await run(stream.endpoint, 'createChatCompletion', { variables, headers: alice });
      expect(result).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
      const images = { input: inputOf('images', stream.tag), idempotencyKey: stream.key };
      const watcher = watch(stream.endpoint, 'streamImages', { variables: images, headers: alice });
      expect(endingOf(await watcher.ended)).toBe('IDEMPOTENCY_CONFLICT');
      expect(world.gateway.count(stream.tag)).toBe(1);
    });

    check('another minIntervalMs with the key follows the same chat', async (world) => {
      const stream = await startOne(world, 'running');
      const variables = {
        input: inputOf('chat', stream.tag),
        idempotencyKey: stream.key,
        minIntervalMs: 100,
      };
      const again = watch(stream.endpoint, 'streamChat', { variables, headers: alice });
      expect((await again.at(0)).generationId).toBe(stream.id);
    });

    check('of images gets the same images, running and completed', async (world) => {
      const stream = await startStream(world, { kind: 'images' });
      const variables = { input: inputOf('images', stream.tag), idempotencyKey: stream.key };
      const during = watch(stream.endpoint, 'streamImages', { variables, headers: alice });
      await during.at(0);
      stream.exchange.send(picture(0), picture(1), '[DONE]');
      expect(endingOf(await during.ended)).toBe('Completed');
      const later = watch(stream.endpoint, 'streamImages', { variables, headers: alice });
      expect(endingOf(await later.ended)).toBe('Completed');
      expect(later.held.images).toEqual(during.held.images);
      expect(world.gateway.count(stream.tag)).toBe(1);
    });

    for (const kind of kinds) {
      check(`of a refused create of ${kind} sends a new request`, async (world) => {
        const endpoint = await world.endpoint();
        const tag = world.nextTag();
        const variables = { input: inputOf(kind, tag), idempotencyKey: `key-${tag}` };
        const refused = watch(endpoint, createFields[kind], { variables, headers: alice });
        (await world.gateway.exchange(tag)).reply(429, { error: { message: 'later' } });
        expect(endingOf(await refused.ended)).toBe('RATE_LIMITED');
        const again = watch(endpoint, createFields[kind], { variables, headers: alice });
        (await world.gateway.exchange(tag, 1)).send(kind === 'chat' ? words('a')[0] : picture(0), '[DONE]');
        expect(endingOf(await again.ended)).toBe('Completed');
      });

      check(
        `of a create of ${kind} whose reply was lost is OUTCOME_UNKNOWN and sends nothing`,
        async (world) => {
          const endpoint = await world.endpoint();
          const tag = world.nextTag();
          const variables = { input: inputOf(kind, tag), idempotencyKey: `key-${tag}` };
          const lost = watch(endpoint, createFields[kind], { variables, headers: alice });
          (await world.gateway.exchange(tag)).cut();
          expect(endingOf(await lost.ended)).toBe('OUTCOME_UNKNOWN');
          const again = watch(endpoint, createFields[kind], { variables, headers: alice });
          expect(endingOf(await again.ended)).toBe('OUTCOME_UNKNOWN');
          expect(world.gateway.count(tag)).toBe(1);
        },
      );

      check(`finds the generation of ${kind} by its key`, async (world) => {
        const stream = await startStream(world, { kind });
        const found = await stream.run('generation', { by: { idempotencyKey: stream.key } });
        expect(found).toMatchObject({ id: stream.id, status: 'RUNNING' });
        expect(
          (
            await watch(stream.endpoint, followFields[kind], {
              variables: { id: found?.id },
              headers: alice,
            }).at(0)
          ).generationId,
        ).toBe(stream.id);
      });
    }

    check('with the same operation id of a WebSocket follows the same chat without a key', async (world) => {
      const endpoint = await world.endpoint();
      const tag = world.nextTag();
      const id = randomUUID();
      const payload = { query: subscriptions.streamChat, variables: { input: inputOf('chat', tag) } };
      const opening = connectWithId({ ...endpoint, headers: alice }, { id, payload });
      (await world.gateway.exchange(tag)).accept();
      const first = await opening;
      const second = await connectWithId({ ...endpoint, headers: alice }, { id, payload });
      expect(first).toMatch(/^generation_/);
      expect(second).toBe(first);
      expect(world.gateway.count(tag)).toBe(1);
    });

    for (const length of [200, 201])
      check(`a key of ${length} characters is ${length === 200 ? 'accepted' : 'refused'}`, async (world) => {
        const endpoint = await world.endpoint();
        const tag = world.nextTag();
        const idempotencyKey = tag.padEnd(length, '.');
        const starting = run(endpoint, 'startChat', {
          variables: { input: inputOf('chat', tag), idempotencyKey },
          headers: alice,
        });
        if (length === 200) (await world.gateway.exchange(tag)).send('[DONE]');
        expect((await starting)?.__typename).toBe(length === 200 ? 'Generation' : 'InvalidInputError');
        expect(world.gateway.count(tag)).toBe(length === 200 ? 1 : 0);
      });
  },
};

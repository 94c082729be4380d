import { expect } from 'vitest';
import type { Section } from '../contract.ts';
import { type Headers, run, watch } from '../support/client.ts';
import { endingOf, textOf } from '../../../src/contract/clients/events.ts';
import { picture, words } from '../support/gateway-double.ts';
import { alice, bob, createFields, followFields, inputOf, kinds, startStream } from '../support/world.ts';

const strangers: Readonly<Record<string, Headers>> = {
  'another credential': bob,
  'the same credential for another end user': { ...alice, 'x-end-user': 'carol' },
  'the same credential as another user': { ...alice, 'new-api-user': '7' },
};

const noCredential: Headers = {};

export const ownership: Section = {
  name: 'ownership',
  register(check) {
    for (const [who, headers] of Object.entries(strangers))
      for (const kind of kinds)
        for (const isEnded of [false, true])
          check(`${who} finds nothing of ${isEnded ? 'ended' : 'running'} ${kind}`, async (world) => {
            const stream = await startStream(world, { kind });
            if (isEnded) {
              stream.exchange.send(kind === 'chat' ? words('a')[0] : picture(0), '[DONE]');
              await stream.follow().ended;
            }
            const { endpoint } = stream;
            for (const by of [{ id: stream.id }, { idempotencyKey: stream.key }])
              expect(await run(endpoint, 'generation', { variables: { by }, headers })).toBeNull();
            const list = await run(endpoint, 'generations', { headers });
            expect(list?.edges?.map(({ node }) => node.id)).not.toContain(stream.id);
            for (const after of [undefined, 0]) {
              const variables = { id: stream.id, ...(after !== undefined && { after }) };
              const watcher = watch(endpoint, followFields[kind], { variables, headers });
              await expect(watcher.ended).rejects.toThrow('NOT_FOUND');
              expect(watcher.events).toEqual([]);
            }
          });

    for (const [who, headers] of Object.entries(strangers))
      check(`${who} has its own chat under the same key`, async (world) => {
        const stream = await startStream(world);
        await stream.sendSeen(...words('secret'));
        const variables = { input: inputOf('chat', stream.tag), idempotencyKey: stream.key };
        const other = watch(stream.endpoint, 'streamChat', { variables, headers });
        const exchange = await world.gateway.exchange(stream.tag, 1);
        exchange.send(...words('own'), '[DONE]');
        expect(endingOf(await other.ended)).toBe('Completed');
        expect(textOf(other.held)).toBe('own');
        expect(other.events[0]?.generationId).not.toBe(stream.id);
        stream.exchange.send('[DONE]');
        const mine = stream.follow();
        await mine.ended;
        expect(textOf(mine.held)).toBe('secret');
      });

    check('without a credential nothing is followed, created or found', async (world) => {
      const stream = await startStream(world);
      const follow = watch(stream.endpoint, 'chatEvents', {
        variables: { id: stream.id },
        headers: noCredential,
      });
      await expect(follow.ended).rejects.toThrow('UNAUTHENTICATED');
      const tag = world.nextTag();
      const variables = { input: inputOf('chat', tag), idempotencyKey: 'k' };
      for (const kind of kinds) {
        const input = { input: inputOf(kind, tag), idempotencyKey: 'k' };
        const create = watch(stream.endpoint, createFields[kind], {
          variables: input,
          headers: noCredential,
        });
        await expect(create.ended).rejects.toThrow('UNAUTHENTICATED');
      }
      for (const [field, values] of [
        ['startChat', variables],
        ['generation', { by: { id: stream.id } }],
        ['cancelGeneration', { by: { id: stream.id } }],
      ] as const) {
        const result = await run(stream.endpoint, field, { variables: values, headers: noCredential });
        expect(result?.code).toBe('UNAUTHENTICATED');
      }
      expect(world.gateway.count(tag)).toBe(0);
    });

    for (const kind of kinds)
      check(`an unknown id of ${kind} is NOT_FOUND`, async (world) => {
        const endpoint = await world.endpoint();
        const watcher = watch(endpoint, followFields[kind], {
          variables: { id: 'generation_unknown' },
          headers: alice,
        });
        await expect(watcher.ended).rejects.toThrow('NOT_FOUND');
      });

    check('a chat cannot be followed as images, nor images as a chat', async (world) => {
      const endpoint = await world.endpoint();
      for (const kind of kinds) {
        const { id } = await startStream(world, { kind });
        const field = kind === 'chat' ? 'imageEvents' : 'chatEvents';
        await expect(watch(endpoint, field, { variables: { id }, headers: alice }).ended).rejects.toThrow(
          'BAD_REQUEST',
        );
      }
    });
  },
};

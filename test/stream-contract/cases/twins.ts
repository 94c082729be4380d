import { expect } from 'vitest';
import type { Section } from '../contract.ts';
import type { Endpoint } from '../set-up.ts';
import { run, watch } from '../support/client.ts';
import { endingOf } from '../../../src/contract/clients/events.ts';
import { type Exchange, words } from '../support/gateway-double.ts';
import { alice, inputOf, startStream, type World } from '../support/world.ts';

interface Twin {
  /** Of the generation, or undefined when the create failed. */
  readonly id: string | undefined;
  readonly code: string | undefined;
}

interface Request {
  readonly endpoint: Endpoint;
  readonly variables: object;
}

/** Ways to send the same create, each over a connection of its own. */
const creates: Readonly<Record<string, (request: Request) => Promise<Twin>>> = {
  startChat: async ({ endpoint, variables }) => {
    const result = await run(endpoint, 'startChat', { variables, headers: alice });
    return { id: result?.id, code: result?.code };
  },
  'streamChat over WebSocket': (request) => firstOf(request, 'WebSocket'),
  'streamChat over server-sent events': (request) => firstOf(request, 'server-sent events'),
};
export type CreateName = keyof typeof creates;
export const createNames = Object.keys(creates);

async function firstOf(
  { endpoint, variables }: Request,
  transport: 'WebSocket' | 'server-sent events',
): Promise<Twin> {
  const watcher = watch(endpoint, 'streamChat', { variables: { ...variables }, headers: alice, transport });
  const { generationId, error } = await watcher.at(0);
  await watcher.leave();
  return error ? { id: undefined, code: error.code } : { id: generationId ?? undefined, code: undefined };
}

/** Sends the creates at once with one key, and answers the only request. */
export async function sendTwins(
  world: World,
  { names, answer }: { readonly names: readonly string[]; readonly answer: (exchange: Exchange) => void },
): Promise<{ readonly twins: readonly Twin[]; readonly tag: string; readonly endpoint: Endpoint }> {
  const endpoint = await world.endpoint();
  const tag = world.nextTag();
  const variables = { input: inputOf('chat', tag), idempotencyKey: `key-${tag}` };
  const sending = names.flatMap((name) => creates[name]?.({ endpoint, variables }) ?? []);
  answer(await world.gateway.exchange(tag));
  // A refusal releases the key: a twin that arrives later is sent, and is refused too. Usually none is.
  void world.gateway.exchange(tag, 1).then(answer, () => {});
  return { twins: await Promise.all(sending), tag, endpoint };
}

const answers: Readonly<
  Record<string, { readonly answer: (exchange: Exchange) => void; readonly code?: string }>
> = {
  accepts: { answer: (exchange) => exchange.send(...words('a')) },
  'completes at once': { answer: (exchange) => exchange.send(...words('a'), '[DONE]') },
  refuses: { answer: (exchange) => exchange.reply(400, { error: { message: 'no' } }), code: 'GATEWAY_ERROR' },
  cuts: { answer: (exchange) => exchange.cut(), code: 'OUTCOME_UNKNOWN' },
};

export const twins: Section = {
  name: 'twins',
  register(check) {
    for (const [index, one] of createNames.entries())
      for (const other of createNames.slice(index))
        for (const [answer, { answer: reply, code }] of Object.entries(answers))
          check(`${one} and ${other}, which the gateway ${answer}, have one outcome`, async (world) => {
            const { twins, tag } = await sendTwins(world, {
              names: [one, other],
              answer: reply,
            });
            expect(twins).toHaveLength(2);
            expect(twins[1]).toEqual(twins[0]);
            expect(twins[0]?.code).toBe(code);
            if (answer !== 'refuses') expect(world.gateway.count(tag)).toBe(1);
          });

    for (const count of [5, 20])
      check(`${count} of all forms send one request`, async (world) => {
        const names = Array.from(
          { length: count },
          (_, index) => createNames[index % createNames.length] ?? '',
        );
        const { twins, tag } = await sendTwins(world, { names, answer: (exchange) => exchange.accept() });
        expect(new Set(twins.map(({ id }) => id)).size).toBe(1);
        expect(twins[0]?.id).toMatch(/^generation_/);
        expect(world.gateway.count(tag)).toBe(1);
      });

    check('with different input: one is sent, the other is a conflict', async (world) => {
      const endpoint = await world.endpoint();
      const tags = [world.nextTag(), world.nextTag()];
      const sending = tags.map((tag) => {
        const variables = { input: inputOf('chat', tag), idempotencyKey: `key-${tags[0]}` };
        return run(endpoint, 'startChat', { variables, headers: alice });
      });
      const exchange = await Promise.race(tags.map((tag) => world.gateway.exchange(tag)));
      exchange.accept();
      const codes = (await Promise.all(sending)).map((result) => result?.code ?? result?.__typename);
      expect(new Set(codes)).toEqual(new Set(['Generation', 'IDEMPOTENCY_CONFLICT']));
      expect(tags.reduce((sum, tag) => sum + world.gateway.count(tag), 0)).toBe(1);
    });

    check('with different keys are two chats', async (world) => {
      const endpoint = await world.endpoint();
      const tag = world.nextTag();
      const sending = ['one', 'two'].map((name) =>
        run(endpoint, 'startChat', {
          variables: { input: inputOf('chat', tag), idempotencyKey: `${name}-${tag}` },
          headers: alice,
        }),
      );
      for (const index of [0, 1]) (await world.gateway.exchange(tag, index)).accept();
      const ids = (await Promise.all(sending)).map((result) => result?.id);
      expect(ids[0]).not.toBe(ids[1]);
    });

    check('that follow the same chat receive the same events', async (world) => {
      const stream = await startStream(world);
      const variables = { input: inputOf('chat', stream.tag), idempotencyKey: stream.key };
      const both = [1, 2].map(() => watch(stream.endpoint, 'streamChat', { variables, headers: alice }));
      await Promise.all(both.map((twin) => twin.at(0)));
      for (const [index, word] of ['a', 'b', 'c'].entries()) {
        stream.exchange.send(...words(word));
        await Promise.all(both.map((twin) => twin.untilSequence(index + 1)));
      }
      stream.exchange.send('[DONE]');
      const [one, other] = await Promise.all(both.map(({ ended }) => ended));
      expect(other).toEqual(one);
      expect(endingOf(one ?? [])).toBe('Completed');
    });
  },
};

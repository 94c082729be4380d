import { expect } from 'vitest';
import type { Check } from '../contract.ts';
import type { Endpoint } from '../set-up.ts';
import { connect, run, watch } from '../support/client.ts';
import { startCuttingProxy } from '../support/cutting-proxy.ts';
import { endingOf, isSnapshot, textOf } from '../../../src/contract/clients/events.ts';
import { words } from '../support/gateway-double.ts';
import { openOwn, openShared, outageOf, silence, startSaved, timeoutMs } from '../support/own-endpoint.ts';
import { alice, inputOf, recordedText, startStream, type World } from '../support/world.ts';

type Fault = 'disk full' | 'database gone';

/** Instances without their database may lose their leases, so that each case needs its own. */
function openFor(world: World, fault: Fault): Promise<Endpoint> {
  return fault === 'disk full' ? openShared(world, fault) : openOwn(world);
}

/** The records cannot be written. Watchers of running chats must not notice. */
export function registerLostRecords(check: Check, fault: Fault): void {
  const options = { needs: fault, timeoutMs } as const;

  check(
    `${fault}: watchers of a running chat notice nothing, and its text is recorded afterwards`,
    async (world) => {
      const endpoint = await openFor(world, fault);
      const stream = await startStream(world, { endpoint });
      const watcher = stream.follow();
      await watcher.at(0);
      const outage = outageOf(endpoint, fault);
      await outage.begin();
      for (const [index, word] of ['a', 'b', 'c'].entries()) {
        stream.exchange.send(...words(word));
        await watcher.untilSequence(index + 1);
      }
      await outage.end();
      stream.exchange.send(...words('d'), '[DONE]');
      expect(endingOf(await watcher.ended)).toBe('Completed');
      expect(recordedText(await stream.run('generation', { by: { id: stream.id } }))).toBe('abcd');
    },
    options,
  );

  check(
    `${fault}: a watcher misses nothing once it is over, and its text is recorded`,
    async (world) => {
      const endpoint = await openFor(world, fault);
      const stream = await startStream(world, { endpoint });
      const watchers = [0, 10_000].map((minIntervalMs) => stream.follow({ minIntervalMs }));
      await Promise.all(watchers.map((watcher) => watcher.at(0)));
      const outage = outageOf(endpoint, fault);
      await outage.begin();
      stream.exchange.send(...words('a', 'b', 'c'));
      await outage.end();
      await watchers[0]?.untilSequence(3);
      stream.exchange.send(...words('d'), '[DONE]');
      for (const watcher of watchers) {
        expect(endingOf(await watcher.ended)).toBe('Completed');
        expect(textOf(watcher.held)).toBe('abcd');
      }
      expect(recordedText(await stream.run('generation', { by: { id: stream.id } }))).toBe('abcd');
    },
    options,
  );

  // A router chooses the operation id itself, so that only a key tells it is the same create.
  for (const hasKey of [false, true])
    check(
      `${fault}: watchers of a running chat notice nothing, also if their connections break meanwhile, ${hasKey ? 'with' : 'without'} a key`,
      async (world) => {
        const { endpoint, proxy, exchange, watchers, tag } = await startBehindProxy(world, fault, hasKey);
        const outage = outageOf(endpoint, fault);
        await outage.begin();
        proxy.cutAll();
        exchange.send(...words('b'));
        for (const watcher of watchers) await watcher.untilSequence(2);
        await outage.end();
        exchange.send('[DONE]');
        for (const watcher of watchers) expect(endingOf(await watcher.ended)).toBe('Completed');
        expect(world.gateway.count(tag)).toBe(1);
      },
      options,
    );

  check(
    `${fault}: watchers of a running chat notice nothing of a create on their connection, which waits for the records`,
    async (world) => {
      const endpoint = await openFor(world, fault);
      const stream = await startStream(world, { endpoint });
      const healing = {
        headers: alice,
        isHealing: true,
        connection: connect(endpoint, alice, true),
      } as const;
      const watcher = stream.follow(healing);
      await watcher.at(0);
      const outage = outageOf(endpoint, fault);
      await outage.begin();
      const tag = world.nextTag();
      const variables = { input: { ...inputOf('chat', tag), user: 'x'.repeat(1_000_000) } };
      const created = watch(endpoint, 'streamChat', { variables, ...healing });
      await silence(world);
      stream.exchange.send(...words('a'));
      await watcher.untilSequence(1);
      expect(watcher.events.filter(isSnapshot)).toHaveLength(1);
      await outage.end();
      // After a full disk, a server believes for 30 seconds only a write that succeeds.
      await startSaved(world, endpoint);
      const late = await world.gateway.exchange(tag);
      late.send(...words('late'), '[DONE]');
      expect(endingOf(await created.ended)).toBe('Completed');
      stream.exchange.send('[DONE]');
      expect(endingOf(await watcher.ended)).toBe('Completed');
      expect(textOf(watcher.held)).toBe('a');
      for (const each of [stream.tag, tag]) expect(world.gateway.count(each)).toBe(1);
    },
    options,
  );

  check(
    `${fault}: stock clients whose connections break come back by themselves, and each create without a key is sent once`,
    async (world) => {
      const { endpoint, proxy, exchange, watchers, tag } = await startBehindProxy(world, fault);
      const outage = outageOf(endpoint, fault);
      await outage.begin();
      proxy.cutAll();
      exchange.send(...words('b'));
      const other = world.nextTag();
      const created = watch(proxy, 'streamChat', {
        variables: { input: { ...inputOf('chat', other), user: 'x'.repeat(1_000_000) } },
        headers: alice,
        isHealing: true,
      });
      await silence(world);
      await outage.end();
      const late = await world.gateway.exchange(other);
      late.send(...words('late'), '[DONE]');
      expect(endingOf(await created.ended)).toBe('Completed');
      exchange.send('[DONE]');
      for (const watcher of watchers) {
        expect(endingOf(await watcher.ended)).toBe('Completed');
        expect(textOf(watcher.held)).toBe('ab');
      }
      for (const each of [tag, other]) expect(world.gateway.count(each)).toBe(1);
    },
    options,
  );

  check(
    `${fault}: a create is refused and sends nothing, and works afterwards with the same key`,
    async (world) => {
      const endpoint = await openFor(world, fault);
      await startSaved(world, endpoint);
      const outage = outageOf(endpoint, fault);
      await outage.begin();
      const tag = world.nextTag();
      const variables = { input: inputOf('chat', tag), idempotencyKey: `key-${tag}` };
      const large = { ...variables, input: { ...variables.input, user: 'x'.repeat(2_000_000) } };
      const refused = await run(endpoint, 'startChat', { variables: large, headers: alice });
      expect(refused).toMatchObject({ code: 'RECORDS_UNAVAILABLE' });
      expect(world.gateway.count(tag)).toBe(0);
      await outage.end();
      const starting = run(endpoint, 'startChat', { variables: large, headers: alice });
      (await world.gateway.exchange(tag)).accept();
      expect(await starting).toMatchObject({ __typename: 'Generation' });
      expect(world.gateway.count(tag)).toBe(1);
    },
    options,
  );
}

/** A chat with its client and a follower behind a proxy that can cut them. */
async function startBehindProxy(world: World, fault: Fault, hasKey = false) {
  const endpoint = await openFor(world, fault);
  const proxy = await startCuttingProxy(endpoint);
  const tag = world.nextTag();
  const healing = { headers: alice, isHealing: true } as const;
  const variables = { input: inputOf('chat', tag), ...(hasKey && { idempotencyKey: `key-${tag}` }) };
  const client = watch(proxy, 'streamChat', { variables, ...healing });
  const exchange = await world.gateway.exchange(tag);
  exchange.send(...words('a'));
  await client.untilSequence(1);
  const { generationId: id } = await client.at(0);
  const follower = watch(proxy, 'chatEvents', { variables: { id }, ...healing });
  await follower.untilSequence(1);
  return { endpoint, proxy, exchange, watchers: [client, follower], tag };
}

import { expect, onTestFinished } from 'vitest';
import type { Check, Section } from '../contract.ts';
import type { Endpoint, FaultName, Outage } from '../set-up.ts';
import { connect, run, watch } from '../support/client.ts';
import { startCuttingProxy } from '../support/cutting-proxy.ts';
import { endingOf, isEnd, isSnapshot, textOf } from '../support/events.ts';
import { words } from '../support/gateway-double.ts';
import {
  alice,
  inputOf,
  recordedText,
  type RunningStream,
  startStream,
  type World,
} from '../support/world.ts';

/** These cases start up to three processes, some of them twice. */
const timeoutMs = 240_000;

/** An endpoint that a case may break. Closed when the test ends. */
async function openOwn(world: World, settings = {}): Promise<Endpoint> {
  const endpoint = await world.ownEndpoint(settings);
  onTestFinished(() => endpoint.close());
  return endpoint;
}

function outageOf(endpoint: Endpoint, fault: Exclude<FaultName, 'clock step'>): Outage {
  const outage = endpoint.outages[fault];
  if (!outage) throw new Error(`the endpoint cannot cause "${fault}"`);
  return outage;
}

async function restart(endpoint: Endpoint): Promise<void> {
  const kill = outageOf(endpoint, 'kill');
  await kill.begin();
  await kill.end();
}

/** A chat whose text `saved` is in its record. */
async function startSaved(world: World, endpoint: Endpoint): Promise<RunningStream> {
  const stream = await startStream(world, { endpoint });
  await stream.sendSeen(...words('saved'));
  return stream;
}

function registerKill(check: Check): void {
  const options = { needs: 'kill', timeoutMs } as const;

  check(
    'a kill ends a running chat once, as INTERRUPTED, and its key sends nothing again',
    async (world) => {
      const endpoint = await openOwn(world);
      const stream = await startSaved(world, endpoint);
      await restart(endpoint);
      const watcher = stream.follow();
      const events = await watcher.ended;
      expect(endingOf(events)).toBe('INTERRUPTED');
      expect(events.filter(isEnd)).toHaveLength(1);
      expect('saved'.startsWith(textOf(watcher.held))).toBe(true);
      const again = await startChat(stream);
      expect(again).toMatchObject({ id: stream.id });
      expect(world.gateway.count(stream.tag)).toBe(1);
    },
    options,
  );

  check(
    'a kill changes no chat that has ended',
    async (world) => {
      const endpoint = await openOwn(world);
      const stream = await startSaved(world, endpoint);
      stream.exchange.send('[DONE]');
      await stream.follow().ended;
      const before = await stream.run('generation', { by: { id: stream.id } });
      await restart(endpoint);
      expect(await stream.run('generation', { by: { id: stream.id } })).toEqual(before);
      const watcher = stream.follow();
      expect(endingOf(await watcher.ended)).toBe('Completed');
      expect(textOf(watcher.held)).toBe('saved');
    },
    options,
  );

  check(
    'a kill changes no chat that was canceled',
    async (world) => {
      const endpoint = await openOwn(world);
      const stream = await startSaved(world, endpoint);
      await stream.run('cancelGeneration', { by: { id: stream.id } });
      await restart(endpoint);
      expect(endingOf(await stream.follow().ended)).toBe('Canceled');
    },
    options,
  );

  check(
    'a kill leaves a create in flight as OUTCOME_UNKNOWN, and it is not sent again',
    async (world) => {
      const endpoint = await openOwn(world);
      const tag = world.nextTag();
      const variables = { input: inputOf('chat', tag), idempotencyKey: `key-${tag}` };
      const starting = run(endpoint, 'startChat', { variables, headers: alice }).catch(() => undefined);
      await world.gateway.exchange(tag);
      await restart(endpoint);
      await starting;
      const again = await run(endpoint, 'startChat', { variables, headers: alice });
      expect(again).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
      expect(world.gateway.count(tag)).toBe(1);
    },
    options,
  );

  check(
    'a stock client that was watching gets the one ending after a kill',
    async (world) => {
      const endpoint = await openOwn(world);
      const stream = await startSaved(world, endpoint);
      const watcher = stream.follow({ isHealing: true });
      await watcher.at(0);
      await restart(endpoint);
      const events = await watcher.ended;
      expect(endingOf(events)).toBe('INTERRUPTED');
      expect(events.filter(isEnd)).toHaveLength(1);
    },
    options,
  );
}

function startChat({ endpoint, tag, key }: RunningStream) {
  const variables = { input: inputOf('chat', tag), idempotencyKey: key };
  return run(endpoint, 'startChat', { variables, headers: alice });
}

function registerPause(check: Check): void {
  for (const [what, settings] of [
    ['ends no chat', {}],
    ['longer than the allowed silence of the gateway ends no chat', { stallSeconds: 1 }],
  ] as const)
    check(
      `a pause ${what}: what arrived meanwhile is read first`,
      async (world) => {
        const endpoint = await openOwn(world, settings);
        const stream = await startStream(world, { endpoint });
        const watcher = stream.follow();
        await watcher.at(0);
        const pause = outageOf(endpoint, 'pause');
        await pause.begin();
        stream.exchange.send(...words('a'));
        await silenceOf(world, 1);
        stream.exchange.send(...words('b'));
        await pause.end();
        await watcher.untilSequence(2);
        stream.exchange.send('[DONE]');
        expect(endingOf(await watcher.ended)).toBe('Completed');
        expect(textOf(watcher.held)).toBe('ab');
      },
      { needs: 'pause', timeoutMs },
    );

  check(
    'a pause longer than the detach time detaches no chat whose watcher returns',
    async (world) => {
      const endpoint = await openOwn(world, { detachSeconds: 1 });
      const tag = world.nextTag();
      const leaving = watch(endpoint, 'streamChat', {
        variables: { input: inputOf('chat', tag) },
        headers: alice,
      });
      const exchange = await world.gateway.exchange(tag);
      exchange.accept();
      const id = (await leaving.at(0)).generationId ?? '';
      await leaving.leave();
      const pause = outageOf(endpoint, 'pause');
      await pause.begin();
      const back = watch(endpoint, 'chatEvents', { variables: { id }, headers: alice });
      await silenceOf(world, 1.5);
      await pause.end();
      await back.at(0);
      exchange.send(...words('a'), '[DONE]');
      expect(endingOf(await back.ended)).toBe('Completed');
    },
    { needs: 'pause', timeoutMs },
  );
}

/** Waits as long as another endpoint takes to notice a silence of this length. */
async function silenceOf(world: World, stallSeconds: number): Promise<void> {
  const stream = await startStream(world, { settings: { stallSeconds } });
  expect(endingOf(await stream.follow().ended)).toBe('STREAM_STALLED');
}

function registerClockStep(check: Check): void {
  for (const seconds of [40, -40, 86_400])
    check(
      `a clock step of ${seconds} s ends, detaches and loses nothing`,
      async (world) => {
        const endpoint = await openOwn(world, { detachSeconds: 30, stallSeconds: 30, logSeconds: 30 });
        const stream = await startStream(world, { endpoint });
        const watcher = stream.follow({ minIntervalMs: 5 });
        await watcher.at(0);
        stream.exchange.send(...words('a'));
        await watcher.untilSequence(1);
        await endpoint.stepClock?.(seconds * 1000);
        stream.exchange.send(...words('b'));
        await watcher.untilSequence(2);
        expect(await startChat(stream)).toMatchObject({ id: stream.id, status: 'RUNNING' });
        stream.exchange.send(...words('c'), '[DONE]');
        expect(endingOf(await watcher.ended)).toBe('Completed');
        expect(textOf(watcher.held)).toBe('abc');
        // The log is still there: a client that has everything gets only the end.
        const late = stream.follow({ after: 3, held: watcher.held });
        expect(await late.ended).toHaveLength(1);
        expect(world.gateway.count(stream.tag)).toBe(1);
      },
      { needs: 'clock step', timeoutMs },
    );
}

/** The records cannot be written. Watchers of running chats must not notice. */
function registerLostRecords(check: Check, fault: 'disk full' | 'database gone'): void {
  const options = { needs: fault, timeoutMs } as const;

  check(
    `${fault}: watchers of a running chat notice nothing, and its text is recorded afterwards`,
    async (world) => {
      const endpoint = await openOwn(world);
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
      const endpoint = await openOwn(world);
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
        const { endpoint, proxy, exchange, watchers, tag } = await startBehindProxy(world, hasKey);
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
      const endpoint = await openOwn(world);
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
      await silenceOf(world, 1);
      stream.exchange.send(...words('a'));
      await watcher.untilSequence(1);
      expect(watcher.events.filter(isSnapshot)).toHaveLength(1);
      await outage.end();
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
      const { endpoint, proxy, exchange, watchers, tag } = await startBehindProxy(world);
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
      await silenceOf(world, 1);
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
      const endpoint = await openOwn(world);
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
async function startBehindProxy(world: World, hasKey = false) {
  const endpoint = await openOwn(world);
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

function registerCut(check: Check): void {
  check('a cut of every connection at once loses nothing, for 10 stock clients', async (world) => {
    const stream = await startStream(world);
    const proxy = await startCuttingProxy(stream.endpoint);
    const watchers = Array.from({ length: 10 }, () =>
      watch(proxy, 'chatEvents', { variables: { id: stream.id }, headers: alice, isHealing: true }),
    );
    await Promise.all(watchers.map((watcher) => watcher.at(0)));
    for (const [index, word] of ['a', 'b', 'c'].entries()) {
      proxy.cutAll();
      stream.exchange.send(...words(word));
      await Promise.all(watchers.map((watcher) => watcher.untilSequence(index + 1)));
    }
    stream.exchange.send('[DONE]');
    for (const watcher of watchers) {
      expect(endingOf(await watcher.ended)).toBe('Completed');
      expect(textOf(watcher.held)).toBe('abc');
      expect(watcher.events.filter(isSnapshot).length).toBeGreaterThan(1);
    }
  });
}

export const faults: Section = {
  name: 'faults',
  register(check) {
    registerCut(check);
    registerKill(check);
    registerPause(check);
    registerClockStep(check);
    registerLostRecords(check, 'disk full');
    registerLostRecords(check, 'database gone');
  },
};

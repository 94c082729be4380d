import { expect } from 'vitest';
import type { Check, Section } from '../contract.ts';
import type { Endpoint } from '../set-up.ts';
import { run, watch } from '../support/client.ts';
import { startCuttingProxy } from '../support/cutting-proxy.ts';
import { endingOf, isEnd, isSnapshot, textOf } from '../../../src/contract/clients/events.ts';
import { words } from '../support/gateway-double.ts';
import { openOwn, openShared, outageOf, silence, startSaved, timeoutMs } from '../support/own-endpoint.ts';
import { alice, inputOf, startStream, type RunningStream } from '../support/world.ts';
import { registerLostRecords } from './lost-records.ts';

async function restart(endpoint: Endpoint): Promise<void> {
  const kill = outageOf(endpoint, 'kill');
  await kill.begin();
  await kill.end();
}

function registerKill(check: Check): void {
  const options = { needs: 'kill', timeoutMs } as const;

  check(
    'a kill ends a running chat once, as INTERRUPTED, and its key sends nothing again; it changes none that has ended or was canceled',
    async (world) => {
      const endpoint = await openOwn(world);
      const [ended, canceled, running] = [
        await startSaved(world, endpoint),
        await startSaved(world, endpoint),
        await startSaved(world, endpoint),
      ];
      ended.exchange.send('[DONE]');
      await ended.follow().ended;
      await canceled.run('cancelGeneration', { by: { id: canceled.id } });
      const before = await ended.run('generation', { by: { id: ended.id } });
      await restart(endpoint);

      const interrupted = running.follow();
      const events = await interrupted.ended;
      expect(endingOf(events)).toBe('INTERRUPTED');
      expect(events.filter(isEnd)).toHaveLength(1);
      expect('saved'.startsWith(textOf(interrupted.held))).toBe(true);
      expect(await startChat(running)).toMatchObject({ id: running.id });
      expect(world.gateway.count(running.tag)).toBe(1);

      expect(await ended.run('generation', { by: { id: ended.id } })).toEqual(before);
      const late = ended.follow();
      expect(endingOf(await late.ended)).toBe('Completed');
      expect(textOf(late.held)).toBe('saved');
      expect(endingOf(await canceled.follow().ended)).toBe('Canceled');
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
    ['ends no chat', undefined],
    ['longer than the allowed silence of the gateway ends no chat', { stallSeconds: 2 }],
  ] as const)
    check(
      `a pause ${what}: what arrived meanwhile is read first`,
      async (world) => {
        const endpoint = await (settings ? openOwn(world, settings) : openShared(world, 'pause'));
        const stream = await startStream(world, { endpoint });
        const watcher = stream.follow();
        await watcher.at(0);
        const pause = outageOf(endpoint, 'pause');
        await pause.begin();
        stream.exchange.send(...words('a'));
        await silence(world);
        stream.exchange.send(...words('b'), '[DONE]');
        await pause.end();
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
      await silence(world);
      await pause.end();
      await back.at(0);
      exchange.send(...words('a'), '[DONE]');
      expect(endingOf(await back.ended)).toBe('Completed');
    },
    { needs: 'pause', timeoutMs },
  );
}

function registerClockStep(check: Check): void {
  check(
    'clock steps of 40 s, back, and of a day end, detach and lose nothing',
    async (world) => {
      const endpoint = await openOwn(world, { detachSeconds: 30, stallSeconds: 30, logSeconds: 30 });
      for (const seconds of [40, -40, 86_400]) {
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
        // The next step is one from the true time.
        await endpoint.stepClock?.(0);
      }
    },
    { needs: 'clock step', timeoutMs },
  );
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

import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { Section } from '../contract.ts';
import type { Endpoint, Location } from '../set-up.ts';
import { run, watch } from '../support/client.ts';
import { endingOf, isEnd, textOf } from '../../../src/contract/clients/events.ts';
import { words } from '../support/gateway-double.ts';
import { alice, recordedText, startStream, type World } from '../support/world.ts';

/** Longest time without records after which the other instances do not take an instance for dead. */
const safeSeconds = 6;
const usage = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } };
const waiting = { timeout: 30_000, interval: 100 };

/** A chat of the first instance, watched there and on another one. */
async function startWatched(world: World, endpoint: Endpoint, [here, there]: readonly [Location, Location]) {
  const stream = await startStream(world, { endpoint: { ...endpoint, ...here } });
  const variables = { id: stream.id };
  const watchers = {
    // The stock client comes back when the server closes its socket.
    here: watch(here, 'chatEvents', { variables, headers: alice, isHealing: true }),
    there: watch(there, 'chatEvents', { variables, headers: alice }),
  };
  stream.exchange.send(...words('a'));
  await Promise.all([watchers.here.untilSequence(1), watchers.there.untilSequence(1)]);
  let isClosed = false;
  void stream.exchange.closed.then(() => (isClosed = true));
  return { ...stream, ...watchers, isClosed: () => isClosed };
}

type Watched = Awaited<ReturnType<typeof startWatched>>;

async function expectEverywhere(
  instances: readonly Location[],
  { id, tag }: Watched,
  expected: { readonly ending: string; readonly status: string; readonly text: string },
): Promise<void> {
  for (const instance of instances) {
    const find = () => run(instance, 'generation', { variables: { by: { id } }, headers: alice });
    await expect.poll(async () => (await find())?.status, waiting).toBe(expected.status);
    expect(recordedText(await find()), tag).toBe(expected.text);
    const late = watch(instance, 'chatEvents', { variables: { id }, headers: alice });
    expect(endingOf(await late.ended)).toBe(expected.ending);
    expect(textOf(late.held)).toBe(expected.text);
  }
}

async function cutOff(world: World, seconds: number): Promise<void> {
  const endpoint = await world.ownEndpoint();
  onTestFinished(() => endpoint.close());
  const [first, second] = endpoint.instances ?? [];
  const cut = endpoint.outages['cut off'];
  if (!first || !second || !cut) throw new Error('the endpoint cannot cut an instance off');
  const start = () => startWatched(world, endpoint, [first, second]);
  const [running, finished, canceled] = [await start(), await start(), await start()];
  const all = [running, finished, canceled];

  const startedAt = performance.now();
  await cut.begin();
  for (const { exchange } of all) exchange.send(...words('b'));
  // Watchers on the instance get the text at once.
  for (const { here } of all) await here.untilSequence(2);
  finished.exchange.send(usage, '[DONE]');
  const variables = { by: { id: canceled.id } };
  expect(await run(second, 'cancelGeneration', { variables, headers: alice })).toMatchObject({
    status: 'CANCELED',
  });
  await wait(Math.max(0, seconds * 1000 - (performance.now() - startedAt)));
  // Nothing was recorded, so no end was shown, and the gateway is not let go.
  expect(finished.here.events.some(isEnd)).toBe(false);
  expect(running.isClosed()).toBe(false);
  await cut.end();
  running.exchange.send(...words('c'), usage, '[DONE]');

  const isSafe = seconds <= safeSeconds;
  for (const [chat, text] of [
    [running, 'abc'],
    [finished, 'ab'],
  ] as const) {
    const here = await chat.here.ended;
    expect(here.filter(isEnd).map(({ __typename: type }) => type)).toEqual(['ChatCompleted']);
    expect(textOf(chat.here.held)).toBe(text);
    const there = await chat.there.ended;
    expect(there.filter(isEnd)).toHaveLength(1);
    expect(endingOf(there)).toBe(isSafe ? 'Completed' : 'INTERRUPTED');
    if (isSafe) expect(textOf(chat.there.held)).toBe(text);
    await expectEverywhere(endpoint.instances ?? [], chat, {
      ending: 'Completed',
      status: 'SUCCEEDED',
      text,
    });
  }
  expect(endingOf(await canceled.here.ended)).toBe('Canceled');
  expect(endingOf(await canceled.there.ended)).toBe('Canceled');
  // The instance adds the output that arrived after the last save.
  const end = { ending: 'Canceled', status: 'CANCELED', text: 'ab' };
  await expect
    .poll(async () => recordedText(await run(second, 'generation', { variables, headers: alice })), waiting)
    .toBe('ab');
  await expectEverywhere(endpoint.instances ?? [], canceled, end);
  for (const { tag } of all) expect(world.gateway.count(tag)).toBe(1);
  for (const instance of endpoint.instances ?? [])
    expect(await run(instance, 'usageTotals', { headers: alice })).toEqual([
      { generations: 3, succeeded: 2, failed: 0, canceled: 1, unknown: 0, withUsage: 2, totalTokens: 6 },
    ]);
}

/** One of several instances loses the records for so many seconds. */
export function createCutOff(durations: readonly number[]): Section {
  return {
    name: 'cut off',
    register(check) {
      for (const seconds of durations)
        check(
          `${seconds} s without records end no chat of an instance: what runs, finishes or is canceled meanwhile has its true end`,
          (world) => cutOff(world, seconds),
          { needs: 'cut off', timeoutMs: 180_000 + seconds * 1000 },
        );
    },
  };
}

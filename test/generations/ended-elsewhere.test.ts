import { describe, expect, test } from 'vitest';
import { DeleteGenerationsDocument, StreamImagesDocument } from '../../src/client/documents.generated.ts';
import type { AppOverrides } from '../../src/app.ts';
import type { Store } from '../../src/store/store.ts';
import { checkIntervalMs } from '../../src/streams/end-watch.ts';
import { subscribe, type TestApp } from '../support/app.ts';
import {
  ask,
  cancelGeneration,
  type ChatEvent,
  chatEvents,
  createChatCompletion,
  findGeneration,
  made,
  nextEvent,
  refused,
  startChat,
  startChatQuery,
  streamChat,
  toEnd,
} from '../support/chats.ts';
import { foldedText } from '../support/fold-chat.ts';
import { make, plainByResolution, reply } from '../support/images.ts';
import { type Exchange, words } from '../support/scripted-gateway.ts';
import { type Engine, sharedEngines } from '../support/records.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { startTwoServers, type TwoServers } from '../support/two-servers.ts';

const hello = { input: ask('Hello'), idempotencyKey: 'k' };

interface RunningChat {
  readonly id: string;
  readonly exchange: Exchange;
  readonly events: AsyncIterableIterator<ChatEvent, undefined>;
}

interface DeafServers extends TwoServers {
  /** Runs a request to `other` that asks `one` in vain, until it stops waiting for the answer. */
  readonly unheard: <Result>(request: () => Promise<Result>) => Promise<Result>;
}

const answerMs = 1000;

/** Two servers whose messages to each other are lost, so that each learns of the other's work from the records alone. */
async function startDeafServers(engine: Engine, overrides: AppOverrides = {}): Promise<DeafServers> {
  const otherClock = createManualClock();
  const servers = await startTwoServers(engine, overrides, otherClock);
  const { query } = servers.records;
  await query("create function lose() returns trigger language plpgsql as 'begin return null; end'");
  await query(
    'create trigger lose before insert on instance_messages_1 for each row execute function lose()',
  );
  return {
    ...servers,
    async unheard(request) {
      let waiting = otherClock.waitForTimer(answerMs);
      let isSettled = false;
      const running = request().finally(() => (isSettled = true));
      while (!isSettled) {
        await Promise.race([waiting, running]);
        waiting = otherClock.waitForTimer(answerMs);
        otherClock.advance(answerMs);
      }
      return running;
    },
  };
}

/** An accepted chat without deltas, run and watched on the first server. */
async function runChat({ one, gateway }: TwoServers): Promise<RunningChat> {
  const events = streamChat(one.wsClient(), hello);
  const first = nextEvent(events);
  const exchange = await gateway.exchange(0);
  exchange.accept();
  return { id: (await first).generationId ?? '', exchange, events };
}

async function forget(app: TestApp, id: string): Promise<readonly string[] | undefined> {
  return (
    (await app.run(DeleteGenerationsDocument, { ids: [id] })).data?.deleteGenerations?.deletedIds ?? undefined
  );
}

/** A late retry of the deleted generation is refused, so that it is not sent and paid again. */
async function expectKeyKept(app: TestApp): Promise<void> {
  // The chat is found while its server records the end.
  await expect
    .poll(async () => (await app.run(startChatQuery, hello)).errors)
    .toMatchObject([{ extensions: { code: 'NOT_FOUND', retry: 'MAY_CHARGE_AGAIN' } }]);
}

describe.each(sharedEngines)('%s', (engine) => {
  describe('a chat canceled through a server that does not run it', () => {
    test('stops within half a second, even while the gateway sends nothing', async () => {
      const servers = await startDeafServers(engine);
      const { one, other, clock, unheard } = servers;
      const { id, exchange, events } = await runChat(servers);
      const canceled = made(await unheard(() => cancelGeneration(other, { id })));
      expect(canceled).toMatchObject({ id, status: 'CANCELED', isCancelable: false });
      clock.advance(checkIntervalMs);
      await exchange.closed;
      expect(await toEnd(events)).toMatchObject([
        { __typename: 'ChatCanceled', ended: { id, status: 'CANCELED', error: null } },
      ]);
      expect(await findGeneration(one, id)).toMatchObject({
        status: 'CANCELED',
        error: null,
        finishedAt: canceled.finishedAt,
      });
    });

    test('keeps the output received by the running server, including deltas not saved before the cancel', async () => {
      const servers = await startDeafServers(engine);
      const { one, other, clock, unheard } = servers;
      const { id, exchange, events } = await runChat(servers);
      exchange.send(...words('a'));
      const seen = [await nextEvent(events)];
      clock.advance(1000);
      await expect
        .poll(async () => (await unheard(() => findGeneration(other, id)))?.output?.sequence)
        .toBe(1);
      exchange.send(...words('b', 'c'), { choices: [], usage: { prompt_tokens: 1, completion_tokens: 3 } });
      seen.push(await nextEvent(events));
      const canceled = made(await unheard(() => cancelGeneration(other, { id })));
      expect(canceled.output).toMatchObject({ sequence: 1, choices: [{ message: { content: 'a' } }] });
      clock.advance(checkIntervalMs);
      await exchange.closed;
      seen.push(...(await toEnd(events)));
      expect(seen.at(-1)).toMatchObject({ __typename: 'ChatCanceled', sequence: 3 });
      for (const app of [one, other])
        expect(await findGeneration(app, id)).toMatchObject({
          status: 'CANCELED',
          finishedAt: canceled.finishedAt,
          output: { sequence: 3, choices: [{ message: { content: 'abc' } }] },
          usage: { promptTokens: 1, completionTokens: 3 },
          raw: { choices: [{ message: { content: 'abc' } }] },
        });
      const recorded = await toEnd(chatEvents(other.wsClient(), { id }));
      expect(foldedText(recorded)).toBe('abc');
      expect(recorded.at(-1)?.__typename).toBe('ChatCanceled');
    });

    test('is detected by the next save when the periodic check fails', async () => {
      const wrapStore = (store: Store): Store => ({
        ...store,
        findEnded: () => Promise.reject(new Error('cannot be read')),
      });
      const servers = await startDeafServers(engine, { wrapStore });
      const { id, exchange, events } = await runChat(servers);
      made(await servers.unheard(() => cancelGeneration(servers.other, { id })));
      exchange.send(...words('a'));
      expect((await nextEvent(events)).__typename).toBe('ChatDelta');
      servers.clock.advance(1000);
      await exchange.closed;
      expect((await toEnd(events)).at(-1)?.__typename).toBe('ChatCanceled');
    });

    test('and then forgotten stops and stays deleted', async () => {
      const servers = await startDeafServers(engine);
      const { one, other, clock, unheard } = servers;
      const { id, exchange, events } = await runChat(servers);
      expect(await forget(other, id)).toEqual([]);
      expect(await findGeneration(one, id)).toMatchObject({ status: 'RUNNING' });
      made(await unheard(() => cancelGeneration(other, { id })));
      expect(await forget(other, id)).toEqual([id]);
      clock.advance(checkIntervalMs);
      await exchange.closed;
      expect((await toEnd(events)).at(-1)).toMatchObject({
        __typename: 'ChatFailed',
        error: { code: 'INTERRUPTED' },
      });
      for (const app of [one, other]) {
        expect(await findGeneration(app, id)).toBeNull();
        await expectKeyKept(app);
      }
      expect(servers.gateway.requests).toHaveLength(1);
    });

    test('and then forgotten fails, even if the gateway completes before the cancel is detected', async () => {
      const servers = await startDeafServers(engine);
      const { id, exchange, events } = await runChat(servers);
      made(await servers.unheard(() => cancelGeneration(servers.other, { id })));
      expect(await forget(servers.other, id)).toEqual([id]);
      exchange.send(...words('a'), '[DONE]');
      const end = (await toEnd(events)).at(-1);
      expect(end).toMatchObject({ __typename: 'ChatFailed', error: { code: 'INTERRUPTED' } });
      expect(await findGeneration(servers.one, id)).toBeNull();
    });

    test('before the gateway refuses it stays visible, and its key is released', async () => {
      const { one, other, gateway, unheard } = await startDeafServers(engine);
      const starting = startChat(one, hello);
      const exchange = await gateway.exchange(0);
      const { id } = made(await unheard(() => cancelGeneration(other, { idempotencyKey: 'k' })));
      exchange.reply(429, { error: { message: 'slow down' } });
      expect(refused(await starting).code).toBe('RATE_LIMITED');
      for (const app of [one, other])
        expect(await findGeneration(app, id)).toMatchObject({ status: 'CANCELED', error: null });
      const again = startChat(one, hello);
      (await gateway.exchange(1)).send(...words('a'), '[DONE]');
      expect(made(await again).id).not.toBe(id);
    });

    test('and then forgotten before the gateway accepts it is returned, stops and stays deleted', async () => {
      const { one, other, gateway, clock, unheard } = await startDeafServers(engine);
      const starting = startChat(one, hello);
      const exchange = await gateway.exchange(0);
      const { id } = made(await unheard(() => cancelGeneration(other, { idempotencyKey: 'k' })));
      expect(await forget(other, id)).toEqual([id]);
      exchange.accept();
      expect(made(await starting)).toMatchObject({ id, status: 'RUNNING' });
      clock.advance(checkIntervalMs);
      await exchange.closed;
      await expect.poll(() => findGeneration(one, id)).toBeNull();
      for (const app of [one, other]) await expectKeyKept(app);
      expect(gateway.requests).toHaveLength(1);
    });

    test('and then forgotten before the gateway refuses it stays deleted, and its key is released', async () => {
      const { one, other, gateway, unheard } = await startDeafServers(engine);
      const starting = startChat(one, hello);
      const exchange = await gateway.exchange(0);
      const { id } = made(await unheard(() => cancelGeneration(other, { idempotencyKey: 'k' })));
      expect(await forget(other, id)).toEqual([id]);
      exchange.reply(429, { error: { message: 'slow down' } });
      expect(refused(await starting).code).toBe('RATE_LIMITED');
      for (const app of [one, other]) expect(await findGeneration(app, id)).toBeNull();
      const again = startChat(other, hello);
      (await gateway.exchange(1)).send(...words('a'), '[DONE]');
      expect(made(await again).id).not.toBe(id);
    });

    test('and refused by the gateway meanwhile is not found', async () => {
      const { one, other, gateway, unheard } = await startDeafServers(engine);
      const starting = startChat(one, hello);
      const exchange = await gateway.exchange(0);
      const canceling = cancelGeneration(other, { idempotencyKey: 'k' });
      await expect.poll(() => other.app.activity.feeds).toBe(1);
      exchange.reply(429, { error: { message: 'slow down' } });
      expect(refused(await starting).code).toBe('RATE_LIMITED');
      expect(refused(await unheard(() => canceling)).code).toBe('NOT_FOUND');
    });

    test('is detected by one read for all running chats, and idle servers do not read', async () => {
      const checked: (readonly string[])[] = [];
      const wrapStore = (store: Store): Store => ({
        ...store,
        findEnded: (ids) => (checked.push(ids), store.findEnded(ids)),
      });
      const { one, gateway, clock } = await startDeafServers(engine, { wrapStore });
      expect(clock.pending(checkIntervalMs)).toBe(0);
      const ids: string[] = [];
      for (const index of [0, 1, 2]) {
        const starting = startChat(one, { input: ask('Hello'), idempotencyKey: `k${index}` });
        (await gateway.exchange(index)).accept();
        ids.push(made(await starting).id);
      }
      clock.advance(checkIntervalMs);
      expect(checked).toEqual([ids]);
      const watches = ids.map((id) => toEnd(chatEvents(one.wsClient(), { id })));
      for (const index of [0, 1, 2]) (await gateway.exchange(index)).send(...words('a'), '[DONE]');
      await Promise.all(watches);
      await expect.poll(() => clock.pending(checkIntervalMs)).toBe(0);
      const before = checked.length;
      clock.advance(10 * checkIntervalMs);
      expect(checked).toHaveLength(before);
    });
  });

  describe('a cancel of a waiting mutation, through a server that does not run it', () => {
    const start = async () => {
      const servers = await startDeafServers(engine);
      const waiting = createChatCompletion(servers.one, hello);
      const exchange = await servers.gateway.exchange(0);
      const canceled = made(
        await servers.unheard(() => cancelGeneration(servers.other, { idempotencyKey: 'k' })),
      );
      expect(canceled).toMatchObject({ status: 'CANCELED', output: null });
      return { ...servers, waiting, exchange, canceled };
    };

    test('stops the mutation within half a second, which returns the canceled generation', async () => {
      const { clock, waiting, exchange, canceled, gateway, other } = await start();
      clock.advance(checkIntervalMs);
      await exchange.closed;
      expect(made(await waiting)).toMatchObject({ id: canceled.id, status: 'CANCELED', error: null });
      expect(made(await createChatCompletion(other, hello)).status).toBe('CANCELED');
      expect(gateway.requests).toHaveLength(1);
    });

    test('keeps a reply that arrives before the server detects it', async () => {
      const { other, waiting, exchange, canceled } = await start();
      exchange.reply(200, {
        choices: [{ message: { content: 'a' } }],
        usage: { prompt_tokens: 1, completion_tokens: 1 },
      });
      made(await waiting);
      expect(await findGeneration(other, canceled.id)).toMatchObject({
        status: 'CANCELED',
        error: null,
        finishedAt: canceled.finishedAt,
        output: { choices: [{ message: { content: 'a' } }] },
        usage: { promptTokens: 1 },
      });
    });

    test('wins over a gateway connection that breaks before the server detects it', async () => {
      const { other, waiting, exchange, canceled } = await start();
      exchange.cut();
      expect(made(await waiting)).toMatchObject({ id: canceled.id, status: 'CANCELED' });
      expect(await findGeneration(other, canceled.id)).toMatchObject({ status: 'CANCELED', error: null });
    });

    test('is refused for createImage, which cannot be canceled', async () => {
      const { one, other, gateway, clock } = await startDeafServers(engine);
      const waiting = make(one, { byResolution: plainByResolution }, 'images');
      const exchange = await gateway.exchange(0);
      for (const app of [one, other]) {
        const answer = refused(await cancelGeneration(app, { idempotencyKey: 'images' }));
        expect(answer.code).toBe('NOT_CANCELABLE');
      }
      clock.advance(checkIntervalMs);
      exchange.reply(200, reply);
      expect(await waiting).toMatchObject({ status: 'SUCCEEDED' });
    });
  });

  test('an image stream can be canceled through a server that does not run it', async () => {
    const { one, other, gateway, clock, unheard } = await startDeafServers(engine);
    const variables = { input: plainByResolution, idempotencyKey: 'images' };
    const events = subscribe(one.wsClient(), StreamImagesDocument, variables);
    const first = events.next();
    const exchange = await gateway.exchange(0);
    exchange.accept();
    await first;
    expect(made(await unheard(() => cancelGeneration(other, { idempotencyKey: 'images' }))).status).toBe(
      'CANCELED',
    );
    clock.advance(checkIntervalMs);
    await exchange.closed;
    const { value } = await events.next();
    expect(value?.data?.streamImages.__typename).toBe('ImageCanceled');
  });

  test('the first recorded end wins over a later one from another server', async () => {
    const servers = await startDeafServers(engine);
    const { one, clock } = servers;
    const { id, exchange, events } = await runChat(servers);
    // Another instance considers this server dead and ends its generation.
    const records = await servers.records.openStore();
    const error = { code: 'INTERRUPTED', message: 'taken for dead' };
    await records.endGeneration(id, { status: 'FAILED', error, finishedAt: 1000, isVisible: true });
    await records.close();
    exchange.send(...words('a'), '[DONE]');
    clock.advance(1000);
    expect((await toEnd(events)).at(-1)).toMatchObject({
      __typename: 'ChatFailed',
      error: { code: 'INTERRUPTED' },
    });
    expect(await findGeneration(one, id)).toMatchObject({
      status: 'FAILED',
      error: { code: 'INTERRUPTED' },
      finishedAt: new Date(1000).toISOString(),
    });
  });
});

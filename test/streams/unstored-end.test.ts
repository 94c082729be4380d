import { describe, expect, onTestFinished, test } from 'vitest';
import { retryOptions } from '../../src/client/reconnecting.ts';
import { endWaitMs } from '../../src/streams/recorded-stream.ts';
import { createAbsentRecords } from '../support/absent-records.ts';
import {
  ask,
  cancelGeneration,
  chatEvents,
  type ChatEvent,
  createChatCompletion,
  createChatCompletionQuery,
  findGeneration,
  made,
  nextEvent,
  startChat,
  startChatQuery,
  streamChat,
} from '../support/chats.ts';
import { createDirectory } from '../support/durable-server.ts';
import { foldedText } from '../support/fold-chat.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { openRawSocket } from '../support/raw-socket.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';

const usage = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } };
/** The longest time between two attempts to record an end. */
const retryMs = 2000;

async function start() {
  const records = createAbsentRecords();
  const clock = createManualClock();
  const lines: Readonly<Record<string, unknown>>[] = [];
  const scripted = await startScripted({
    overrides: { wrapStore: records.wrapStore, clock },
    onLog: (line) => void lines.push(line),
  });
  onTestFinished(() => scripted[Symbol.asyncDispose]());
  const { app, gateway } = scripted;
  /** A chat that the gateway has accepted. */
  const run = async () => {
    const starting = startChat(app, { input: ask('Hello'), idempotencyKey: 'k' });
    const exchange = await gateway.exchange(0);
    exchange.accept();
    return { id: made(await starting).id, exchange };
  };
  /** Resolves when the end could not be recorded. */
  const untilUnstored = async (): Promise<void> => {
    await expect.poll(() => records.failed).toContain('endGeneration');
  };
  return { app, gateway, records, clock, lines, run, untilUnstored };
}

/** Resolves when everything that was sent before has arrived. */
async function roundTrip({ app }: Pick<Awaited<ReturnType<typeof start>>, 'app'>): Promise<void> {
  await app.run('{ __typename }');
}

describe('while the records are unavailable', () => {
  test.each([
    ['completes', ['[DONE]'], 'ChatCompleted', 'SUCCEEDED'],
    ['fails', [{ error: { message: 'no' } }], 'ChatFailed', 'FAILED'],
  ] as const)(
    'the text of a chat that %s goes on, and its end waits until it is recorded',
    async (_how, last, type, status) => {
      const server = await start();
      const { app, records, clock, lines, run, untilUnstored } = server;
      const { id, exchange } = await run();
      const events = chatEvents(app.wsClient(), { id });
      const seen: ChatEvent[] = [await nextEvent(events)];
      records.takeAway();
      exchange.send(...words('a', 'b'), usage, ...last);
      while (foldedText(seen) !== 'ab') seen.push(await nextEvent(events));
      await untilUnstored();
      const msg = 'could not record the end of a stream; retrying';
      await expect.poll(() => lines).toContainEqual(expect.objectContaining({ msg, generationId: id }));
      let isEnded = false;
      const reading = (async () => {
        while (!/Completed|Failed/.test(seen.at(-1)?.__typename ?? '')) seen.push(await nextEvent(events));
        isEnded = true;
      })();
      clock.advance(endWaitMs - retryMs - 1);
      await roundTrip(server);
      expect(isEnded).toBe(false);
      records.bringBack();
      clock.advance(retryMs);
      await reading;
      expect(seen.at(-1)?.__typename).toBe(type);
      expect(foldedText(seen)).toBe('ab');
      expect(await findGeneration(app, id)).toMatchObject({ status, usage: { totalTokens: 3 } });
    },
  );

  test('the sockets of watchers close with 1013 after 30 seconds, without an end, and again when they have come back', async () => {
    const { app, records, clock, run, untilUnstored } = await start();
    const { id, exchange } = await run();
    const query = 'subscription ($id: ID!) { chatEvents(id: $id) { __typename sequence } }';
    const watch = async () => {
      const socket = await openRawSocket(app.url);
      await socket.init();
      socket.subscribe('1', { query, variables: { id } });
      await socket.waitForMessage('1');
      return socket;
    };
    const sockets = [await watch(), await watch()];
    // The record can be read, so that watchers can come back.
    records.takeAway('endGeneration');
    exchange.send(...words('a'), '[DONE]');
    await untilUnstored();
    for (let round = 0; round < 2; round += 1) {
      clock.advance(endWaitMs);
      for (const socket of sockets.splice(0)) {
        expect(await socket.closed).toMatchObject({ code: 1013 });
        expect(JSON.stringify(socket.inbox.all)).not.toMatch(/Completed|Failed|Canceled|error/);
        expect(socket.inbox.all.map(({ type }) => type)).not.toContain('complete');
      }
      sockets.push(await watch());
    }
  });

  test('a stock client comes back by itself and gets the one end', async () => {
    const { app, gateway, records, clock, run, untilUnstored } = await start();
    const { id, exchange } = await run();
    const codes: number[] = [];
    const client = app.wsClient({
      ...retryOptions,
      retryWait: async () => {
        records.bringBack();
        clock.advance(retryMs);
      },
      on: { closed: (event) => codes.push((event as { code: number }).code) },
    });
    const events = chatEvents(client, { id });
    const seen: ChatEvent[] = [await nextEvent(events)];
    records.takeAway();
    exchange.send(...words('a'), '[DONE]');
    seen.push(await nextEvent(events));
    await untilUnstored();
    clock.advance(endWaitMs);
    for await (const event of events) seen.push(event);
    expect(codes[0]).toBe(1013);
    expect(seen.filter(({ __typename: type }) => /Completed|Failed/.test(type))).toHaveLength(1);
    expect(seen.at(-1)?.__typename).toBe('ChatCompleted');
    expect(gateway.requests).toHaveLength(1);
  });

  test('a stream over server-sent events ends with RECORDS_UNAVAILABLE, without an end event', async () => {
    const { app, records, clock, run, untilUnstored } = await start();
    const { id, exchange } = await run();
    const events = chatEvents(app.sseClient(), { id });
    const seen: ChatEvent[] = [await nextEvent(events)];
    records.takeAway();
    exchange.send(...words('a'), '[DONE]');
    seen.push(await nextEvent(events));
    await untilUnstored();
    clock.advance(endWaitMs);
    await expect(nextEvent(events)).rejects.toThrow(/RECORDS_UNAVAILABLE.*LATER/);
    expect(seen.map(({ __typename: type }) => type)).toEqual(['ChatSnapshot', 'ChatDelta']);
  });

  test('the subscription that began the chat asks for the same key then', async () => {
    const { app, gateway, records, clock, untilUnstored } = await start();
    const events = streamChat(app.sseClient(), { input: ask('Hello'), idempotencyKey: 'k' });
    const first = nextEvent(events);
    const exchange = await gateway.exchange(0);
    exchange.accept();
    await first;
    records.takeAway();
    exchange.send(...words('a'), '[DONE]');
    await nextEvent(events);
    await untilUnstored();
    clock.advance(endWaitMs);
    await expect(nextEvent(events)).rejects.toThrow(/RECORDS_UNAVAILABLE.*SAME_KEY/);
  });

  test('a mutation that waits for a chat answers with RECORDS_UNAVAILABLE after 30 seconds, and its key has the result later', async () => {
    const { app, gateway, records, clock, untilUnstored } = await start();
    const variables = { input: ask('Hello'), idempotencyKey: 'k' };
    const waiting = app.run(createChatCompletionQuery, variables);
    const exchange = await gateway.exchange(0);
    exchange.accept();
    await expect
      .poll(async () => (await app.run('{ generations(first: 1) { edges { node { id } } } }')).data)
      .toMatchObject({ generations: { edges: [{}] } });
    records.takeAway();
    exchange.send(...words('a'), '[DONE]');
    await untilUnstored();
    clock.advance(endWaitMs);
    expect((await waiting).errors).toMatchObject([
      { extensions: { code: 'RECORDS_UNAVAILABLE', retry: 'SAME_KEY' } },
    ]);
    records.bringBack();
    clock.advance(retryMs);
    await expect
      .poll(async () => made(await createChatCompletion(app, variables)))
      .toMatchObject({ status: 'SUCCEEDED', output: { choices: [{ message: { content: 'a' } }] } });
    expect(gateway.requests).toHaveLength(1);
  });

  test('a mutation without a key that waits for a chat names its generation, because no key finds the result', async () => {
    const { app, gateway, records, clock, untilUnstored } = await start();
    const waiting = app.run(createChatCompletionQuery, { input: ask('Hello') });
    const exchange = await gateway.exchange(0);
    exchange.accept();
    await expect
      .poll(async () => (await app.run('{ generations(first: 1) { edges { node { id } } } }')).data)
      .toMatchObject({ generations: { edges: [{}] } });
    records.takeAway();
    exchange.send(...words('a'), '[DONE]');
    await untilUnstored();
    clock.advance(endWaitMs);
    const { data, errors } = await waiting;
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({
      createChatCompletion: { code: 'OUTCOME_UNKNOWN', retry: 'MAY_CHARGE_AGAIN' },
    });
    records.bringBack();
  });

  test('a server that is stopped ends, although the ends of its chats cannot be recorded', async () => {
    const { app, records, run, untilUnstored } = await start();
    const { exchange } = await run();
    exchange.send(...words('a'));
    records.takeAway();
    const closing = app.app.close();
    await untilUnstored();
    await expect(closing).resolves.toBeUndefined();
    await exchange.closed;
  });

  test('a chat that is canceled before the gateway answers is CANCELED once that is recorded, and so is its retry', async () => {
    const { app, gateway, records, clock, untilUnstored } = await start();
    const variables = { input: ask('Hello'), idempotencyKey: 'k' };
    const starting = app.run(startChatQuery, variables);
    const exchange = await gateway.exchange(0);
    records.takeAway('endGeneration');
    const canceling = cancelGeneration(app, { idempotencyKey: 'k' });
    canceling.catch(() => {});
    await exchange.closed;
    await untilUnstored();
    clock.advance(endWaitMs);
    expect((await starting).errors).toMatchObject([
      { extensions: { code: 'RECORDS_UNAVAILABLE', retry: 'SAME_KEY' } },
    ]);
    await expect(canceling).rejects.toThrow(/RECORDS_UNAVAILABLE/);
    records.bringBack();
    clock.advance(retryMs);
    await expect.poll(() => startChat(app, variables)).toMatchObject({ status: 'CANCELED', error: null });
    expect(gateway.requests).toHaveLength(1);
  });

  test('a cancel stops the gateway at once, and is answered when it is recorded', async () => {
    const server = await start();
    const { app, records, clock, run, untilUnstored } = server;
    const { id, exchange } = await run();
    exchange.send(...words('a'));
    // Only the write of the end fails: the cancel reads the record first.
    records.takeAway('endGeneration');
    const canceling = cancelGeneration(app, { id });
    await exchange.closed;
    await untilUnstored();
    records.bringBack();
    clock.advance(retryMs);
    expect(made(await canceling)).toMatchObject({ id, status: 'CANCELED' });
  });
});

test('a chat whose end is recorded keeps its result for its key, although its server stopped before it could settle the create', async () => {
  const records = createAbsentRecords();
  const env = { DATA_DIR: await createDirectory() };
  const first = await startScripted({ env, overrides: { wrapStore: records.wrapStore } });
  const variables = { input: ask('Hello'), idempotencyKey: 'k' };
  records.takeAway('settle');
  const starting = first.app.run(startChatQuery, variables);
  (await first.gateway.exchange(0)).send(...words('a'), '[DONE]');
  expect((await starting).errors).toMatchObject([{ extensions: { code: 'RECORDS_UNAVAILABLE' } }]);
  const find = async () =>
    (
      await first.app.run<{ generation: { id: string; status: string } | null }, object>(
        '{ generation(by: { idempotencyKey: "k" }) { id status } }',
      )
    ).data?.generation;
  await expect.poll(find).toMatchObject({ status: 'SUCCEEDED' });
  const id = (await find())?.id;
  await first[Symbol.asyncDispose]();
  await using second = await startScripted({ env });
  expect(made(await startChat(second.app, variables))).toMatchObject({ id, status: 'SUCCEEDED' });
  expect(second.gateway.requests).toHaveLength(0);
});

import { expect, test } from 'vitest';
import { megabyte, startBigReply, takeTurns } from '../support/big-reply.ts';
import { ask, chatEvents, made, startChat, toEnd } from '../support/chats.ts';
import { heldBytes } from '../support/held-bytes.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { openRawSocket } from '../support/raw-socket.ts';
import { type Exchange, startScripted, words } from '../support/scripted-gateway.ts';

const piece = 'All work and no play makes a dull reply. '.repeat(200);
/** Almost the most that a chat may have (`reply-size.ts`). */
const pieceCount = Math.floor((7.9 * megabyte) / piece.length);

/** Sends the reply, a piece for each turn of the event loop, so that its reader keeps up. */
async function sendReply(
  exchange: Exchange,
  waitForSequence: (sequence: number) => Promise<void>,
): Promise<void> {
  for (let index = 1; index <= pieceCount; index += 1) {
    exchange.send(...words(piece));
    if (index % 20 === 0) await waitForSequence(index);
  }
  await waitForSequence(pieceCount);
}

test('a reply of 8 MB costs its own text once, however many watch it and never read', async () => {
  await using scripted = await startScripted({ env: { STREAM_LOG_SECONDS: '0.001' } });
  const { app, gateway } = scripted;
  const held: number[] = [];
  const watcherCounts = [0, 40];
  for (const [round, watcherCount] of watcherCounts.entries()) {
    const starting = startChat(app, { input: ask(`round ${round}`) });
    const exchange = await gateway.exchange(round);
    exchange.accept();
    const { id } = made(await starting);
    const query = `subscription { chatEvents(id: "${id}") { sequence ... on ChatDelta { choices { content } } } }`;
    const slow = await Promise.all(
      Array.from({ length: watcherCount }, async () => {
        const socket = await openRawSocket(app.url);
        await socket.init();
        socket.subscribe('a', query);
        await socket.waitForMessage('a');
        socket.pause();
        return socket;
      }),
    );
    let sequence = -1;
    let length = 0;
    const arrivals = new Set<() => void>();
    const reading = (async () => {
      const events = app.wsClient().iterate<{
        chatEvents: { sequence: number; choices?: readonly { content: string }[] };
      }>({ query });
      for await (const { data } of events) {
        sequence = data?.chatEvents.sequence ?? 0;
        length += data?.chatEvents.choices?.[0]?.content.length ?? 0;
        for (const arrive of arrivals) arrive();
      }
    })();
    const waitForSequence = async (awaited: number): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const arrive = (): void => {
        if (sequence >= awaited) resolve();
      };
      arrivals.add(arrive);
      arrive();
      await promise;
      arrivals.delete(arrive);
    };
    // Text that arrives before its snapshot would be only in that snapshot.
    await waitForSequence(0);
    await sendReply(exchange, waitForSequence);
    held.push(await heldBytes());
    exchange.send('[DONE]');
    await reading;
    expect(length).toBe(pieceCount * piece.length);
    for (const socket of slow) socket.terminate();
    await toEnd(chatEvents(app.wsClient(), { id }));
  }
  const [alone = 0, watched = 0] = held;
  const perWatcher = (watched - alone) / (watcherCounts[1] ?? 1);
  console.log(
    `a reply of ${((pieceCount * piece.length) / megabyte).toFixed(1)} MB: ${(alone / megabyte).toFixed(1)} MB held with 1 watcher, ${(perWatcher / 1024).toFixed(0)} KB more for each that never reads`,
  );
  // The size of one message, far less than a copy of the text.
  expect(perWatcher).toBeLessThan(1.5 * megabyte);
}, 120_000);

const eventCount = 100_000;
const watcherCount = 5000;

test('100,000 events and 5,000 watchers that came and went leave nothing behind', async () => {
  await using scripted = await startScripted({ env: { STREAM_LOG_SECONDS: '0.001' } });
  const { app, gateway } = scripted;
  const client = app.wsClient({ lazy: false, onNonLazyError: () => {} });
  let round = 0;
  const churn = async (events: number, watchers: number): Promise<void> => {
    const starting = startChat(app, { input: ask(`churn ${round}`) });
    const exchange = await gateway.exchange(round);
    round += 1;
    exchange.accept();
    const { id } = made(await starting);
    const perTurn = 50;
    const turns = watchers / perTurn;
    for (let turn = 0; turn < turns; turn += 1) {
      exchange.send(...words(...Array.from({ length: events / turns }, () => 'ab ')));
      const came = Array.from({ length: perTurn }, () =>
        client.iterate({ query: `subscription { chatEvents(id: "${id}") { sequence } }` }),
      );
      await Promise.all(came.map((stream) => stream.next()));
      for (const stream of came) await stream.return?.();
    }
    exchange.send('[DONE]');
    const last = (await toEnd(chatEvents(client, { id }))).at(-1);
    expect(last?.sequence).toBe(events);
  };
  await churn(10_000, 500);
  const before = await heldBytes();
  await churn(eventCount, watcherCount);
  const after = await heldBytes();
  console.log(
    `${eventCount} events, ${watcherCount} watchers: ${(before / megabyte).toFixed(1)} MB held before, ${(after / megabyte).toFixed(1)} MB after`,
  );
  expect(app.app.activity).toMatchObject({ streams: 0, watchers: 0 });
  // The record of the second chat, 300 KB of text, and what a heap keeps for itself.
  expect(after - before).toBeLessThan(6 * megabyte);
}, 120_000);

test('late watchers do not retain the output that was saved before they came', async () => {
  const clock = createManualClock();
  await using reply = await startBigReply({ overrides: { clock } });
  const { app, id } = reply;
  clock.advance(1000);
  await takeTurns(app);
  const held: number[] = [];
  const lateCount = 20;
  for (const count of [1, lateCount]) {
    const late = await Promise.all(
      Array.from({ length: count }, async () => {
        const socket = await openRawSocket(app.url);
        await socket.init();
        socket.subscribe('a', `subscription { chatEvents(id: "${id}") { sequence } }`);
        await socket.waitForMessage('a');
        return socket;
      }),
    );
    held.push(await heldBytes());
    for (const socket of late) socket.terminate();
  }
  const [one = 0, all = 0] = held;
  expect((all - one) / (lateCount - 1)).toBeLessThan(0.8 * megabyte);
}, 60_000);

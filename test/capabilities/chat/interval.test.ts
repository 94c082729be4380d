import { print } from 'graphql';
import type { Client as SseClient } from 'graphql-sse';
import type { Client as WsClient } from 'graphql-ws';
import { describe, expect, test } from 'vitest';
import {
  ChatEventsDocument,
  type ChatEventsSubscriptionVariables,
} from '../../../src/client/documents.generated.ts';
import { applyChatEvent, type ChatEvent, emptyChat } from '../../../src/client/chat-events.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { ask, made, startChat } from '../../support/chats.ts';
import { createInbox, type Inbox } from '../../support/inbox.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { startScripted, words } from '../../support/scripted-gateway.ts';

interface Watched {
  readonly inbox: Inbox<ChatEvent>;
  readonly ended: Promise<void>;
  leave(): Promise<unknown>;
}

function watch(client: WsClient | SseClient, variables: ChatEventsSubscriptionVariables): Watched {
  return watchField(client, { query: print(ChatEventsDocument), variables: { ...variables } });
}

/** Collects the events of the operation's only field. */
function watchField(
  client: WsClient | SseClient,
  payload: { readonly query: string; readonly variables: Record<string, unknown> },
): Watched {
  const results = client.iterate<Record<string, ChatEvent>>(payload);
  const inbox = createInbox<ChatEvent>();
  const read = async (): Promise<void> => {
    for await (const { data, errors } of results) {
      const [event] = Object.values(data ?? {});
      if (errors || !event) throw new AggregateError(errors ?? [], 'refused');
      inbox.push(event);
    }
  };
  return { inbox, ended: read(), leave: async () => results.return?.() };
}

/** A running chat without text. `send` resolves when the server has appended the words. */
async function startRunning() {
  const clock = createManualClock();
  const scripted = await startScripted({ overrides: { clock } });
  const { app, gateway } = scripted;
  const starting = startChat(app, { input: ask('Hello') });
  const exchange = await gateway.exchange(0);
  exchange.accept();
  const { id } = made(await starting);
  const unpaced = watch(app.wsClient(), { id });
  await unpaced.inbox.at(0);
  const send = async (...contents: readonly string[]): Promise<void> => {
    const { length } = unpaced.inbox.all;
    exchange.send(...words(...contents));
    await unpaced.inbox.at(length);
  };
  const dispose = () => scripted[Symbol.asyncDispose]();
  return { app, gateway, clock, exchange, id, send, [Symbol.asyncDispose]: dispose };
}

type Client = 'wsClient' | 'sseClient';
const spans = (events: readonly ChatEvent[]): readonly unknown[] =>
  events.map((event) =>
    event.__typename === 'ChatDelta' ? [event.fromSequence, event.sequence] : event.__typename,
  );
const textOf = (events: readonly ChatEvent[]): string | undefined =>
  events.reduce(applyChatEvent, emptyChat).choices[0]?.content;

describe.each<Client>(['wsClient', 'sseClient'])('`minIntervalMs` over %s', (client) => {
  test('merges deltas until the interval is over, and delays neither the first event nor the end', async () => {
    await using running = await startRunning();
    const { app, clock, exchange, id, send } = running;
    const { inbox, ended } = watch(app[client](), { id, minIntervalMs: 100 });
    await inbox.at(0);
    await send('a');
    await clock.waitForTimer(100);
    await send('b');
    await send('c');
    clock.advance(99);
    expect(spans(inbox.all)).toEqual(['ChatSnapshot']);
    clock.advance(1);
    await inbox.at(1);
    await send('d');
    await clock.waitForTimer(100);
    await send('e');
    exchange.send('[DONE]');
    await ended;
    expect(spans(inbox.all)).toEqual(['ChatSnapshot', [1, 3], [4, 5], 'ChatCompleted']);
    expect(textOf(inbox.all)).toBe('abcde');
    expect(clock.pending(100)).toBe(0);
  });

  test('sends a delta at once when the last event is older than the interval', async () => {
    await using running = await startRunning();
    const { app, clock, id, send } = running;
    const { inbox } = watch(app[client](), { id, minIntervalMs: 100 });
    await inbox.at(0);
    for (const word of ['a', 'b']) {
      clock.advance(100);
      await send(word);
      await inbox.at(word === 'a' ? 1 : 2);
    }
    expect(spans(inbox.all)).toEqual(['ChatSnapshot', [1, 1], [2, 2]]);
    expect(clock.pending(100)).toBe(0);
  });

  test('has no timer after its subscriber left', async () => {
    await using running = await startRunning();
    const { app, clock, id, send } = running;
    const paced = watch(app[client](), { id, minIntervalMs: 100 });
    await paced.inbox.at(0);
    await send('a');
    await clock.waitForTimer(100);
    await paced.leave();
    await send('b');
    await expect.poll(() => clock.pending(100)).toBe(0);
  });
});

test('`minIntervalMs` concerns one watcher, and continues after `after`', async () => {
  await using running = await startRunning();
  const { app, clock, exchange, id, send } = running;
  await send('a');
  const slow = watch(app.wsClient(), { id, after: 0, minIntervalMs: 10_000 });
  const quick = watch(app.wsClient(), { id, after: 1, minIntervalMs: 1 });
  await slow.inbox.at(0);
  await send('b');
  await clock.waitForTimer(10_000);
  await quick.inbox.at(0);
  await send('c');
  await clock.waitForTimer(1);
  clock.advance(1);
  await quick.inbox.at(1);
  exchange.send('[DONE]');
  await Promise.all([slow.ended, quick.ended]);
  expect(spans(slow.inbox.all)).toEqual([[1, 1], [2, 3], 'ChatCompleted']);
  expect(spans(quick.inbox.all)).toEqual([[2, 2], [3, 3], 'ChatCompleted']);
});

test.each([
  ['100 ms if deltas select soFar', 'soFar { sequence }', [[1, 3], 'ChatCompleted']],
  ['100 ms if a fragment on deltas selects soFar', '...Held', [[1, 3], 'ChatCompleted']],
  [
    '0 if only other events select soFar',
    '... on ChatSnapshot { soFar { sequence } }',
    [[1, 1], [2, 2], [3, 3], 'ChatCompleted'],
  ],
])('the default interval is %s', async (_what, selection, expected) => {
  await using running = await startRunning();
  const { app, clock, exchange, id, send } = running;
  const query = `subscription ($id: ID!) {
    chatEvents(id: $id) { __typename sequence ... on ChatDelta { fromSequence choices { index content } } ${selection} }
  }
  fragment Held on ChatDelta { soFar { sequence } }`.replace(
    selection === '...Held' ? '\u0000' : /\n +fragment Held.*/,
    '',
  );
  const { inbox, ended } = watchField(app.wsClient(), { query, variables: { id } });
  await inbox.at(0);
  const isPaced = expected.length === 2;
  for (const [index, text] of ['a', 'b', 'c'].entries()) {
    await send(text);
    if (isPaced) await clock.waitForTimer(100);
    else await inbox.at(index + 1);
  }
  exchange.send('[DONE]');
  await ended;
  expect(spans(inbox.all.slice(1))).toEqual(expected);
});

describe('`minIntervalMs` of streamChat', () => {
  const query = `subscription ($key: ID!, $minIntervalMs: Int) {
    streamChat(
      input: { model: "m", messages: [{ role: USER, content: { text: "Hello" } }] }
      idempotencyKey: $key
      minIntervalMs: $minIntervalMs
    ) {
      __typename generationId sequence
      ... on ChatDelta { fromSequence choices { index content } }
      ... on ChatFailed { error { code ... on InvalidInputError { issues { path message limit received } } } }
    }
  }`;
  const stream = (app: TestApp, minIntervalMs: number | null): Watched =>
    watchField(app.wsClient(), { query, variables: { key: 'k', minIntervalMs } });

  test('is not part of the request: the same key with another interval attaches', async () => {
    const clock = createManualClock();
    await using scripted = await startScripted({ overrides: { clock } });
    const { app, gateway } = scripted;
    const first = stream(app, 5000);
    const exchange = await gateway.exchange(0);
    exchange.accept();
    await first.inbox.at(0);
    const second = stream(app, null);
    await second.inbox.at(0);
    exchange.send(...words('a'));
    await second.inbox.at(1);
    await clock.waitForTimer(5000);
    exchange.send(...words('b'), '[DONE]');
    await Promise.all([first.ended, second.ended]);
    expect(spans(first.inbox.all)).toEqual(['ChatSnapshot', [1, 2], 'ChatCompleted']);
    expect(spans(second.inbox.all)).toEqual(['ChatSnapshot', [1, 1], [2, 2], 'ChatCompleted']);
    const ids = [first, second].flatMap(({ inbox }) => inbox.all.map(({ generationId }) => generationId));
    expect(new Set(ids).size).toBe(1);
    expect(gateway.requests).toHaveLength(1);
  });

  test.each([-1, 10_001])('%i is refused before anything is sent', async (minIntervalMs) => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const { inbox, ended } = stream(app, minIntervalMs);
    await ended;
    const received = String(minIntervalMs);
    const issue = { path: ['minIntervalMs'], message: 'Must be 0 to 10000.', limit: '0 to 10000', received };
    expect(inbox.all).toMatchObject([
      { __typename: 'ChatFailed', generationId: null, error: { code: 'INVALID_INPUT', issues: [issue] } },
    ]);
    expect(gateway.requests).toEqual([]);
  });
});

test.each(['chatEvents', 'imageEvents'])('%s refuses an interval out of range', async (field) => {
  await using app = await startApp();
  for (const minIntervalMs of [-1, 10_001]) {
    const query = `subscription { ${field}(id: "x", minIntervalMs: ${minIntervalMs}) { sequence } }`;
    for await (const result of app.wsClient().iterate({ query }))
      expect(result.errors).toMatchObject([
        {
          message: `minIntervalMs must be 0 to 10000, received ${minIntervalMs}.`,
          path: [field],
          extensions: { code: 'LIMIT_EXCEEDED' },
        },
      ]);
  }
  expect.assertions(2);
});

import { describe, expect, test } from 'vitest';
import { maxWrittenChars } from '../../../../src/server/operation/compiled/event-writers.ts';
import { type PushOptions, PushedEvents } from '../../../../src/server/operation/compiled/push-events.ts';
import type { PreparedEvent } from '../../../../src/server/operation/event-preparation.ts';
import type { TakeResult } from '../../../../src/lib/follow.ts';
import { startApp } from '../../../support/app.ts';
import { createInbox } from '../../../support/inbox.ts';

/** A source and a socket that a test drives. */
function start(options: Partial<PushOptions> = {}) {
  const sent: string[] = [];
  const turns: PromiseWithResolvers<boolean>[] = [];
  const values: (string | Error)[] = [];
  const state = { turnsTaken: 0, preparing: 0, isBehind: false, isEnded: false, isOpen: false };
  let written: (() => void) | undefined;
  let wake = (): void => {};
  /** A test that resolves a turn counts it. */
  const wait = (counted: 'turnsTaken' | 'preparing'): Promise<boolean> | undefined => {
    if (!state.isBehind) {
      state[counted] += 1;
      return undefined;
    }
    const turn = Promise.withResolvers<boolean>();
    turns.push(turn);
    return turn.promise;
  };
  const events = new PushedEvents({
    id: 'a"b',
    source: {
      open(wakeReader) {
        state.isOpen = true;
        wake = wakeReader;
        return () => (state.isOpen = false);
      },
      take(): TakeResult<unknown> {
        const value = values.shift();
        if (value instanceof Error) throw value;
        if (value !== undefined) return { value };
        return state.isEnded ? 'end' : 'wait';
      },
    },
    socket: {
      waitForTurn: () => wait('turnsTaken'),
      releaseTurn: () => void (state.turnsTaken -= 1),
      waitToPrepare: () => wait('preparing'),
      endPreparation() {
        state.preparing -= 1;
        return true;
      },
      write(message, onWritten) {
        state.turnsTaken = 0;
        sent.push(message.toString());
        written = onWritten;
        return true;
      },
    },
    write: (event) => (event === 'executed' ? undefined : JSON.stringify(event)),
    prepare: async () => ({ text: '{"data":{"executed":true}}', errors: undefined }),
    onEnd() {},
    toError: (error) => error,
    ...options,
  });
  const add = (...added: readonly (string | Error)[]): void => {
    values.push(...added);
    wake();
  };
  return {
    events,
    ended: events.next(),
    sent,
    state,
    turns,
    add,
    wake: () => wake(),
    written: () => written?.(),
  };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('pushed events', () => {
  test('are next messages, one at a time, then the iterator ends', async () => {
    const { ended, sent, state, add, wake, written } = start();
    add('one', 'two');
    expect(sent).toEqual(['{"id":"a\\"b","type":"next","payload":{"data":"one"}}']);
    written();
    expect(sent).toHaveLength(2);
    state.isEnded = true;
    wake();
    written();
    expect(await ended).toEqual({ done: true, value: undefined });
    expect(state).toMatchObject({ isOpen: false, turnsTaken: 0 });
  });

  test('are taken again after the latest one only when the source wakes the reader', () => {
    const values: string[] = [];
    let taken = 0;
    let wake = (): void => {};
    const { sent, written } = start({
      source: {
        open(wakeReader) {
          wake = wakeReader;
          return () => {};
        },
        take() {
          taken += 1;
          const value = values.shift();
          return value === undefined ? 'wait' : { value, isLatest: values.length === 0 };
        },
      },
    });
    const add = (...added: readonly string[]): void => {
      values.push(...added);
      wake();
    };
    add('one', 'two');
    written();
    written();
    expect([sent.length, taken]).toEqual([2, 3]);
    add('three');
    // While a message is being written.
    add('four');
    expect(sent).toHaveLength(3);
    written();
    expect([sent.length, taken]).toEqual([4, 5]);
    written();
    expect(taken).toBe(5);
    add('five');
    expect(sent).toHaveLength(5);
  });

  test('that follow a long one are prepared, not written in one step, until one is short again', async () => {
    const lengths = [maxWrittenChars + 1, 10];
    const { sent, add, written } = start({
      prepare: async () => ({ text: 'x'.repeat(lengths.shift() ?? 0), errors: undefined }),
    });
    // The writer refuses the first.
    add('executed', 'two', 'three');
    await settle();
    expect(sent.length).toBe(1);
    written();
    await settle();
    // The message is a frame around the text.
    expect(sent.map((message) => message.includes('x'))).toEqual([true, true]);
    written();
    await settle();
    expect(sent.at(-1)).toContain('"three"');
    expect(lengths).toEqual([]);
  });

  test('wait while the socket is behind, and take only what is current then', async () => {
    const { sent, state, turns, add } = start();
    state.isBehind = true;
    add('one');
    add();
    expect(turns).toHaveLength(1);
    state.turnsTaken += 1;
    turns[0]?.resolve(true);
    await settle();
    expect(sent).toHaveLength(1);
  });

  test('of a subscription that ended release the turn that comes later', async () => {
    const { events, ended, sent, state, turns, add } = start();
    state.isBehind = true;
    add('one');
    await events.return?.();
    expect(await ended).toEqual({ done: true, value: undefined });
    state.turnsTaken += 1;
    turns[0]?.resolve(true);
    await settle();
    expect(sent).toEqual([]);
    expect(state).toMatchObject({ isOpen: false, turnsTaken: 0 });
  });

  test('of a subscription that ended end the preparation that they may begin later', async () => {
    const { events, sent, state, turns, add } = start({ write: undefined });
    state.isBehind = true;
    add('one');
    await events.return?.();
    state.preparing += 1;
    turns[0]?.resolve(true);
    await settle();
    expect(sent).toEqual([]);
    expect(state).toMatchObject({ isOpen: false, preparing: 0, turnsTaken: 0 });
  });

  test('that are prepared end with the error of their source, which ends the preparation', async () => {
    const { ended, state, add } = start({ write: undefined });
    add(new Error('source'));
    await expect(ended).rejects.toThrow('source');
    expect(state).toMatchObject({ isOpen: false, preparing: 0, turnsTaken: 0 });
  });

  test('of a closed socket are not taken', async () => {
    const { sent, state, turns, add } = start();
    state.isBehind = true;
    add('one');
    turns[0]?.resolve(false);
    await settle();
    add('two');
    expect(sent).toEqual([]);
    expect(turns).toHaveLength(1);
  });

  test('that graphql-js executes leave the turn to other subscriptions meanwhile, and keep their order', async () => {
    const execution = Promise.withResolvers<PreparedEvent>();
    const executed: number[] = [];
    const { ended, sent, state, add, wake, written } = start({
      prepare: () => execution.promise,
      onEnd: (count) => executed.push(count),
    });
    add('executed', 'two');
    expect(state.turnsTaken).toBe(0);
    expect(sent).toEqual([]);
    execution.resolve({ text: '{"data":{"a":1}}', errors: undefined });
    await settle();
    expect(sent).toEqual(['{"id":"a\\"b","type":"next","payload":{"data":{"a":1}}}']);
    written();
    expect(sent).toHaveLength(2);
    state.isEnded = true;
    wake();
    written();
    await ended;
    expect(executed).toEqual([1]);
  });

  test('end with the error of their source, and of an execution', async () => {
    const source = start();
    source.add(new Error('source'));
    await expect(source.ended).rejects.toThrow('source');
    expect(source.state).toMatchObject({ isOpen: false, turnsTaken: 0 });
    const execution = start({ prepare: () => Promise.reject(new Error('execution')) });
    execution.add('executed');
    await expect(execution.ended).rejects.toThrow('execution');
    expect(execution.state).toMatchObject({ isOpen: false, turnsTaken: 0, preparing: 0 });
  });
});

async function readAll(events: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const selections = {
  deltas: '__typename generationId sequence ... on ChatDelta { fromSequence choices { index role content } }',
  'the reply so far':
    'soFar { sequence model choices { message { role content toolCalls { id } } finishReason } }',
  'aliases, fragments and conditions':
    'a: sequence ...E @skip(if: false) ...E b: sequence @include(if: false) } } fragment E on ChatEvent { sequence ... on ChatCompleted { t: __typename',
  'the generation': 'sequence ... on ChatCompleted { generation { id status usage { totalTokens } } }',
  'the request': 'soFar { messages { role content } }',
};

describe('a chat', () => {
  test.each(Object.entries(selections))(
    'sends the same events over WebSocket as the executor over SSE: %s',
    async (_name, selection) => {
      await using app = await startApp();
      const input = {
        model: 'gpt-4o',
        messages: [{ role: 'USER', content: { text: 'Count to 5.' } }],
        seed: 1,
      };
      const start = 'mutation ($input: ChatInput!) { startChat(input: $input) { ... on Generation { id } } }';
      const { data } = await app.run<{ startChat: { id: string } }, unknown>(start, { input });
      const query = `subscription ($id: ID!, $after: Int) { chatEvents(id: $id, after: $after) { ${selection} } }`;
      const follow = { query, variables: { id: data?.startChat.id } };
      await readAll(app.sseClient().iterate({ ...follow, variables: { ...follow.variables, after: 0 } }));
      for (const after of [undefined, 0, 1]) {
        const variables = { ...follow.variables, after };
        const executed = await readAll(app.sseClient().iterate({ query, variables }));
        expect(executed.length).toBeGreaterThan(1);
        expect(JSON.stringify(await readAll(app.wsClient().iterate({ query, variables })))).toBe(
          JSON.stringify(executed),
        );
      }
    },
  );

  test.each([
    ['only deltas', '... on ChatDelta { choices { content } }', undefined],
    ['the generation at the end', '... on ChatCompleted { generation { id } }', 1],
    ['a variable below the root', 'sequence @include(if: $is)', 2],
  ])('logs how many events the executor had to execute: %s', async (_name, selection, executed) => {
    const lines = createInbox<Readonly<Record<string, unknown>>>();
    await using app = await startApp({ onLog: lines.push });
    const input = { model: 'gpt-4o', messages: [{ role: 'USER', content: { text: 'Hi' } }], seed: 1 };
    const variable = selection.includes('$is') ? ', $is: Boolean! = true' : '';
    const start = 'mutation ($input: ChatInput!) { startChat(input: $input) { ... on Generation { id } } }';
    const { data } = await app.run<{ startChat: { id: string } }, unknown>(start, { input });
    const { id } = data?.startChat ?? {};
    await readAll(
      app.wsClient().iterate({
        query: 'subscription ($id: ID!) { chatEvents(id: $id) { sequence } }',
        variables: { id },
      }),
    );
    const query = `subscription ($id: ID!${variable}) { chatEvents(id: $id, after: 0) { ${selection} } }`;
    const events = await readAll(app.wsClient().iterate({ query, variables: { id } }));
    expect(events).toHaveLength(2);
    const counts = lines.all.filter((line) => 'executed' in line).map((line) => line['executed']);
    expect(counts).toEqual(executed === undefined ? [] : [executed]);
  });
});

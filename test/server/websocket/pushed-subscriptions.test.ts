import { GraphQLError } from 'graphql';
import { describe, expect, test } from 'vitest';
import type { PushedEvents } from '../../../src/server/operation/compiled/push-events.ts';
import {
  createPushedSubscriptions,
  createTakenOver,
} from '../../../src/server/websocket/pushed-subscriptions.ts';

/** Events that a test ends, on a socket with the subscriptions of graphql-ws. */
function start({ readyState = 1 }: { readonly readyState?: 1 | 3 } = {}) {
  const ended = Promise.withResolvers<IteratorReturnResult<undefined>>();
  const sent: unknown[] = [];
  const state = { isReturned: false, isOver: false };
  const done = { done: true, value: undefined } as const;
  const events: PushedEvents = {
    isPushed: true,
    isOwn: false,
    [Symbol.asyncIterator]: () => events,
    next: () => ended.promise,
    async return() {
      state.isReturned = true;
      ended.resolve(done);
      return done;
    },
  };
  const connection: { subscriptions: Record<string, AsyncGenerator | AsyncIterable<unknown> | null> } = {
    // As graphql-ws marks an operation that it opens.
    subscriptions: { id: null },
  };
  const payload = {};
  const pushed = createPushedSubscriptions({
    takenOver: createTakenOver(),
    socket: { readyState, CLOSED: 3 },
    send: async (text) => void sent.push(JSON.parse(text)),
  });
  const begin = (): boolean => {
    pushed.takeOver({ payload, connection, id: 'id', events });
    return pushed.start(payload, () => (state.isOver = true));
  };
  return { connection, events, ended, end: () => ended.resolve(done), sent, state, pushed, begin };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a subscription that was taken over', () => {
  test('is open until its events end, then sends complete and frees its id', async () => {
    const { connection, events, end, sent, state, begin } = start();
    expect(begin()).toBe(true);
    expect(connection.subscriptions['id']).toBe(events);
    await settle();
    expect(state.isOver).toBe(false);
    end();
    await settle();
    expect(sent).toEqual([{ id: 'id', type: 'complete' }]);
    expect(state.isOver).toBe(true);
    expect(connection.subscriptions).toEqual({});
  });

  test('sends the error of its events', async () => {
    const { ended, sent, state, begin } = start();
    begin();
    ended.reject(new GraphQLError('failed', { extensions: { code: 'INTERNAL' } }));
    await settle();
    expect(sent).toEqual([
      { id: 'id', type: 'error', payload: [{ message: 'failed', extensions: { code: 'INTERNAL' } }] },
    ]);
    expect(state.isOver).toBe(true);
  });

  test('sends nothing after its client completed it, even if the id is in use again', async () => {
    const { connection, events, sent, state, begin } = start();
    begin();
    connection.subscriptions['id'] = null;
    await events.return?.();
    await settle();
    expect(sent).toEqual([]);
    expect(state.isOver).toBe(true);
    expect(connection.subscriptions).toEqual({ id: null });
  });

  test('is returned if its client completed it while it was opened', () => {
    const { connection, state, begin } = start();
    delete connection.subscriptions['id'];
    expect(begin()).toBe(false);
    expect(state.isReturned).toBe(true);
  });

  test('is returned if its socket has closed', async () => {
    const { state, begin } = start({ readyState: 3 });
    expect(begin()).toBe(true);
    await settle();
    expect(state).toEqual({ isReturned: true, isOver: true });
  });
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { paceResults } from '../../../src/server/graphiql/browser/pace-results.ts';

interface Message {
  readonly type: string;
  readonly id?: string;
  readonly payload?: unknown;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  vi.stubGlobal('window', globalThis);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function connect() {
  /** As a browser's: its setter registers the listener. */
  class Socket {
    #listen: ((event: MessageEvent) => void) | null = null;
    get onmessage() {
      return this.#listen;
    }
    set onmessage(listen) {
      this.#listen = listen;
    }
  }
  paceResults(Socket.prototype as unknown as WebSocket);
  const socket = new Socket();
  const listenBy = (onmessage: Socket['onmessage']): Socket => Object.assign(socket, { onmessage });
  const seen: Message[] = [];
  listenBy(({ data }) => seen.push(JSON.parse(String(data)) as Message));
  const receive = (message: Message): void =>
    socket.onmessage?.({ data: JSON.stringify(message) } as MessageEvent);
  const next = (id: string, payload: unknown): Message => ({ type: 'next', id, payload });
  return { socket, seen, receive, next, listenBy };
}

test('of the results within 50 ms, the latest of each operation arrives', () => {
  const { seen, receive, next } = connect();
  receive(next('a', 1));
  vi.advanceTimersByTime(0);
  expect(seen).toEqual([next('a', 1)]);
  for (const payload of [2, 3]) for (const id of ['a', 'b']) receive(next(id, payload));
  vi.advanceTimersByTime(49);
  expect(seen).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(seen.slice(1)).toEqual([next('a', 3), next('b', 3)]);
});

test('after a pause, a result arrives at once', () => {
  const { seen, receive, next } = connect();
  for (const payload of [1, 2]) {
    receive(next('a', payload));
    vi.advanceTimersByTime(0);
    expect(seen.at(-1)).toEqual(next('a', payload));
    vi.advanceTimersByTime(50);
  }
});

test('every other message arrives at once, after the results before it', () => {
  const { seen, receive, next } = connect();
  receive(next('a', 1));
  receive({ type: 'complete', id: 'a' });
  receive({ type: 'ping' });
  expect(seen).toEqual([next('a', 1), { type: 'complete', id: 'a' }, { type: 'ping' }]);
  vi.runAllTimers();
  expect(seen).toHaveLength(3);
});

test('parts of an incremental delivery all arrive', () => {
  const { seen, receive, next } = connect();
  for (const hasNext of [true, true, false]) receive(next('a', { hasNext }));
  expect(seen).toHaveLength(3);
});

test('a listener can be removed', () => {
  const { socket, listenBy } = connect();
  listenBy(null);
  expect(socket.onmessage).toBeNull();
});

import { buildSchema, GraphQLError } from 'graphql';
import { describe, expect, test, vi } from 'vitest';
import { type Feed, follow } from '../../../src/lib/follow.ts';
import { openRawSocket } from '../../support/raw-socket.ts';
import { startTransports } from '../../support/transports.ts';

type Outcome = 'end' | Error | object;

/** A feed that waits until the test gives it an event, its end or an error. */
function createFeed() {
  const outcomes: Outcome[] = [];
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  let wake = (): void => {};
  const feed = follow<object>({
    open(onNews) {
      wake = onNews;
      opened.resolve();
      return closed.resolve;
    },
    take() {
      const outcome = outcomes.shift();
      if (outcome instanceof Error) throw outcome;
      if (outcome === 'end' || outcome === undefined) return outcome ?? 'wait';
      return { value: outcome };
    },
  });
  const push = (outcome: Outcome): void => {
    outcomes.push(outcome);
    wake();
  };
  return { feed, push, opened: opened.promise, closed: closed.promise };
}

/** A socket whose subscriptions to `a` get one feed after the other. */
async function start(feeds: readonly (Feed<object> | Promise<Feed<object>>)[]) {
  const schema = buildSchema('type Query { q: Int } type Subscription { a: Int }');
  const remaining = feeds.values();
  const field = schema.getSubscriptionType()?.getFields()['a'];
  if (!field) throw new Error('no field');
  field.subscribe = () => remaining.next().value;
  const { url, sockets } = await startTransports(schema);
  const socket = await openRawSocket(url);
  await socket.init();
  const subscribe = (): void => socket.subscribe('id', 'subscription { a }');
  let queries = 0;
  /** What the socket has received when it answers a query. */
  const received = async (): Promise<readonly unknown[]> => {
    queries += 1;
    socket.subscribe(`query-${queries}`, '{ __typename }');
    await socket.waitForEnd(`query-${queries}`);
    return socket.inbox.all.filter(({ id }) => id === 'id');
  };
  return { socket, sockets, subscribe, received };
}

const next = (a: number) => ({ id: 'id', type: 'next', payload: { data: { a } } });
const complete = { id: 'id', type: 'complete' };

describe('an open subscription', () => {
  test('sends its events, and complete at its end, which frees its id', async () => {
    const [first, second] = [createFeed(), createFeed()];
    const { socket, subscribe, received } = await start([first.feed, second.feed]);
    subscribe();
    await first.opened;
    first.push({ a: 1 });
    first.push({ a: 2 });
    await socket.inbox.when((all) => all.length === 3);
    first.push('end');
    await socket.waitForEnd('id');
    subscribe();
    await second.opened;
    second.push({ a: 3 });
    await socket.inbox.when((all) => all.length === 5);
    expect(await received()).toEqual([next(1), next(2), complete, next(3)]);
  });

  test('sends the error of its events, which ends it', async () => {
    const { feed, push, opened, closed } = createFeed();
    const { socket, subscribe, received } = await start([feed, createFeed().feed]);
    subscribe();
    await opened;
    push(new GraphQLError('failed', { extensions: { code: 'GATEWAY_ERROR' } }));
    await closed;
    const [error] = await socket.waitForEnd('id');
    expect(error).toMatchObject({
      type: 'error',
      payload: [{ message: 'failed', extensions: { code: 'GATEWAY_ERROR' } }],
    });
    subscribe();
    expect(await received()).toHaveLength(1);
  });

  test('sends nothing after its client completed it, even if the id is in use again', async () => {
    const [first, second] = [createFeed(), createFeed()];
    const { socket, subscribe, received } = await start([first.feed, second.feed]);
    subscribe();
    await first.opened;
    socket.send({ type: 'complete', id: 'id' });
    subscribe();
    await Promise.all([first.closed, second.opened]);
    first.push({ a: 1 });
    second.push({ a: 2 });
    expect(await received()).toEqual([next(2)]);
  });

  type Started = Awaited<ReturnType<typeof start>>;
  const completes = async ({ socket, received }: Started): Promise<void> => {
    socket.send({ type: 'complete', id: 'id' });
    await received();
  };
  const leaves = async ({ socket, sockets }: Started): Promise<void> => {
    socket.terminate();
    await vi.waitUntil(() => sockets.sockets === 0, { interval: 5, timeout: 10_000 });
  };
  test.each([
    ['completes it', completes],
    ['leaves', leaves],
  ])('is not started if its client %s while it opens', async (_what, end) => {
    const { feed, opened } = createFeed();
    const opening = Promise.withResolvers<Feed<object>>();
    const started = await start([opening.promise]);
    const { socket, sockets, subscribe, received } = started;
    subscribe();
    await received();
    await end(started);
    opening.resolve(feed);
    const ended = sockets.waitUntilIdle().then(() => 'ended');
    expect(await Promise.race([ended, opened])).toBe('ended');
    expect(socket.inbox.all.filter(({ id }) => id === 'id')).toEqual([]);
  });
});

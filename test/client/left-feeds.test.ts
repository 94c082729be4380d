import { createConnection } from '../../src/client/connection.ts';
import type { ReconnectingClient } from '../../src/client/reconnecting.ts';
import type { Sink, SubscribePayload } from 'graphql-ws';
import { expect, onTestFinished, test } from 'vitest';
import { FeedFollower } from '../../src/client/feed.ts';
import { findNewest, newestText } from '../../src/client/ai-sdk/thread.ts';
import type { FeedView, GenerationView, Gengraph } from '../../src/client/gengraph.ts';
import { findRunning } from '../../src/client/running.ts';
import { endText, followKnown, followTask, generationText } from '../../src/client/follow-generation.ts';

interface Sent {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly isOpen: boolean;
  answer(value: unknown): void;
  fail(errors: readonly object[]): void;
}

/** A client whose operations the test answers. */
function createStubClient() {
  const sent: Sent[] = [];
  const client = {
    connection: createConnection(() => {}),
    subscribe({ query, variables }: SubscribePayload, sink: Sink) {
      let isOpen = true;
      sent.push({
        query,
        variables: { ...variables },
        get isOpen() {
          return isOpen;
        },
        answer: (value) => sink.next({ data: { tasksProgress: value } }),
        fail: (errors) => sink.next({ data: null, errors: errors as never }),
      });
      return () => void (isOpen = false);
    },
  } as unknown as ReconnectingClient;
  const last = async (part: string, count = 1): Promise<Sent> => {
    const found = () => sent.filter(({ query }) => query.includes(part));
    await expect.poll(() => found().length).toBeGreaterThanOrEqual(count);
    return found().at(-1) as Sent;
  };
  return { client, sent, last };
}

const running = (id: string) => ({
  id,
  __typename: 'Generation',
  kind: 'SONG',
  status: 'RUNNING',
  createdAt: `2026-01-01T00:00:00.00${id}Z`,
  isTerminal: false,
  assets: [],
  task: { id: `task_${id}` },
});
const pageOf = (ids: readonly string[], hasNextPage = false) => ({
  feedCursor: 'now',
  edges: ids.map((id) => ({ node: running(id) })),
  pageInfo: { hasNextPage, endCursor: ids.at(-1) ?? null },
});

function enter(follower: FeedFollower): { readonly views: FeedView[]; leave(): void } {
  const views: FeedView[] = [];
  const leave = follower.add({ push: (view) => void views.push(view), end() {} });
  return { views, leave };
}

test('a feed that is entered again watches the progress of its tasks', async () => {
  const { client, last } = createStubClient();
  const follower = new FeedFollower(client);
  const first = enter(follower);
  (await last('query Feed(')).answer(pageOf(['1']));
  const progress = await last('ProgressOf');
  first.leave();
  expect(progress.isOpen).toBe(false);
  const second = enter(follower);
  onTestFinished(second.leave);
  const again = await last('ProgressOf', 2);
  again.answer({ progress: 0.5, queuePosition: null, generation: { id: '1' } });
});

test('a feed that is entered again has no problem of the time before', async () => {
  const { client, last } = createStubClient();
  const follower = new FeedFollower(client, {}, 1);
  const first = enter(follower);
  (await last('query Feed(')).answer(pageOf(['1'], true));
  await last('FeedChanges');
  const loading = follower.more();
  (await last('query Feed(', 2)).fail([
    { message: 'busy', extensions: { code: 'RATE_LIMITED', retry: 'LATER', retryAfterSeconds: 9 } },
  ]);
  await expect.poll(() => first.views.at(-1)?.problem).toMatchObject({ message: 'busy' });
  first.leave();
  await loading;
  const second = enter(follower);
  onTestFinished(second.leave);
  await last('FeedChanges', 2);
  expect(second.views.at(-1)?.problem).toBeNull();
});

test('a feed that is entered again reads the next page, although an earlier read has no answer', async () => {
  const { client, last } = createStubClient();
  const follower = new FeedFollower(client, {}, 1);
  const first = enter(follower);
  (await last('query Feed(')).answer(pageOf(['2'], true));
  await last('FeedChanges');
  void follower.more();
  await last('query Feed(', 2);
  first.leave();
  const second = enter(follower);
  onTestFinished(second.leave);
  const loading = follower.more();
  (await last('query Feed(', 3)).answer(pageOf(['1']));
  await loading;
  expect(second.views.at(-1)?.items.map(({ id }) => id)).toEqual(['2', '1']);
});

test('whoever leaves a generation without a task waits for its end no longer', async () => {
  const { client, last } = createStubClient();
  const leave = followKnown(client, '1', { push() {}, end() {} });
  (await last(generationText)).answer([{ ...running('1'), task: null }]);
  const waiting = await last(endText);
  leave();
  expect(waiting.isOpen).toBe(false);
});

test('an end that a router answers with null is asked for again after a pause', async () => {
  const { client, sent, last } = createStubClient();
  const leave = followKnown(client, '1', { push() {}, end() {} });
  onTestFinished(leave);
  (await last(generationText)).answer([{ ...running('1'), task: null }]);
  (await last(endText)).answer(null);
  await new Promise((resolve) => setImmediate(resolve));
  expect(sent).toHaveLength(2);
});

test('a generation that is removed while its task is followed ends with a problem', async () => {
  const { client, last } = createStubClient();
  const ends: GenerationView[] = [];
  followTask(client, running('1') as never, { push() {}, end: (view) => void ends.push(view) });
  const task = await last('TaskOf');
  task.answer({ progress: 0.5, queuePosition: null, isTerminal: false, generation: null });
  await expect.poll(() => ends).toHaveLength(1);
  expect(ends).toMatchObject([{ id: '1', isEnded: true, error: { code: 'NOT_FOUND' } }]);
});

test('a feed that reads its list again keeps the state of its tasks', async () => {
  const { client, last } = createStubClient();
  const { views, leave } = enter(new FeedFollower(client));
  onTestFinished(leave);
  (await last('query Feed(')).answer(pageOf(['1']));
  const changes = await last('FeedChanges');
  const state = { progress: 0.5, queuePosition: 2, readFailure: { message: 'away' } };
  (await last('ProgressOf')).answer({ ...state, generation: { id: '1' } });
  changes.answer({ __typename: 'FeedReset', cursor: 'later' });
  (await last('query Feed(', 2)).answer(pageOf(['1']));
  await last('FeedChanges', 2);
  expect(views.at(-1)?.items).toMatchObject([{ id: '1', ...state }]);
});

test('null without an error, as a router may send it, is a problem', async () => {
  const { client, last } = createStubClient();
  const problem = { code: 'CONNECTION_FAILED', retry: 'SAME_KEY' };
  const ends: GenerationView[] = [];
  followKnown(client, '1', { push() {}, end: (view) => void ends.push(view) });
  (await last(generationText)).answer(null);
  await expect.poll(() => ends).toMatchObject([{ id: '1', status: 'FAILED', error: problem }]);
  const running = findRunning(client, undefined);
  (await last('query Feed(')).answer(null);
  expect(await running).toMatchObject({ problem });
  const newest = findNewest({ client } as Partial<Gengraph> as Gengraph, 'c1');
  (await last(newestText)).answer(null);
  await expect(newest).rejects.toMatchObject({ problem });
  const { views, leave } = enter(new FeedFollower(client));
  onTestFinished(leave);
  (await last('query Feed(', 2)).answer(null);
  await expect.poll(() => views.at(-1)).toMatchObject({ problem });
});

test('a generation that does not exist has failed', async () => {
  const { client, last } = createStubClient();
  const ends: GenerationView[] = [];
  followKnown(client, '1', { push() {}, end: (view) => void ends.push(view) });
  (await last(generationText)).answer([null]);
  await expect
    .poll(() => ends)
    .toMatchObject([{ status: 'FAILED', isEnded: true, error: { code: 'NOT_FOUND' } }]);
});

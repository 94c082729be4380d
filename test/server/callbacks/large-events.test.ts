import { expect, onTestFinished, test } from 'vitest';
import { sandboxKey, startApp } from '../../support/app.ts';
import { takeTurns } from '../../support/big-reply.ts';
import { type RouterPost, startCallbackRouter, subscribeByCallback } from '../../support/callback-router.ts';
import { ask, createChatCompletion, made } from '../../support/chats.ts';

const prompt = 'x'.repeat(100_000);
const count = 12;

/** Subscriptions with the whole prompt in their only event. */
async function watchPrompt(queryOf: (index: number, id: string) => string) {
  const router = await startCallbackRouter();
  const app = await startApp({
    env: { CALLBACK_URLS: router.url, MAX_ANSWER_BYTES: '500000', STREAM_LOG_SECONDS: '0.001' },
  });
  const { id } = made(await createChatCompletion(app, { input: ask(prompt) }));
  const late = Promise.withResolvers<number>();
  onTestFinished(async () => {
    late.resolve(204);
    await app[Symbol.asyncDispose]();
  });
  router.answer = ({ body }) => (body.action === 'next' ? late.promise : 204);
  await Promise.all(
    Array.from({ length: count }, (_, index) =>
      subscribeByCallback(app, router, { query: queryOf(index, id) }),
    ),
  );
  await router.when('next');
  await takeTurns(app, 30);
  return { router, late };
}

const queryOf = (index: number, id: string): string =>
  `subscription { chatEvents(id: "${id}") { ... on ChatCompleted { generation { a${index}: prompt } } } }`;

test('the large events of one owner wait for a router that answers late before they are prepared', async () => {
  const { router, late } = await watchPrompt(queryOf);
  expect(router.events().length).toBeLessThan(6);
  late.resolve(204);
  await router.when('complete', count);
  // A snapshot and the end of each.
  expect(router.events()).toHaveLength(2 * count);
});

test('equal ones, which share their text, wait too', async () => {
  const { router, late } = await watchPrompt((_index, id) => queryOf(0, id));
  expect(router.events().length).toBeLessThan(6);
  late.resolve(204);
  await router.when('complete', count);
  // A snapshot and the end of each.
  expect(router.events()).toHaveLength(2 * count);
});

test('the large events of many owners wait together, and small ones do not wait for them', async () => {
  const router = await startCallbackRouter();
  const app = await startApp({
    env: {
      CALLBACK_URLS: router.url,
      MAX_UNSENT_BYTES: '1048576',
      MAX_UNSENT_BYTES_PER_OWNER: '1048576',
      STREAM_LOG_SECONDS: '0.001',
    },
  });
  const late = Promise.withResolvers<number>();
  onTestFinished(async () => {
    late.resolve(204);
    await app[Symbol.asyncDispose]();
  });
  const isLarge = ({ body }: RouterPost): boolean =>
    (body.payload?.data?.['chatEvents']?.['generation'] ?? null) !== null;
  router.answer = (post) => (isLarge(post) ? late.promise : 204);
  const aliases = Array.from({ length: 4 }, (_, index) => `a${index}: prompt`).join(' ');
  const watch = async (user: string, text: string, selection: string): Promise<void> => {
    const headers = { ...sandboxKey, 'x-end-user': user };
    const { id } = made(await createChatCompletion(app, { input: ask(text) }, headers));
    const query = `subscription { chatEvents(id: "${id}") { ... on ChatCompleted { ${selection} } } }`;
    await subscribeByCallback(app, router, { query, headers });
  };
  const owners = Array.from({ length: count }, (_, index) => `user-${index}`);
  await Promise.all(owners.map((user) => watch(user, prompt, `generation { ${aliases} }`)));
  await router.posts.when((all) => all.some(isLarge));
  await takeTurns(app, 30);
  expect(router.posts.all.filter(isLarge).length).toBeLessThan(4);
  await watch('user-small', 'hello', 'sequence');
  await router.when('complete');
  late.resolve(204);
  await router.when('complete', count + 1);
  expect(router.posts.all.filter(isLarge)).toHaveLength(count);
});

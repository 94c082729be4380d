import { GraphQLError } from 'graphql';
import { expect, test } from 'vitest';
import { CallbackSubscription } from '../../../src/server/callbacks/callback-subscription.ts';
import type { Post } from '../../../src/server/callbacks/router-posts.ts';
import { createInbox } from '../../support/inbox.ts';
import { createManualClock } from '../../support/manual-clock.ts';

test('a defect while an event is posted ends the subscription with a log line and an error, and is not repeated', async () => {
  const [lines, posts] = [createInbox<unknown>(), createInbox<Post>()];
  const note = (fields: unknown): void => lines.push(fields);
  const failed = new GraphQLError('Internal error.', { extensions: { code: 'INTERNAL', requestId: 'r' } });
  const request = {
    url: 'http://router.example/',
    subscriptionId: 's',
    verifier: 'v',
    heartbeatMs: 0,
  };
  const body = { request, operation: { document: '', variables: {} }, creation: undefined };
  const defect = new TypeError('a defect');
  const over = Promise.withResolvers<void>();
  const subscription = new CallbackSubscription(
    {
      clock: createManualClock(),
      log: { debug() {}, info() {}, warn: note, error: note },
      posts: {
        async post(_to, post) {
          posts.push(post);
          if (post.action === 'next') throw defect;
          return 'accepted';
        },
      },
      saves: { save: () => Promise.resolve(true) },
      isShared: false,
      reopen: () => Promise.reject(new Error('it ends')),
      expired: () => failed,
      toError: (_body, error) => (error === defect ? failed : new GraphQLError(String(error))),
      mayPost: () => undefined,
      remove: () => Promise.resolve(),
      onEnd: () => over.resolve(),
    },
    { id: 'c', owner: 'o', body: {}, position: undefined, isPosting: false },
    { body },
  );
  const events = (async function* () {
    yield { data: { changed: true } };
    return undefined;
  })();
  await subscription.run({ events, position: () => undefined, release() {} });
  await over.promise;
  expect(lines.all).toEqual([{ requestId: 'r', callbackId: 'c' }]);
  expect(posts.all.map(({ action, errors }) => [action, errors])).toEqual([
    ['next', undefined],
    ['complete', [failed]],
  ]);
});

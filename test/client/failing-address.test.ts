import { expect, onTestFinished, test } from 'vitest';
import { createReconnectingClient } from '../../src/client/reconnecting.ts';
import { sandboxKey, startApp } from '../support/app.ts';

test('a client asks again for an address that it did not get', async () => {
  await using app = await startApp();
  const failures = [new Error('no network')];
  const client = createReconnectingClient({
    async url() {
      const failure = failures.pop();
      if (failure) throw failure;
      return app.url.replace('http', 'ws');
    },
    connectionParams: sandboxKey,
  });
  onTestFinished(() => void client.dispose());
  const results = client.iterate({ query: '{ __typename }' });
  expect((await results.next()).value).toEqual({ data: { __typename: 'Query' } });
});

import { expect, test } from 'vitest';
import { explainUnreached } from '../../../../src/server/pages/graphiql/browser/explain-unreached.ts';

const failWith = (error: Error) =>
  explainUnreached(async () => {
    throw error;
  })('/graphql');

test('a request that does not reach the server has a plain error as its reply, and an abort stays one', async () => {
  const reply = await failWith(new TypeError('Failed to fetch'));
  expect(await reply.json()).toEqual({ errors: [{ message: expect.stringContaining('No answer came') }] });
  await expect(failWith(new DOMException('stopped', 'AbortError'))).rejects.toThrow('stopped');
});

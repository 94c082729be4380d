import { buildSchema } from 'graphql';
import { expect, test } from 'vitest';
import { FeedBehindError } from '../../../src/errors.ts';
import { follow } from '../../../src/lib/follow.ts';
import { startTransports } from '../../support/transports.ts';

test('a feed that is too far behind breaks the connection of server-sent events, so that its client comes back', async () => {
  const schema = buildSchema('type Query { q: Int } type Subscription { a: Int }');
  const field = schema.getSubscriptionType()?.getFields()['a'];
  if (!field) throw new Error('no field');
  const outcomes = [{ a: 1 }, new FeedBehindError()].values();
  field.subscribe = () =>
    follow<object>({
      open: () => () => {},
      take() {
        const { value } = outcomes.next();
        if (value instanceof Error) throw value;
        return value ? { value } : 'wait';
      },
    });
  const { url } = await startTransports(schema);
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: 'subscription { a }' }),
  });
  let text = '';
  const reading = (async () => {
    for await (const piece of reply.body ?? []) text += Buffer.from(piece).toString();
  })();
  await expect(reading).rejects.toThrow(/terminated|aborted|closed/);
  expect(text).not.toContain('errors');
  expect(text).not.toContain('complete');
});

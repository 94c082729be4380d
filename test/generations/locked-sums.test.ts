import { describe, expect, onTestFinished, test } from 'vitest';
import { ViewerDocument } from '../../src/client/documents.generated.ts';
import { startApp } from '../support/app.ts';
import { ask, createChatCompletion, findGeneration, made, startChat } from '../support/chats.ts';
import { sendEvents, startFakeGateway } from '../support/fake-gateway.ts';
import { connectTo, createDatabase } from '../support/postgres.ts';
import { chunk, words } from '../support/scripted-gateway.ts';

const usage = { prompt_tokens: 4, completion_tokens: 6, total_tokens: 10 };

/** A server with one chat, whose sums of the day another connection locks. */
async function start() {
  const url = await createDatabase();
  const gateway = await startFakeGateway((_request, response, body) => {
    if (body.includes('"stream":true'))
      sendEvents(response, [...words('a'), { ...chunk({}, 'stop'), usage }, '[DONE]']);
    else response.end(JSON.stringify({ choices: [{ message: { content: 'a' } }], usage }));
  });
  const app = await startApp({
    gatewayUrl: gateway.url,
    env: {
      DATABASE_URL: url,
      DATABASE_TIMEOUT_SECONDS: '1',
      MAX_CREATES_PER_DAY_PER_OWNER: 'CHAT=9',
      MAX_TOKENS_PER_DAY_PER_OWNER: '1000',
    },
  });
  onTestFinished(() => app[Symbol.asyncDispose]());
  await createChatCompletion(app, { input: ask('first') });
  const [locker, observer] = [await connectTo(url), await connectTo(url)];
  await locker.query('begin');
  await locker.query('select 1 from usage_days for update');
  /** When the statement began that waits for the sums. 0 if none does. */
  const waitingSince = async (): Promise<number> => {
    const { rows } = await observer.query<{ readonly at: number }>(
      `select coalesce(max(extract(epoch from query_start)), 0)::float8 as at from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows[0]?.at ?? 0;
  };
  const used = async () => {
    const { data } = await app.run(ViewerDocument, {});
    return data?.viewer?.limits.map((limit) => limit.used);
  };
  return { app, gateway, waitingSince, used, unlock: () => locker.query('rollback') };
}

describe.each([
  ['startChat', startChat],
  ['createChatCompletion', createChatCompletion],
])('%s that the gateway accepted while its sums are locked', (_name, create) => {
  const request = { input: ask('Hello'), idempotencyKey: 'k' };

  test('succeeds if the lock ends after the timeout of one write', async () => {
    const { app, gateway, waitingSince, used, unlock } = await start();
    const creating = create(app, request);
    await expect.poll(waitingSince).toBeGreaterThan(0);
    const firstAt = await waitingSince();
    await expect.poll(waitingSince, { interval: 10 }).toBeGreaterThan(firstAt + 0.9);
    await unlock();
    const { id } = made(await creating);
    await expect.poll(async () => (await findGeneration(app, id))?.status).toBe('SUCCEEDED');
    expect(gateway.requests).toHaveLength(2);
    expect(await used()).toEqual([2, 20]);
  });

  test('says to retry with the same key if the lock stays, and has its result as soon as it ends', async () => {
    const { app, gateway, used, unlock } = await start();
    await expect(create(app, request)).rejects.toThrow(/RECORDS_UNAVAILABLE.*SAME_KEY/);
    await unlock();
    const repeat = () => create(app, request).then(made, () => undefined);
    await expect.poll(repeat).toMatchObject({ status: 'SUCCEEDED' });
    expect(gateway.requests).toHaveLength(2);
    await expect.poll(used).toEqual([2, 20]);
  });
});

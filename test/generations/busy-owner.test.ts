import { expect, onTestFinished, test } from 'vitest';
import { sandboxKey, startApp } from '../support/app.ts';
import { ask, createChatCompletion, made, startChat } from '../support/chats.ts';
import { sendEvents, startFakeGateway } from '../support/fake-gateway.ts';
import { connectTo, createDatabase } from '../support/postgres.ts';
import { words } from '../support/scripted-gateway.ts';

const creates = 24;
const bob = { ...sandboxKey, 'x-end-user': 'bob' };

async function start(timeoutSeconds: string) {
  const url = await createDatabase();
  const gateway = await startFakeGateway((_request, response, body) => {
    if (body.includes('"stream":true')) sendEvents(response, [...words('a'), '[DONE]']);
    else response.end(JSON.stringify({ choices: [{ message: { content: 'a' } }] }));
  });
  const app = await startApp({
    gatewayUrl: gateway.url,
    env: { DATABASE_URL: url, DATABASE_TIMEOUT_SECONDS: timeoutSeconds },
  });
  onTestFinished(() => app[Symbol.asyncDispose]());
  const create = async (index: number): Promise<string> => {
    const request = { input: ask('Hello'), idempotencyKey: `key ${index}` };
    const run = index % 2 === 0 ? startChat : createChatCompletion;
    return made(await run(app, request)).id;
  };
  await create(-1);
  return { url, gateway, app, create };
}

/** What keeps the database from recording a create before it is sent. */
const obstacles = {
  'the counts of the owner are locked': ['begin', 'select 1 from owner_records for update'],
  'no create can be recorded as one that may have been sent': [
    `create function block() returns trigger language plpgsql as
      'begin perform pg_sleep(5); return new; end'`,
    `create trigger block before insert on creations for each row when (new.phase = 'SENDING')
      execute function block()`,
  ],
} as const;

test.each(Object.entries(obstacles))(
  `${creates} concurrent creates of one owner are refused and not sent if %s`,
  async (_what, statements) => {
    const { url, gateway, create } = await start('1');
    const locker = await connectTo(url);
    for (const statement of statements) await locker.query(statement);
    const keys = Array.from({ length: creates }, (_, index) => index);
    const ends = await Promise.allSettled(keys.map((index) => create(index)));
    const messages = ends.map((end) => (end.status === 'rejected' ? String(end.reason) : end.value));
    for (const message of messages)
      expect(message).toMatch(/"code":"RECORDS_UNAVAILABLE","retry":"SAME_KEY"/);
    expect(messages).toHaveLength(creates);
    expect(gateway.requests).toHaveLength(1);

    await locker.query('rollback');
    await locker.query('drop trigger if exists block on creations');
    // The keys are free again as soon as their release is recorded. Each create is sent once.
    for (const index of keys)
      await expect
        .poll(() => create(index).catch(() => undefined), { timeout: 20_000 })
        .toMatch(/^generation_/);
    expect(gateway.requests).toHaveLength(1 + creates);
  },
);

test('the waiting creates of one owner leave connections to the others', async () => {
  const { url, app, create } = await start('10');
  await startChat(app, { input: ask('Hello') }, bob);
  // A transaction sees one state of the activity.
  const [locker, observer] = [await connectTo(url), await connectTo(url)];
  await locker.query('begin');
  const [{ owner } = { owner: '' }] = (
    await locker.query<{ owner: string }>('select owner from generations order by created_at limit 1')
  ).rows;
  await locker.query('select 1 from owner_records where owner = $1 for update', [owner]);
  const waiting = Array.from({ length: creates }, (_, index) => create(index));
  const blocked = () =>
    observer.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
  await expect.poll(async () => (await blocked()).rows.length).toBeGreaterThan(2);
  made(await createChatCompletion(app, { input: ask('Hello') }, bob));
  expect((await blocked()).rows).toHaveLength(3);
  await locker.query('rollback');
  expect(new Set(await Promise.all(waiting)).size).toBe(creates);
});

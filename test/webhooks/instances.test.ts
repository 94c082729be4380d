import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { advanceUntil } from '../support/advance-until.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { ask, createChatCompletion, made } from '../support/chats.ts';
import { startDurableServer } from '../support/durable-server.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { createRandom } from '../support/random.ts';
import { createDatabaseRecords, createRecords, engines, type Records } from '../support/records.ts';
import { seeds } from '../support/seeds.ts';
import { answerStatus, startReceiver, verify, webhookEnv } from '../support/webhook-receiver.ts';
import { dayMs } from '../../src/lib/time.ts';

describe.each(engines)('%s', (engine) => {
  test('an event that a server could not deliver before it stopped is delivered by the next one, with the same id', async () => {
    const records = await createRecords(engine);
    const receiver = await startReceiver();
    receiver.answer = answerStatus(503);
    const env = { ...records.env, ...webhookEnv([receiver]) };
    const chat = await (async () => {
      await using app = await startApp({ env });
      const created = made(await createChatCompletion(app, { input: ask('Say hello') }));
      await receiver.waitFor(1);
      return created;
    })();
    receiver.answer = answerStatus(204);
    await records.query('update webhook_deliveries set due_at = 0');
    await using next = await startApp({ env });
    expect(next.url).toBeTruthy();
    const [first, second] = await receiver.waitFor(2);
    expect(second?.id).toBe(first?.id);
    expect(second?.event.data.generationId).toBe(chat.id);
  });
});

test('servers whose clocks are wrong deliver at once, with the time of the database in the signature', async () => {
  const records = await createDatabaseRecords();
  const receiver = await startReceiver();
  const env = { ...records.env, ...webhookEnv([receiver]) };
  for (const skewMs of [dayMs, -dayMs]) {
    const clock = createManualClock(Date.now() + skewMs);
    await using app = await startApp({ env, overrides: { clock } });
    await createChatCompletion(app, { input: ask('Say hello') });
    const received = await receiver.waitFor(skewMs > 0 ? 1 : 2);
    const event = received.at(-1);
    expect(event && verify(event)).toBeUndefined();
  }
});

test('a server with the earlier address of a webhook does not disable it when that answers 410', async () => {
  const records = await createDatabaseRecords();
  const [old, moved] = [await startReceiver(), await startReceiver()];
  const hung = Promise.withResolvers<ServerResponse>();
  old.answer = (_event, response) => hung.resolve(response);
  const disabled = Promise.withResolvers<void>();
  await using earlier = await startApp({
    env: { ...records.env, ...webhookEnv([old]) },
    onLog: ({ msg }) => msg === 'webhook disabled: its receiver answered 410' && disabled.resolve(),
  });
  await createChatCompletion(earlier, { input: ask('Say hello') });
  const response = await hung.promise;
  await using later = await startApp({ env: { ...records.env, ...webhookEnv([moved]) } });
  expect(later.url).toBeTruthy();
  response.writeHead(410).end();
  await disabled.promise;
  const known = 'select url, is_active, state from webhooks join webhook_deliveries on webhook_id = id';
  expect(await records.query(known)).toEqual([{ url: moved.url, is_active: 1, state: 'PENDING' }]);
});

const killsProcesses = process.env['KILLS'] !== undefined;

test('an event in flight of a server that is killed is delivered by another one', async ({ skip }) => {
  skip(!killsProcesses, 'kills servers: it runs in npm run test:long');
  const records = await createDatabaseRecords();
  const receiver = await startReceiver();
  const hung = Promise.withResolvers<void>();
  receiver.answer = () => hung.resolve();
  const env = { ...records.env, ...webhookEnv([receiver]) };
  await using other = await startApp({ env });
  const server = await startDurableServer({ gatewayUrl: other.sandbox.url, env });
  const chat = made(await createChatCompletion(server, { input: ask('Say hello') }));
  await hung.promise;
  receiver.answer = answerStatus(204);
  const [holder] = await records.query('select instance_id from webhooks');
  await server.crash();
  // Either server may have taken the queue. If the one that was killed had it, the other takes over within its lease.
  const [first, second] = await receiver.waitFor(2);
  expect(holder).toBeTruthy();
  expect(second?.id).toBe(first?.id);
  expect(second?.event.data.generationId).toBe(chat.id);
});

/** Lets all deliveries succeed that wait, without their pauses. */
async function deliverAll(records: Records, clocks: readonly ManualClock[]): Promise<void> {
  const advance = (milliseconds: number): void => clocks.forEach((clock) => clock.advance(milliseconds));
  await advanceUntil(
    { advance },
    async () => {
      await records.query('update webhook_deliveries set due_at = 0 where due_at > 0');
      const pending = await records.query(`select 1 from webhook_deliveries where state = 'PENDING'`);
      return pending.length === 0;
    },
    60_000,
  );
}

const startAndCancel = async (app: TestApp): Promise<void> => {
  const started = await app.run<{ startChat: { id: string } }, object>(`mutation { startChat(
    input: { model: "gpt-4o", messages: [{ role: USER, content: { text: "Tell me a long story" } }] }
  ) { ... on Generation { id } } }`);
  const { id } = started.data?.startChat ?? { id: '' };
  await app.run('mutation ($id: ID!) { cancelGeneration(by: { id: $id }) { __typename } }', { id });
};

const createPicture = async (app: TestApp): Promise<void> => {
  await app.run(
    `mutation { createImage(input: { byCount: { model: "dall-e-3", prompt: "A cat" } }) { __typename } }`,
  );
};

const createUnknown = async (app: TestApp): Promise<void> => {
  await app.run(`mutation { createChatCompletion(
    input: { model: "no-such-model", messages: [{ role: USER, content: { text: "Hello" } }] }
  ) { __typename } }`);
};

const acts = [
  startAndCancel,
  createPicture,
  createUnknown,
  async (app: TestApp): Promise<void> => void (await createChatCompletion(app, { input: ask('Say hello') })),
];

describe.each(engines)('%s', (engine) => {
  test.each(seeds(1, 6))(
    'a random run, at a receiver that often fails, has exactly one accepted event for each end (seed %i)',
    async (seed) => {
      const random = createRandom(seed);
      const records = await createRecords(engine);
      const receiver = await startReceiver();
      const accepted: string[] = [];
      receiver.answer = (event, response) => {
        const draw = random();
        if (draw < 0.2) return void response.socket?.destroy();
        if (draw < 0.5) return answerStatus(500)(event, response);
        accepted.push(event.id);
        answerStatus(204)(event, response);
      };
      const env = { ...records.env, ...webhookEnv([receiver]) };
      const clocks = Array.from({ length: engine === 'SQLite' ? 1 : 2 }, () => createManualClock(Date.now()));
      const apps = await Promise.all(clocks.map((clock) => startApp({ env, overrides: { clock } })));
      try {
        await Promise.all(
          Array.from({ length: 24 }, async () => {
            const act = acts[Math.floor(random() * acts.length)];
            const app = apps[Math.floor(random() * apps.length)];
            if (act && app) await act(app);
          }),
        );
        await deliverAll(records, clocks);
      } finally {
        for (const app of apps) await app[Symbol.asyncDispose]();
      }
      const ends = await records.query(
        'select id, end_event from generations where finished_at is not null and is_visible = 1',
      );
      expect(ends.length).toBeGreaterThan(10);
      expect(accepted.toSorted()).toEqual(ends.map((end) => String(end['end_event'])).toSorted());
      const idOf = new Map(receiver.received.map(({ id, event }) => [event.data.generationId, id]));
      expect(ends.map(({ id }) => idOf.get(String(id)))).toEqual(ends.map((end) => end['end_event']));
    },
  );
});

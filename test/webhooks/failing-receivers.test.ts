import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { advanceUntil } from '../support/advance-until.ts';
import { startApp, type TestAppOptions } from '../support/app.ts';
import { ask, createChatCompletion, made } from '../support/chats.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { replyHead, startRawGateway } from '../support/raw-gateway.ts';
import { createRecords } from '../support/records.ts';
import { answerStatus, secret, startReceiver, webhookEnv } from '../support/webhook-receiver.ts';

type Line = Readonly<Record<string, unknown>>;

/** A server on a manual clock, with the lines of its log. */
async function start(options: TestAppOptions) {
  const clock = createManualClock();
  const lines: Line[] = [];
  const app = await startApp({
    ...options,
    overrides: { clock },
    onLog: (line) => lines.push(line),
  });
  const linesOf = (message: string) => lines.filter(({ msg }) => msg === message);
  return { app, clock, lines, linesOf, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

const chat = async (app: Awaited<ReturnType<typeof start>>['app']): Promise<string> =>
  made(await createChatCompletion(app, { input: ask('Say hello') })).id;

const retrying = 'webhook delivery failed; retrying';

test('a receiver that is down for an hour gets each end, with the same id on every retry', async () => {
  const receiver = await startReceiver();
  receiver.answer = (_event, response) => void response.socket?.destroy();
  await using server = await start({ env: webhookEnv([receiver]) });
  const { app, clock } = server;
  const startedAt = clock.elapsed();
  const ids: string[] = [];
  for (let count = 0; count < 6; count += 1) {
    ids.push(await chat(app));
    await advanceUntil(clock, () => clock.elapsed() >= startedAt + (count + 1) * 600_000, 10_000);
  }
  const failed = receiver.received.length;
  // A request every five minutes to a receiver that is down, after the first few.
  expect(failed).toBeGreaterThan(10);
  expect(failed).toBeLessThan(40);
  receiver.answer = answerStatus(204);
  const accepted = () => receiver.received.slice(failed).map(({ event }) => event.data.generationId);
  await advanceUntil(clock, () => accepted().length >= ids.length);
  // All of them are due as soon as the receiver answers again.
  expect(clock.elapsed() - startedAt).toBeLessThan(3_600_000 + 600_000);
  expect(accepted().toSorted()).toEqual(ids.toSorted());
  const idsOf = (generationId: string) =>
    new Set(
      receiver.received.filter(({ event }) => event.data.generationId === generationId).map(({ id }) => id),
    );
  expect(ids.map((id) => idsOf(id).size)).toEqual(ids.map(() => 1));
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(ids.length);
});

test('a receiver that answers 500 or 302 gets the event again, and a redirect is not followed', async () => {
  const [receiver, elsewhere] = [await startReceiver(), await startReceiver()];
  const answers = [500, 302, 200];
  receiver.answer = (event, response) => {
    const status = answers[receiver.received.length - 1];
    if (status === 302) response.setHeader('location', elsewhere.url);
    answerStatus(status ?? 404)(event, response);
  };
  await using server = await start({ env: webhookEnv([receiver]) });
  await chat(server.app);
  await advanceUntil(server.clock, () => server.linesOf('webhook delivered').length > 0);
  expect(receiver.received).toHaveLength(answers.length);
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
  expect(elsewhere.received).toEqual([]);
  expect(server.linesOf(retrying)).toMatchObject([
    { webhook: 'receiver-0', attempts: 1, status: 500, reason: 'status 500' },
    { attempts: 2, status: 302 },
  ]);
  const [line] = server.linesOf('webhook delivered');
  expect(line).toMatchObject({ level: 20, attempts: 3, status: 200 });
  const log = JSON.stringify(server.lines);
  for (const hidden of [secret, secret.slice(6), receiver.url, '/hook']) expect(log).not.toContain(hidden);
});

test.each(['100 Continue', '103 Early Hints'])(
  'a receiver may say %s before it accepts an event',
  async (early) => {
    const receiver = await startRawGateway(
      (socket) => void socket.write(replyHead({}, early) + replyHead({}, '204 No Content')),
    );
    const { host } = new URL(receiver.url);
    await using server = await start({ env: webhookEnv([{ url: receiver.url, host }]) });
    for (let count = 1; count <= 2; count += 1) {
      await chat(server.app);
      await expect.poll(() => server.linesOf('webhook delivered')).toHaveLength(count);
    }
    expect(server.linesOf(retrying)).toEqual([]);
    expect(receiver.requestCount()).toBe(2);
  },
);

test('a receiver that answers 429 or 503 with Retry-After gets no event before, and waits at most an hour', async () => {
  const receiver = await startReceiver();
  const at: number[] = [];
  const answers: readonly (readonly [number, string])[] = [
    [429, '600'],
    [503, 'Fri, 31 Dec 9999 23:59:59 GMT'],
    [429, '-1'],
    [503, 'soon'],
    [500, '600'],
  ];
  await using server = await start({ env: webhookEnv([receiver]) });
  const { app, clock } = server;
  receiver.answer = (event, response) => {
    const [status, retryAfter] = answers[at.push(clock.elapsed()) - 1] ?? [204, '600'];
    response.setHeader('retry-after', retryAfter);
    answerStatus(status)(event, response);
  };
  await chat(app);
  await receiver.waitFor(1);
  await expect.poll(() => server.linesOf(retrying).length).toBe(1);
  await chat(app);
  await advanceUntil(clock, () => server.linesOf('webhook delivered').length > 1, 5000);
  const waits = at.slice(1, 6).map((time, index) => (time - (at[index] ?? 0)) / 1000);
  // The second event waits with the first. Then both fail, and the receiver counts as away.
  for (const [index, seconds] of [600, 0, 3600, 40, 80].entries())
    expect(waits[index], `wait ${index}`).toSatisfy(
      (wait: number) => wait >= seconds && wait < seconds + 500,
    );
});

test('a receiver that answers nothing gets the event again', async () => {
  const receiver = await startReceiver();
  receiver.answer = (event, response) => {
    if (receiver.received.length > 1) answerStatus(200)(event, response);
  };
  await using server = await start({
    env: { ...webhookEnv([receiver]), WEBHOOK_TIMEOUT_SECONDS: '0.1' },
  });
  await chat(server.app);
  await advanceUntil(server.clock, () => server.linesOf('webhook delivered').length > 0);
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
  // On a busy machine, later answers may take longer too.
  expect(new Set(server.linesOf(retrying).map(({ reason }) => reason))).toEqual(
    new Set(['no reply within 0.1 s']),
  );
});

test('a receiver that hangs delays no other', async () => {
  const [hanging, working] = [await startReceiver(), await startReceiver()];
  const hung: ServerResponse[] = [];
  hanging.answer = (_event, response) => hung.push(response);
  await using server = await start({ env: webhookEnv([hanging, working]) });
  const ids: string[] = [];
  for (let count = 0; count < 8; count += 1) ids.push(await chat(server.app));
  const events = await working.waitFor(ids.length);
  expect(events.map(({ event }) => event.data.generationId).toSorted()).toEqual(ids.toSorted());
  expect(hanging.received).toHaveLength(4);
  hanging.answer = answerStatus(200);
  for (const response of hung) response.end();
  await hanging.waitFor(ids.length);
});

test('a receiver whose answers do not end has four requests at once, and has accepted their events', async () => {
  const receiver = await startReceiver();
  const answers: ServerResponse[] = [];
  receiver.answer = (_event, response) => {
    answers.push(response.writeHead(200));
    response.write('{');
  };
  await using server = await start({ env: webhookEnv([receiver]) });
  for (let count = 0; count < 8; count += 1) await chat(server.app);
  await receiver.waitFor(4);
  expect(receiver.received).toHaveLength(4);
  receiver.answer = answerStatus(200);
  for (const response of answers) response.destroy();
  const received = await receiver.waitFor(8);
  expect(new Set(received.map(({ id }) => id)).size).toBe(8);
});

test('a receiver that answers 410 gets no more events', async () => {
  const [gone, working] = [await startReceiver(), await startReceiver()];
  gone.answer = answerStatus(410);
  await using server = await start({ env: webhookEnv([gone, working]) });
  await chat(server.app);
  await gone.waitFor(1);
  await advanceUntil(
    server.clock,
    () => server.linesOf('webhook disabled: its receiver answered 410').length > 0,
  );
  await chat(server.app);
  await working.waitFor(2);
  await advanceUntil(server.clock, () => server.clock.elapsed() > 600_000, 10_000);
  expect(gone.received).toHaveLength(1);
});

test('a webhook that was disabled gets events again after a start without any webhook', async () => {
  const records = await createRecords('SQLite');
  const receiver = await startReceiver();
  receiver.answer = answerStatus(410);
  const env = { ...records.env, ...webhookEnv([receiver]) };
  {
    await using server = await start({ env });
    await chat(server.app);
    await advanceUntil(
      server.clock,
      () => server.linesOf('webhook disabled: its receiver answered 410').length > 0,
    );
  }
  await (await start({ env: records.env }))[Symbol.asyncDispose]();
  receiver.answer = answerStatus(204);
  await using server = await start({ env });
  const id = await chat(server.app);
  const [delivery] = await records.query('select generation_id from webhook_deliveries');
  expect(delivery).toEqual({ generation_id: id });
  await receiver.waitFor(2);
});

test('a private address that is not listed is never called', async () => {
  const [receiver, internal] = [await startReceiver(), createServer()];
  let connections = 0;
  internal.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => internal.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void internal.close());
  // A server that listens on a port has this address.
  const { port } = internal.address() as AddressInfo;
  const webhooks = [
    { name: 'private', url: `https://localhost:${port}/token-of-the-path`, secret },
    { name: 'listed', url: receiver.url, secret },
  ];
  const env = { WEBHOOKS: JSON.stringify(webhooks), WEBHOOK_HOSTS: receiver.host };
  await using server = await start({ env });
  await chat(server.app);
  await receiver.waitFor(1);
  await advanceUntil(server.clock, () => server.linesOf(retrying).length > 0);
  expect(server.linesOf(retrying)).toMatchObject([
    { webhook: 'private', reason: 'the address is not public, and not listed' },
  ]);
  expect(connections).toBe(0);
  expect(JSON.stringify(server.lines)).not.toContain('token-of-the-path');
});

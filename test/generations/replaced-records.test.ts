import { existsSync } from 'node:fs';
import { cp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startApp } from '../support/app.ts';
import {
  ask,
  chatEvents,
  createChatCompletion,
  findGeneration,
  made,
  startChat,
  startChatQuery,
  toEnd,
} from '../support/chats.ts';
import { createDirectory } from '../support/durable-server.ts';
import { foldedText } from '../support/fold-chat.ts';
import { sendRequest } from '../support/http.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';

const reply = { choices: [{ message: { content: 'a' } }] };
const hello = { input: ask('Hello'), idempotencyKey: 'k' };

/** A server whose chat is paid under a key. */
async function start() {
  const parent = await createDirectory();
  const directory = join(parent, 'data');
  const clock = createManualClock();
  const scripted = await startScripted({ env: { DATA_DIR: directory }, overrides: { clock } });
  onTestFinished(() => scripted[Symbol.asyncDispose]());
  const { app, gateway } = scripted;
  const creating = createChatCompletion(app, hello);
  (await gateway.exchange(0)).reply(200, reply);
  const { id } = made(await creating);
  return {
    app,
    gateway,
    id,
    directory,
    path: join(directory, 'gengraph.db'),
    other: join(parent, 'other'),
    /** HTTP status of the readiness probe, after the cached answer has expired. */
    async readiness() {
      clock.advance(3000);
      return (await sendRequest(app.url.replace('/graphql', '/health/ready'))).status;
    },
  };
}

type Started = Awaited<ReturnType<typeof start>>;

const losses: Readonly<Record<string, (started: Started) => Promise<unknown>>> = {
  'the file is deleted': ({ path }) => rm(path),
  'the directory is deleted': ({ directory }) => rm(directory, { recursive: true }),
  'the log of the file is deleted': ({ path }) => rm(`${path}-wal`),
  async 'the file is replaced by a copy'({ path, other }) {
    await cp(path, other);
    await rename(other, path);
  },
};

describe.each(Object.entries(losses))('when %s', (_name, lose) => {
  test('creates fail unsent, the server is not ready, and nothing is created again', async () => {
    const started = await start();
    const { app, gateway, id, path } = started;
    expect(await started.readiness()).toBe(200);
    await lose(started);
    const isThere = existsSync(path);
    const creates = [
      { variables: hello, retry: 'SAME_KEY', advice: 'Unknown whether it was charged.' },
      { variables: { input: ask('Bye') }, retry: 'LATER', advice: 'Nothing was sent or charged.' },
    ];
    for (const { variables, retry, advice } of creates) {
      const { errors } = await app.run(startChatQuery, variables);
      expect(errors?.[0]).toMatchObject({
        message: expect.stringContaining(`The server cannot read or write its records now. ${advice}`),
        extensions: { code: 'RECORDS_UNAVAILABLE', retry },
      });
    }
    expect(gateway.requests).toHaveLength(1);
    expect(await started.readiness()).toBe(503);
    expect(existsSync(path)).toBe(isThere);
    expect(await findGeneration(app, id)).toMatchObject({ status: 'SUCCEEDED' });
  });
});

test('a running chat ends normally after its records were deleted', async () => {
  const { app, gateway, path } = await start();
  const starting = startChat(app, { input: ask('Hello') });
  const exchange = await gateway.exchange(1);
  exchange.send(...words('a'));
  const { id } = made(await starting);
  await rm(path);
  exchange.send(...words('b'), '[DONE]');
  expect(foldedText(await toEnd(chatEvents(app.wsClient(), { id })))).toBe('ab');
});

test('a server works again when its file is restored', async () => {
  const { app, gateway, path, other, readiness } = await start();
  await rename(path, other);
  expect(await readiness()).toBe(503);
  await rename(other, path);
  expect(await readiness()).toBe(200);
  const creating = createChatCompletion(app, { input: ask('Bye') });
  (await gateway.exchange(1)).reply(200, reply);
  expect(made(await creating).status).toBe('SUCCEEDED');
});

test('a server keeps refusing creates after another server has created the file again', async () => {
  const { app, gateway, path, directory, readiness } = await start();
  for (const name of ['gengraph.db', 'server.lock', 'server-next.lock']) await rm(join(directory, name));
  await using second = await startApp({ gatewayUrl: gateway.url, env: { DATA_DIR: directory } });
  expect(existsSync(path)).toBe(true);
  expect(second.url).not.toBe(app.url);
  const { errors } = await app.run(startChatQuery, hello);
  expect(errors?.[0]?.message).toContain('Retry with the same idempotency key');
  expect(await readiness()).toBe(503);
  expect(gateway.requests).toHaveLength(1);
});

import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { startBuilt } from '../support/built-program.ts';
import { ask, findGeneration, made, startChat } from '../support/chats.ts';
import { createDirectory, type DurableServer, startDurableServer } from '../support/durable-server.ts';
import { type Program, waitForStart } from '../support/programs.ts';
import { apiAt } from '../support/app.ts';
import {
  type Exchange,
  type ScriptedGateway,
  startScriptedGateway,
  words,
} from '../support/scripted-gateway.ts';

const hello = { input: ask('Hello'), idempotencyKey: 'k' };
const isRefused =
  /^Cannot keep records in DATA_DIR=\S+: another server uses it\. Stop that server first, or set DATABASE_URL to [^\n]+\n$/;
const isWaiting = /another server on DATA_DIR drains; waiting to take over its records/;

interface Running {
  readonly directory: string;
  readonly gateway: ScriptedGateway;
  readonly first: DurableServer;
  readonly id: string;
  readonly exchange: Exchange;
  /** Starts another server on the same directory. */
  start(env?: Readonly<Record<string, string>>): Program;
}

/** A server that runs a chat. */
async function runChat(): Promise<Running> {
  const [directory, gateway] = [await createDirectory(), await startScriptedGateway()];
  const first = await startDurableServer({ directory, gatewayUrl: gateway.url });
  const starting = startChat(first, hello);
  const exchange = await gateway.exchange(0);
  exchange.send(...words('one '));
  const { id } = made(await starting);
  const start = (env = {}): Program =>
    startBuilt([], {
      env: { DATA_DIR: directory, GATEWAY_URL: gateway.url, LOG_LEVEL: 'warn', ...env },
    });
  return { directory, gateway, first, id, exchange, start };
}

test('a second server on a directory in use refuses to start, with one line that names DATABASE_URL, and takes over once the first drains', async () => {
  const { first, id, exchange, gateway, start } = await runChat();
  const early = start();
  expect(await early.exited).toEqual({ code: 1, signal: null });
  expect(early.stderr).toMatch(isRefused);
  expect(await findGeneration(first, id)).toMatchObject({ status: 'RUNNING' });
  first.program.kill('SIGTERM');
  await first.program.waitForOutput(/draining 1 running streams/);
  const second = start();
  await second.waitForOutput(isWaiting);
  const third = start();
  expect(await third.exited).toEqual({ code: 1, signal: null });
  expect(third.stderr).toMatch(isRefused);
  exchange.send(...words('two'), '[DONE]');
  expect(await first.program.exited).toEqual({ code: 0, signal: null });
  const api = apiAt(`${await waitForStart(second)}/graphql`);
  expect(second.output.match(new RegExp(isWaiting, 'g'))).toHaveLength(1);
  expect(await findGeneration(api, id)).toMatchObject({
    status: 'SUCCEEDED',
    output: { choices: [{ message: { content: 'one two' } }] },
  });
  expect(gateway.requests).toHaveLength(1);
});

test('a server that was killed blocks no other, and only the locks of the directory are left', async () => {
  const { directory, first, id, start } = await runChat();
  await first.crash();
  const second = start();
  const api = apiAt(`${await waitForStart(second)}/graphql`);
  expect(second.output).not.toMatch(isWaiting);
  expect(await findGeneration(api, id)).toMatchObject({ error: { code: 'INTERRUPTED' } });
  const locks = (await readdir(directory)).filter((name) => name.endsWith('.lock'));
  expect(locks.toSorted()).toEqual(['server-next.lock', 'server.lock']);
});

test('a server takes over at once when the one that drains is killed', async () => {
  const { first, id, start } = await runChat();
  first.program.kill('SIGTERM');
  await first.program.waitForOutput(/draining 1 running streams/);
  const second = start();
  await second.waitForOutput(isWaiting);
  await first.crash();
  const api = apiAt(`${await waitForStart(second)}/graphql`);
  expect(await findGeneration(api, id)).toMatchObject({ error: { code: 'INTERRUPTED' } });
});

test('a server stops waiting for one that drains for too long', async () => {
  const { first, start } = await runChat();
  first.program.kill('SIGTERM');
  await first.program.waitForOutput(/draining 1 running streams/);
  const second = start({ SHUTDOWN_SECONDS: '0.5' });
  expect(await second.exited).toEqual({ code: 1, signal: null });
  expect(second.stderr).toMatch(
    /has not finished draining within 15\.5 seconds\. [^\n]+DATABASE_URL[^\n]+\n$/,
  );
  expect(second.output.match(new RegExp(isWaiting, 'g'))).toHaveLength(1);
}, 60_000);

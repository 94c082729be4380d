import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { ask } from '../support/chats.ts';
import { startDatabaseServer } from '../support/database-server.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';
import { connectTo } from '../support/postgres.ts';

const creates = 120;
const completion = { choices: [{ message: { role: 'assistant', content: 'a' }, finish_reason: 'stop' }] };

/** Two servers on one database, and one user who creates as fast as possible on both. */
async function flood(databaseUrl: string, env: Readonly<Record<string, string>>) {
  // The gateway replies when every create was sent or refused, so that those that were sent are in flight together.
  const held: ServerResponse[] = [];
  let undecided = creates;
  const decideOne = (): void => {
    undecided -= 1;
    if (undecided > 0) return;
    for (const response of held) sendJson(response, completion);
  };
  const gateway = await startFakeGateway((_request, response) => {
    held.push(response);
    decideOne();
  });
  const settings = { ...env, DATABASE_URL: databaseUrl };
  await using first = await startApp({ gatewayUrl: gateway.url, env: settings });
  await using second = await startApp({ gatewayUrl: gateway.url, env: settings });
  const query = `mutation ($input: ChatInput!) {
    made: createChatCompletion(input: $input) { __typename ... on RateLimitError { limit } }
  }`;
  const answers = await Promise.all(
    Array.from({ length: creates }, async (_, index) => {
      const app = index % 2 === 0 ? first : second;
      const { data, errors } = await app.run<{ made: { limit?: string } }, object>(query, {
        input: ask(`Hello ${index}`),
      });
      expect(errors).toBeUndefined();
      const limit = data?.made.limit;
      if (limit !== undefined) decideOne();
      return limit;
    }),
  );
  return { limits: answers, sent: gateway.requests.length };
}

function minuteNow(): number {
  return Math.floor(Date.now() / 60_000);
}

const settings = [
  ['MAX_CREATES_PER_MINUTE_PER_OWNER', '7', 'CREATES_PER_MINUTE'],
  ['MAX_CREATES_PER_DAY_PER_OWNER', 'CHAT=7', 'CREATES_PER_DAY'],
  ['MAX_RUNNING_PER_OWNER', '7', 'RUNNING'],
  ['MAX_RECORDS_PER_OWNER', '7', 'RECORDS'],
] as const;

test('a user who floods any limit causes no error in the log of the database', async () => {
  const server = await startDatabaseServer();
  const client = await connectTo(server.url);
  for (const [setting, value, name] of settings) {
    const database = new URL(server.url);
    database.pathname = `/${name.toLowerCase()}`;
    await client.query(`create database ${name}`);
    const minute = minuteNow();
    const { limits, sent } = await flood(database.href, { [setting]: value });
    const refused = limits.filter((limit) => limit !== undefined);
    expect(new Set(refused)).toEqual(new Set([name]));
    expect(sent).toBe(creates - refused.length);
    // A minute or a day may end meanwhile, and its successor has a limit of its own.
    const most = minuteNow() === minute ? 7 : 14;
    expect(!name.startsWith('CREATES') || (sent >= 7 && sent <= most), `${name}: ${sent} sent`).toBe(true);
    expect(await server.errors(), setting).toEqual([]);
  }
}, 240_000);

test('a large prompt of a create with limits is stored as it was', async () => {
  const database = await startDatabaseServer();
  const gateway = await startFakeGateway((_request, response) => sendJson(response, completion));
  const env = { DATABASE_URL: database.url, MAX_CREATES_PER_MINUTE_PER_OWNER: '100' };
  await using app = await startApp({ gatewayUrl: gateway.url, env });
  const text = `"\\\\ {}, null $1 \u0000 ${'π"\\'.repeat(5000)}`;
  const { data } = await app.run<{ made: { prompt: string; input: object } }, object>(
    `mutation ($input: ChatInput!) { made: createChatCompletion(input: $input) { ... on Generation { prompt } } }`,
    { input: ask(text) },
  );
  expect(data?.made.prompt).toBe(text);
  const client = await connectTo(database.url);
  const { rows } = await client.query("select body from contents where part = 'prompt'");
  expect(JSON.parse(String(rows[0]?.body))).toBe(text);
  expect(await database.errors()).toEqual([]);
}, 60_000);

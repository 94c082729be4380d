import { expect, test } from 'vitest';
import { ViewerDocument } from '../../../src/client/documents.generated.ts';
import { ask } from '../../support/chats.ts';
import { startFakeGateway } from '../../support/fake-gateway.ts';
import { type FleetServer, pick, startFleetServer } from '../../support/fleet.ts';
import { createDatabaseRecords } from '../../support/records.ts';

const limit = 6;
const minuteMs = 60_000;
const noon = Date.parse('2026-11-20T12:00:00Z');
/** How far the clock of each server is from that of the database. */
const offsets = [0, 90_000, -200_000];

interface Answer {
  readonly __typename: string;
  readonly status?: string;
  readonly limit?: string;
  readonly retryAfterSeconds?: number;
}

async function create(server: FleetServer, key: string): Promise<Answer | undefined> {
  const { data } = await server.run<{ made: Answer }, object>(
    `mutation ($input: ChatInput!, $key: ID) {
      made: createChatCompletion(input: $input, idempotencyKey: $key) {
        __typename
        ... on Generation { status }
        ... on RateLimitError { limit retryAfterSeconds }
      }
    }`,
    { input: ask('Hello'), key },
  );
  return data?.made;
}

async function limitsOf(server: FleetServer) {
  const { data } = await server.run(ViewerDocument, {});
  return data?.viewer?.limits;
}

test('servers with different clocks share the minute of their database', async () => {
  const records = await createDatabaseRecords();
  // A function that hides the one of the database, so that the test sets its time.
  await records.query('create schema clock; create table clock.time as select 0::bigint as ms');
  await records.query(
    `create function clock.now() returns timestamptz stable language sql as
      'select to_timestamp(ms / 1000.0) from clock.time'`,
  );
  const [{ name } = { name: '' }] = await records.query('select current_database() as name');
  await records.query(`alter database ${String(name)} set search_path = public, clock, pg_catalog`);
  const setTime = (ms: number) => records.query(`update clock.time set ms = ${ms}`);
  const gateway = await startFakeGateway((_request, response) => {
    response.end(JSON.stringify({ choices: [{ message: { content: 'a' } }] }));
  });
  const servers: FleetServer[] = [];
  for (const offset of offsets) {
    const server = await startFleetServer({
      DATABASE_URL: records.env['DATABASE_URL'] ?? '',
      GATEWAY_URL: gateway.url,
      MAX_CREATES_PER_MINUTE_PER_OWNER: String(limit),
    });
    await server.process.setClockOffset(noon - Date.now() + offset);
    servers.push(server);
  }
  const showAll = () => Promise.all(servers.map(limitsOf));
  const shown = (used: number, resetsAt: number) => {
    const view = { name: 'CREATES_PER_MINUTE', kind: null, max: limit, used };
    return servers.map(() => [{ ...view, resetsAt: new Date(resetsAt).toISOString() }]);
  };

  for (const minute of [0, 1, 2]) {
    const startsAt = noon + minute * minuteMs;
    await setTime(startsAt);
    expect(await showAll()).toEqual(shown(0, startsAt + minuteMs));
    // In turn, then all at once.
    for (let index = 0; index < limit / 2; index += 1)
      expect(await create(pick(servers, index), `${minute} in turn ${index}`)).toMatchObject({
        status: 'SUCCEEDED',
      });
    expect(await showAll()).toEqual(shown(limit / 2, startsAt + minuteMs));
    const answers = await Promise.all(
      Array.from({ length: 3 * limit }, (_, index) =>
        create(pick(servers, index), `${minute} at once ${index}`),
      ),
    );
    expect(answers.filter((answer) => answer?.status === 'SUCCEEDED')).toHaveLength(limit / 2);
    expect(gateway.requests).toHaveLength((minute + 1) * limit);
    await setTime(startsAt + minuteMs - 1500);
    for (const server of servers)
      expect(await create(server, `${minute} beyond`)).toEqual({
        __typename: 'RateLimitError',
        limit: 'CREATES_PER_MINUTE',
        retryAfterSeconds: 2,
      });
    expect(await showAll()).toEqual(shown(limit, startsAt + minuteMs));
  }
  // A create succeeds again on each of them.
  await setTime(noon + 3 * minuteMs);
  for (const [index, server] of servers.entries())
    expect(await create(server, `last ${index}`)).toMatchObject({ status: 'SUCCEEDED' });
  expect(await showAll()).toEqual(shown(servers.length, noon + 4 * minuteMs));
  expect(gateway.requests).toHaveLength(3 * limit + servers.length);
}, 120_000);

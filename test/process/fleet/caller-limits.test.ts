import { expect, test } from 'vitest';
import { ViewerDocument } from '../../../src/client/documents.generated.ts';
import { ask } from '../../support/chats.ts';
import { startFakeGateway } from '../../support/fake-gateway.ts';
import { type FleetServer, pick, startFleetServer } from '../../support/fleet.ts';
import { createDatabaseRecords } from '../../support/records.ts';

const creates = 1000;
const limit = 10;
const dayMs = 86_400_000;

interface Answer {
  readonly __typename: string;
  readonly status?: string;
  readonly limit?: string;
}

/** Undefined if the server died before it answered, or if it could not reach its records. */
async function create(server: FleetServer, key: string): Promise<Answer | undefined> {
  try {
    const { data } = await server.run<{ made: Answer | null }, object>(
      `mutation ($input: ChatInput!, $key: ID) {
        made: createChatCompletion(input: $input, idempotencyKey: $key) {
          __typename
          ... on Generation { status }
          ... on RateLimitError { limit }
        }
      }`,
      { input: ask('Hello'), key },
    );
    return data?.made ?? undefined;
  } catch {
    return undefined;
  }
}

async function usedOf(server: FleetServer): Promise<Readonly<Record<string, unknown>>> {
  const { data } = await server.run(ViewerDocument, {});
  return Object.fromEntries(data?.viewer?.limits.map(({ name, used }) => [name, used]) ?? []);
}

const dayOf = async (server: FleetServer) => Number((await usedOf(server))['CREATES_PER_DAY']);

test(`of ${creates} simultaneous creates on three servers, one of them killed, a limit of ${limit} lets ${limit} through`, async () => {
  const records = await createDatabaseRecords();
  const release = Promise.withResolvers<void>();
  const half = Promise.withResolvers<void>();
  const gateway = await startFakeGateway(async (_request, response) => {
    if (gateway.requests.length >= limit / 2) half.resolve();
    await release.promise;
    response.end(JSON.stringify({ choices: [{ message: { content: 'a' } }], usage: { total_tokens: 1 } }));
  });
  const start = () =>
    startFleetServer({
      DATABASE_URL: records.env['DATABASE_URL'] ?? '',
      GATEWAY_URL: gateway.url,
      MAX_RUNNING_PER_OWNER: String(limit),
      MAX_CREATES_PER_DAY_PER_OWNER: `CHAT=${limit}`,
    });
  const servers = [await start(), await start(), await start()];
  const [killed, survivor, other] = servers;
  if (!killed || !survivor || !other) throw new Error('three were started');

  const answers = Array.from({ length: creates }, (_, index) => create(pick(servers, index), `key ${index}`));
  await half.promise;
  killed.process.kill('SIGKILL');
  await killed.process.exited;
  // The others take over: creates that were not sent are free again, and those that were are unknown.
  await expect
    .poll(() => records.query(`select 1 from instances`), { timeout: 60_000, interval: 100 })
    .toHaveLength(2);
  const left = () =>
    records.query(`
      select 1 from creations where phase in ('CLAIMED', 'SENDING')
        and instance_id not in (select id from instances)`);
  await expect.poll(left, { timeout: 60_000, interval: 100 }).toHaveLength(0);
  // Clients of the killed server repeat their creates on another one, until the limit is used up.
  const repeats: Promise<Answer | undefined>[] = [];
  for (let used = await dayOf(survivor); used < limit; used += 1) {
    repeats.push(create(other, `repeated ${used}`));
    await expect.poll(() => dayOf(survivor), { timeout: 20_000 }).toBe(used + 1);
  }
  release.resolve();
  const all = (await Promise.all([...answers, ...repeats])).filter((answer) => answer !== undefined);
  const made = all.filter((answer) => answer.__typename === 'Generation');
  const refused = all.filter((answer) => answer.limit !== undefined);
  expect(made.length + refused.length).toBe(all.length);
  expect(gateway.requests.length).toBeLessThanOrEqual(limit);

  const ends = await records.query(
    `select status, count(*)::int as count from generations group by status order by status`,
  );
  const counts = Object.fromEntries(ends.map(({ status, count }) => [String(status), Number(count)]));
  expect(counts['SUCCEEDED']).toBe(made.length);
  expect(made.length + (counts['UNKNOWN'] ?? 0)).toBe(limit);
  expect(await usedOf(survivor)).toEqual({ RUNNING: 0, CREATES_PER_DAY: limit });
  expect(await create(survivor, 'late')).toMatchObject({ limit: 'CREATES_PER_DAY' });
  process.stdout.write(
    `${creates} creates with a limit of ${limit}: ${gateway.requests.length} sent, ${JSON.stringify(counts)}, ${refused.length} refused, 0 running\n`,
  );

  for (const server of [survivor, other]) await server.process.setClockOffset(dayMs);
  expect(await create(other, 'tomorrow')).toMatchObject({ status: 'SUCCEEDED' });
  expect(await usedOf(survivor)).toEqual({ RUNNING: 0, CREATES_PER_DAY: 1 });
}, 300_000);

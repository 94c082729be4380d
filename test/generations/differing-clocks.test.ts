import { expect, onTestFinished, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';
import { sendRequest } from '../support/http.ts';
import { levels, startLogged } from '../support/logged-app.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { startPollingServers } from '../support/polling-servers.ts';
import { createRecords } from '../support/records.ts';
import { withSharedClock } from '../support/sharing.ts';

/**
 * Two servers, the second with a clock that is three days ahead of the shared one. The gateway accepts a task, and reports
 * that it has succeeded without a result.
 */
async function startTwo(env: Readonly<Record<string, string>>): Promise<readonly [TestApp, TestApp]> {
  const clock = createManualClock();
  const records = await createRecords('PostgreSQL');
  const gateway = await startFakeGateway((_request, response) =>
    sendJson(response, { request_id: 'r1', status: 'COMPLETED' }),
  );
  const start = async (aheadMs: number): Promise<TestApp> => {
    const app = await startApp({
      gatewayUrl: gateway.url,
      overrides: { clock: createManualClock(clock.now() + aheadMs), wrapStore: withSharedClock(clock) },
      env: { ...records.env, ...env },
    });
    onTestFinished(() => app[Symbol.asyncDispose]());
    return app;
  };
  return [await start(0), await start(3 * 86_400_000)];
}

const queueImage = (app: TestApp, key: string) =>
  app.run<{ queueImage: { task: { id: string } } }, object>(
    `mutation { queueImage(input: { prompt: "a" }, idempotencyKey: "${key}") {
      ... on Generation { kind task { id } }
      ... on RateLimitError { limit }
    } }`,
  );

test.each([
  ['counts as running', 'MAX_RUNNING_PER_OWNER', 'RUNNING'],
  ['keeps its record', 'MAX_RECORDS_PER_OWNER', 'RECORDS'],
])('a task %s at a server whose clock is days ahead', async (_title, setting, limit) => {
  const [right, ahead] = await startTwo({ [setting]: '1' });
  expect(await queueImage(right, 'k1')).toMatchObject({ data: { queueImage: { kind: 'QUEUED_IMAGE' } } });
  expect(await queueImage(ahead, 'k2')).toEqual({ data: { queueImage: { limit } } });
  const { data } = await right.run('{ generations { totalCount } }');
  expect(data).toEqual({ generations: { totalCount: 1 } });
});

test('reads of servers whose clocks differ do not end a task sooner', async () => {
  const apps = await startTwo({});
  const { data } = await queueImage(apps[0], 'k1');
  const query = `{ task(id: "${data?.queueImage.task.id}") { status } }`;
  for (const app of [...apps, ...apps, ...apps])
    expect(await app.run(query)).toEqual({ data: { task: { status: 'RUNNING' } } });
});

test('a server whose clock is days ahead follows the tasks of one that has ended', async () => {
  const [right, ahead] = await startTwo({ TASK_FOLLOW_HOURS: '24' });
  const { data } = await queueImage(right, 'k1');
  const isFollowed = (app: TestApp) =>
    app.run(`{ task(id: "${data?.queueImage.task.id}") { status isFollowed } }`);
  await right.app.close();
  await expect.poll(() => isFollowed(ahead)).toMatchObject({ data: { task: { isFollowed: true } } });
});

test.each([-3, 3])('a task of a server whose clock is %i days off is polled by the others', async (days) => {
  const env = { TASK_FOLLOW_HOURS: '24' };
  const { servers, gateway, start, pass, until } = await startPollingServers({
    engine: 'PostgreSQL',
    count: 1,
    env,
  });
  const all = [...servers, await start(days * 86_400_000)];
  const ids: string[] = [];
  for (const app of all) {
    const { data } = await app.run<{ createSong: { task: { id: string } } }, object>(
      'mutation { createSong(input: { description: "a", model: SONG_V5 }) { ... on Generation { task { id } } } }',
    );
    ids.push(data?.createSong.task.id ?? '');
    // The first one polls also what the second one has created.
    await pass(all, 20_000);
    await until(all, () => gateway.fetches.at(-1)?.length === ids.length);
  }
  for (const app of all)
    expect(await app.run('query ($ids: [ID!]!) { tasks(ids: $ids) { isFollowed } }', { ids })).toEqual({
      data: { tasks: [{ isFollowed: true }, { isFollowed: true }] },
    });
});

test('a clock that differs from that of the database is measured, and logged when that begins and ends', async () => {
  const clock = createManualClock();
  let aheadMs = -90_000;
  const { app, lines, named } = await startLogged({
    env: { ...(await createRecords('PostgreSQL')).env, METRICS_ON_MAIN_PORT: 'true' },
    overrides: { clock, wrapStore: withSharedClock({ now: () => clock.now() - aheadMs }) },
  });
  const differs = await named('the clock of this server differs from that of the database');
  expect(differs).toMatchObject({ level: levels.warn, offsetMs: -90_000 });
  const { text } = await sendRequest(app.url.replace('/graphql', '/metrics'));
  expect(text).toMatch(/^gengraph_clock_offset -90$/m);
  for (aheadMs of [-59_000, -61_000, -29_000]) {
    // The next renewal of the lease.
    clock.advance(2500);
    await clock.waitForTimer(2500);
  }
  const agrees = await named('the clock of this server agrees with that of the database');
  expect(agrees).toMatchObject({ level: levels.info, offsetMs: -29_000 });
  expect(lines.all.filter(({ offsetMs }) => offsetMs !== undefined)).toEqual([differs, agrees]);
});

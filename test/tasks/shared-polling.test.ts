import { describe, expect, test } from 'vitest';
import {
  CreateSongDocument,
  TaskProgressDocument,
  type TaskProgressSubscription,
} from '../../src/client/documents.generated.ts';
import { createInProcessBus } from '../../src/bus/in-process-bus.ts';
import { packId } from '../../src/lib/ids.ts';
import { subscribe } from '../support/app.ts';
import { finishedSong, musicTask } from '../support/fake-music.ts';
import { isLong } from '../support/fleet.ts';
import { type PollingServer, type PollingServers, startPollingServers } from '../support/polling-servers.ts';

const song = (id: string): string => packId('task', ['SONG', id]);
const songs = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `s${index}`);

interface Watch {
  readonly events: readonly TaskProgressSubscription['taskProgress'][];
  /** Resolves at the end of the watch. */
  readonly ended: Promise<void>;
}

function watch(server: PollingServer, ids: readonly string[], each = 1): readonly Watch[] {
  const client = server.wsClient();
  return ids.flatMap((id) =>
    Array.from({ length: each }, () => {
      const events: TaskProgressSubscription['taskProgress'][] = [];
      const ended = (async () => {
        for await (const { data } of subscribe(client, TaskProgressDocument, { id: song(id) }))
          if (data) events.push(data.taskProgress);
      })();
      return { events, ended };
    }),
  );
}

/** Waits until every watch has received this progress. */
const allAt = (watches: readonly Watch[], progress: number) => (): boolean =>
  watches.every(({ events }) => events.at(-1)?.progress === progress);
const allEnded = (watches: readonly Watch[]) => (): boolean =>
  watches.every(({ events }) => events.at(-1)?.status === 'SUCCEEDED');

function createAnswers() {
  let progress = '10%';
  return {
    set: (next: string) => void (progress = next),
    answer: (ids: readonly string[]) => ({
      body: {
        code: 'success',
        data: ids.map((id) =>
          progress === '100%' ? finishedSong(id) : musicTask(id, 'IN_PROGRESS', { progress }),
        ),
      },
    }),
  };
}

/** The instance that holds the only lease. */
async function findHolder({ records, servers }: PollingServers): Promise<PollingServer> {
  const rows = await records.query('select instance_id from poll_leases');
  expect(rows).toHaveLength(1);
  const holder = servers.find(({ instanceId }) => instanceId === rows[0]?.['instance_id']);
  if (!holder) throw new Error('no server holds the lease');
  return holder;
}

/** `npm run test:long` has more. */
const [instances, watchersOfEach] = isLong ? [10, 100] : [3, 12];

describe(`${10 * watchersOfEach} watchers of 10 songs`, () => {
  test(
    `on ${instances} instances cost the gateway what those on one instance cost`,
    { timeout: 600_000 },
    async () => {
      const counts: number[] = [];
      for (const count of [1, instances]) {
        const answers = createAnswers();
        const bus = createInProcessBus();
        const deployment = await startPollingServers({ engine: 'PostgreSQL', count, bus, ...answers });
        const { servers, gateway, pass, until } = deployment;
        const [first] = servers;
        if (!first) throw new Error('no server');
        const watches = [...watch(first, songs(10))];
        await until(servers, allAt(watches, 0.1));
        await pass(servers, 3000);
        for (const server of servers) watches.push(...watch(server, songs(10), watchersOfEach / count));
        await until(servers, allAt(watches, 0.1));
        // All intervals have reached their maximum.
        await pass(servers, 30_000);
        const joined = gateway.fetches.length;
        await pass(servers, 90_000);
        counts.push(gateway.fetches.length - joined);
        for (const fetch of gateway.fetches.slice(-3)) expect(new Set(fetch).size).toBe(10);
        answers.set('100%');
        await until(servers, allEnded(watches));
        await Promise.all(watches.map(({ ended }) => ended));
        expect(watches).toHaveLength(10 + 10 * watchersOfEach);
      }
      const [one = 0, several = 0] = counts;
      expect(one).toBeGreaterThan(8);
      // Intervals vary by a fifth.
      expect(several).toBeLessThanOrEqual(one + 4);
    },
  );
});

describe('two instances', () => {
  test('read songs that are watched on different instances in one request', async () => {
    const answers = createAnswers();
    const deployment = await startPollingServers({ engine: 'PostgreSQL', count: 2, ...answers });
    const { servers, gateway, until, pass } = deployment;
    const watches = servers.flatMap((server, index) => watch(server, [`s${index}`]));
    await until(servers, allAt(watches, 0.1));
    await pass(servers, 40_000);
    const joined = gateway.fetches.length;
    await pass(servers, 40_000);
    const fetches = gateway.fetches.slice(joined);
    expect(fetches.length).toBeGreaterThan(2);
    expect(fetches.length).toBeLessThan(8);
    for (const fetch of fetches) expect(fetch.toSorted()).toEqual(['s0', 's1']);
    answers.set('100%');
    await until(servers, allEnded(watches));
  });
});

test('the lease of a song ends as soon as its last watcher leaves', async () => {
  const answers = createAnswers();
  const deployment = await startPollingServers({ engine: 'PostgreSQL', count: 2, ...answers });
  const { servers, records, pass } = deployment;
  const [server] = servers;
  if (!server) throw new Error('no server');
  const events = subscribe(server.wsClient(), TaskProgressDocument, { id: song('a') });
  await events.next();
  await pass(servers, 3000);
  const countLeases = async () => (await records.query('select instance_id from poll_leases')).length;
  expect(await countLeases()).toBe(1);
  await events.return?.();
  // Its time stands still from here: no read is due.
  await expect.poll(countLeases, { timeout: 10_000 }).toBe(0);
});

describe('an instance that does not poll', () => {
  async function start(count = 2, env: Readonly<Record<string, string>> = {}) {
    const answers = createAnswers();
    const bus = createInProcessBus();
    const deployment = await startPollingServers({ engine: 'PostgreSQL', count, bus, env, ...answers });
    return { ...deployment, answers, deployment };
  }

  test('hears of a change without waiting for its own interval', async () => {
    const { servers, until, answers, deployment } = await start();
    const watches = servers.flatMap((server) => watch(server, ['a']));
    await until(servers, allAt(watches, 0.1));
    await deployment.pass(servers, 5000);
    const holder = await findHolder(deployment);
    const others = servers.filter((server) => server !== holder);
    /** The time of the other instance stands still: it has only the work that the bus gives it. */
    const untilHeard = (isDone: () => boolean) =>
      until([holder], () => {
        for (const { clock } of others) clock.advance(0);
        return isDone();
      });
    answers.set('50%');
    await untilHeard(allAt(watches, 0.5));
    answers.set('100%');
    await untilHeard(allEnded(watches));
    expect(watches.map(({ events }) => events.map(({ progress }) => progress))).toEqual([
      [0.1, 0.5, 1],
      [0.1, 0.5, 1],
    ]);
  });

  test('answers from the record while it is younger than the poll interval', async () => {
    const { servers, until, pass, gateway, deployment } = await start();
    const [first] = servers;
    if (!first) throw new Error('no server');
    const watches = watch(first, ['a']);
    await until(servers, allAt(watches, 0.1));
    await pass([first], 3000);
    const holder = await findHolder(deployment);
    const other = servers.find((server) => server !== holder);
    if (!other) throw new Error('no other server');
    const before = gateway.fetches.length;
    const { data } = await other.run<{ readonly task: object }, object>(
      `{ task(id: "${song('a')}") { status progress lastReadAt } }`,
    );
    expect(data?.task).toMatchObject({ status: 'RUNNING', progress: 0.1 });
    expect(gateway.fetches).toHaveLength(before);
    await deployment.records.query('update polled_tasks set fresh_until = 0');
    await other.run(`{ task(id: "${song('a')}") { status } }`);
    expect(gateway.fetches).toHaveLength(before + 1);
  });

  test('takes over within two lease periods when the other freezes, which stops when it thaws', async () => {
    const { servers, until, pass, gateway, answers, deployment } = await start(3, {
      TASK_POLL_MAX_SECONDS: '15',
    });
    const watches = servers.flatMap((server) => watch(server, ['a']));
    await until(servers, allAt(watches, 0.1));
    // All intervals have reached their maximum.
    await pass(servers, 60_000);
    const read = gateway.fetches.length;
    await until(servers, () => gateway.fetches.length > read);
    const frozen = await findHolder(deployment);
    const survivors = servers.filter((server) => server !== frozen);
    const before = gateway.fetches.length;
    const isTaken = () => gateway.fetches.length > before;
    expect(await until(survivors, isTaken, { agesRecords: true })).toBeLessThan(60_000);
    expect(survivors).toContain(await findHolder(deployment));
    const taken = gateway.fetches.length;
    await pass([frozen], 30_000);
    expect(gateway.fetches).toHaveLength(taken);
    answers.set('100%');
    await until(servers, allEnded(watches));
  });

  test('continues unwatched tasks of a dead instance with a credential that it has', async () => {
    // No whole number of milliseconds.
    const env = { TASK_FOLLOW_HOURS: '24.0000001' };
    const { servers, until, gateway, answers, deployment } = await start(2, env);
    const [dead, survivor] = servers;
    if (!dead || !survivor) throw new Error('no servers');
    const input = { description: 'a shanty', model: 'SONG_V5' } as const;
    // The gateway accepts the owner's credential before the other instance creates a task.
    await survivor.run(`{ task(id: "${song('elsewhere')}") { status } }`);
    await dead.run(CreateSongDocument, { input });
    await until(servers, () => gateway.fetches.length >= 3);
    const list = '{ generations { edges { node { status task { isFollowed lastReadAt } } } } }';
    const read = async () => (await survivor.run<object, object>(list)).data;
    expect(JSON.stringify(await read())).toContain('"isFollowed":true');
    await deployment.kill(dead);
    const before = gateway.fetches.length;
    expect(await until([survivor], () => gateway.fetches.length > before)).toBeLessThan(60_000);
    answers.set('100%');
    await until([survivor], () => survivor.app.activity.polledTasks === 0);
    expect(JSON.stringify(await read())).toContain('"status":"SUCCEEDED"');
  });
});

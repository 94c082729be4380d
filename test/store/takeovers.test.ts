import { beforeAll, describe, expect, test } from 'vitest';
import { RecordsUnavailableError } from '../../src/errors.ts';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { createSystemClock } from '../../src/lib/clock.ts';
import { type Party, runInterleaved } from '../support/interleave-parties.ts';
import { openSharedDatabase, type SharedDatabase } from '../support/postgres.ts';
import { createRandom } from '../support/random.ts';
import { firstSeed } from '../support/seeds.ts';
import { createSteps } from '../support/stepped-pool.ts';
import { buildCreation, buildGeneration, buildTask, owner, recovery } from './support.ts';
import { sharingOf } from '../support/sharing.ts';

/** `npm run test:long` sets a larger number. */
const schedules = Number(process.env['TAKEOVERS'] ?? 6);

/** Counts what the instances sent to the gateway, by key. */
type Sent = Map<string, number>;

let database: SharedDatabase;
let parties: readonly [Party, Party, Party];

beforeAll(async () => {
  database = await openSharedDatabase();
  const open = async (name: string): Promise<Party> => {
    const steps = createSteps(name);
    const { createPool } = steps;
    let renewedMs = 0;
    const store = await createPostgresStore({
      url: database.url,
      clock: createSystemClock(),
      createPool,
      leaseTimer: () => renewedMs,
    });
    // Each has renewed its lease in time for longer than a lease, so that it judges those of the others.
    for (; renewedMs < 20_000; renewedMs += 2000) await sharingOf(store).renewLease();
    return { name, steps, store };
  };
  parties = [await open('frozen'), await open('second'), await open('third')];
  return async () => {
    for (const { store } of parties) await store.close();
    await database.drop();
  };
});

interface Ending {
  readonly id: string;
  readonly status: string;
  readonly finished_at: string;
  readonly error: string | null;
  readonly ended_for: string | null;
}

/** Fails when an ending changes or disappears, except those that were recorded for an instance that seemed dead. */
function createEndingWatch(): () => Promise<void> {
  const seen = new Map<string, Ending>();
  return async () => {
    const { rows } = await database.client.query<Ending>(
      'select id, status, finished_at, error, ended_for from generations where finished_at is not null',
    );
    const found = new Map(rows.map((row) => [row.id, row]));
    // A create whose outcome is unknown may turn out to have been accepted.
    for (const [id, ending] of seen) {
      const [before, after] = [JSON.stringify(ending), JSON.stringify(found.get(id))];
      if (ending.status !== 'UNKNOWN' && ending.ended_for === null && after !== before)
        throw new Error(`${before} became ${after}`);
    }
    for (const row of rows) seen.set(row.id, row);
  };
}

const accepted = { isVisible: true } as const;
const key = 'client:k';

/** Creates once, as a server does for each request with this key. `finish` is what it does with the accepted work. */
async function create(
  { store }: Party,
  sent: Sent,
  finish: (generationId: string, creationId: string) => Promise<unknown>,
): Promise<void> {
  for (let attempts = 0; attempts < 3; attempts += 1) {
    const generation = buildGeneration({ isVisible: false });
    const creation = buildCreation(generation.id, { key });
    const holder = await store.claim(creation, generation).catch(async (error: unknown) => {
      if (!(error instanceof RecordsUnavailableError)) throw error;
      // Its lease expired twice meanwhile.
      await store.release(creation.id, { isUnsent: true });
      return creation;
    });
    if (holder) return;
    sent.set(key, (sent.get(key) ?? 0) + 1);
    await finish(generation.id, creation.id);
    return;
  }
}

async function takeOver({ store }: Party): Promise<void> {
  await store.recover(await store.findOrphans(), recovery);
}

/** The lease of the frozen instance, which has no lock, expires. */
const die = () =>
  database.client.query('update instances set expires_at = 0 where id = $1', [parties[0].store.instanceId]);
const thaw = () =>
  database.client.query(
    'insert into instances (id, expires_at) values ($1, (extract(epoch from now()) * 1000 + 30000)::bigint) on conflict (id) do update set expires_at = excluded.expires_at',
    [parties[0].store.instanceId],
  );

async function prepare(): Promise<void> {
  const tables = [
    'creations',
    'generations',
    'contents',
    'tasks',
    'usage_days',
    'owner_records',
    'poll_leases',
    'polled_tasks',
    'instances',
  ];
  await database.client.query(tables.map((table) => `delete from ${table}`).join('; '));
  for (const { store } of parties) await sharingOf(store).renewLease();
}

/** What the limits of an owner count must match the records. */
async function expectCounted(): Promise<void> {
  const { rows } = await database.client.query(
    'select (select count(*) from generations) as recorded, coalesce((select sum(records) from owner_records), 0) as counted',
  );
  const [{ recorded, counted } = { recorded: -1, counted: -2 }] = rows as {
    recorded: string;
    counted: string;
  }[];
  expect(counted).toBe(recorded);
}

/** The sums of usage must match the records: none is deleted after it counts. */
async function expectSums(): Promise<void> {
  const counts = ['SUCCEEDED', 'FAILED', 'CANCELED', 'UNKNOWN'];
  const { rows } = await database.client.query<{ readonly status: string; readonly count: string }>(
    'select status, count(*) as count from generations where is_visible = 1 group by status',
  );
  const recorded = counts.map((status) => rows.find((row) => row.status === status)?.count ?? '0');
  const { rows: sums } = await database.client.query<Readonly<Record<string, string>>>(
    `select coalesce(sum(succeeded), 0) as a, coalesce(sum(failed), 0) as b, coalesce(sum(canceled), 0) as c,
      coalesce(sum(unknown_outcome), 0) as d from usage_days`,
  );
  expect(Object.values(sums[0] ?? {})).toEqual(recorded);
}

async function runSchedules(run: (random: () => number) => Promise<void>): Promise<void> {
  const broken: string[] = [];
  for (let seed = firstSeed; seed < firstSeed + schedules && broken.length < 3; seed += 1) {
    await prepare();
    await run(createRandom(seed)).catch((error: unknown) => broken.push(`seed ${seed}: ${String(error)}`));
  }
  expect(broken).toEqual([]);
}

describe(`in ${schedules} schedules in which an instance freezes, dies, is taken over and thaws between any two statements`, () => {
  test('a chat is sent once, and its true ending stays, once it is recorded', { timeout: 900_000 }, () =>
    runSchedules(async (random) => {
      const [frozen, second, third] = parties;
      const sent: Sent = new Map();
      const completed: string[] = [];
      const stream =
        ({ store }: Party) =>
        async (id: string, creationId: string) => {
          await store.settle(creationId, { phase: 'SETTLED', generation: accepted });
          await store.saveOutput(id, { type: 'part' });
          await store.endGeneration(id, {
            status: 'SUCCEEDED',
            finishedAt: 3000,
            isVisible: true,
            output: { type: 'whole' },
          });
          completed.push(id);
          // A late save, of a process that was frozen before it.
          await store.saveOutput(id, { type: 'part' });
        };
      await runInterleaved(
        [
          { party: frozen, run: () => create(frozen, sent, stream(frozen)) },
          {
            party: second,
            async run() {
              await takeOver(second);
              await create(second, sent, stream(second));
              await takeOver(second);
            },
          },
          {
            party: third,
            async run() {
              await create(third, sent, stream(third));
              await takeOver(third);
              const { rows } = await database.client.query<{ readonly id: string }>(
                'select id from generations',
              );
              for (const { id } of rows)
                await third.store.endGeneration(id, { status: 'CANCELED', finishedAt: 4000 });
            },
          },
        ],
        {
          random,
          events: [die, die, ...(random() < 0.5 ? [thaw] : [])],
          observe: createEndingWatch(),
          client: database.client,
        },
      );
      expect(sent.get(key) ?? 0).toBeLessThanOrEqual(1);
      await die();
      await takeOver(second);
      const { rows } = await database.client.query(
        'select id, status, error from generations where finished_at is null',
      );
      expect(rows).toEqual([]);
      const { rows: wrong } = await database.client.query(
        "select status, error from generations where id = any($1) and status not in ('SUCCEEDED', 'CANCELED')",
        [completed],
      );
      expect(wrong).toEqual([]);
      await expectCounted();
      await expectSums();
    }),
  );

  test(
    'a task is sent once, an outcome that arrives late replaces only an unknown one, and no old reading an end',
    { timeout: 900_000 },
    () =>
      runSchedules(async (random) => {
        const [frozen, second, third] = parties;
        const sent: Sent = new Map();
        const taskOf = (generationId: string) => buildTask({ id: 'task_1', generationId, status: 'QUEUED' });
        const target = { owner, round: 'songs' };
        let settled: string | undefined;
        const submit =
          ({ store }: Party) =>
          async (id: string, creationId: string) => {
            settled = id;
            await store.settle(creationId, {
              phase: 'SETTLED',
              generation: { status: 'QUEUED', isVisible: true, taskId: 'task_1' },
              task: taskOf(id),
            });
          };
        const isDone = random() < 0.5;
        /** Polls the task once if this instance holds the lease of its round. */
        const poll = async ({ store }: Party, status: 'RUNNING' | 'SUCCEEDED'): Promise<void> => {
          const claim = await sharingOf(store).polls.claim(target);
          if (claim && claim.holder !== store.instanceId) return;
          // No instance knows the task before its create is settled.
          const [task] = await store.findTasks(owner, ['task_1']);
          if (!task) return;
          const isOver = status === 'SUCCEEDED';
          const patch = isOver ? ({ status, finishedAt: 5000 } as const) : ({ status } as const);
          await store.saveTask({ ...task, status }, patch);
          await sharingOf(store).polls.saveReadings(target, [{ id: 'task_1', freshMs: 1000, isOver }]);
        };
        await runInterleaved(
          [
            {
              party: frozen,
              async run() {
                await create(frozen, sent, submit(frozen));
                await poll(frozen, 'RUNNING');
                await poll(frozen, 'RUNNING');
              },
            },
            {
              party: second,
              async run() {
                await takeOver(second);
                await create(second, sent, submit(second));
                await poll(second, isDone ? 'SUCCEEDED' : 'RUNNING');
                await takeOver(second);
              },
            },
            {
              party: third,
              async run() {
                await takeOver(third);
                await poll(third, 'SUCCEEDED');
                await create(third, sent, submit(third));
                await poll(third, 'SUCCEEDED');
              },
            },
          ],
          {
            random,
            events: [die, die, ...(random() < 0.5 ? [thaw] : [])],
            observe: createEndingWatch(),
            client: database.client,
          },
        );
        expect(sent.get(key) ?? 0).toBeLessThanOrEqual(1);
        const { rows } = await database.client.query<{ readonly status: string; readonly body: string }>(
          'select generations.status, tasks.body from generations left join tasks on tasks.generation_id = generations.id',
        );
        // If the settlement arrived, the outcome is known, and the task shows the same state.
        const known = settled === undefined ? [] : rows;
        expect(known.filter(({ status }) => status === 'UNKNOWN')).toEqual([]);
        const states = known.map(({ body }) => (JSON.parse(body) as { readonly status: string }).status);
        expect(known.map(({ status }) => status)).toEqual(states);
        await expectCounted();
      }),
  );
});

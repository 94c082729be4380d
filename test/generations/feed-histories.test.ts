import { describe, expect, onTestFinished, test } from 'vitest';
import type { Bus } from '../../src/bus/bus.ts';
import { createInProcessBus } from '../../src/bus/in-process-bus.ts';
import type { GenerationFilter } from '../../src/client/documents.generated.ts';
import { publishChanges } from '../../src/generations/publish-changes.ts';
import type { Generation } from '../../src/store/records.ts';
import type { Store } from '../../src/store/store.ts';
import { buildCreation, buildGeneration, buildTask, noneAbandoned } from '../store/support.ts';
import { sandboxKey, startApp, type TestApp } from '../support/app.ts';
import { ask, createChatCompletion, made } from '../support/chats.ts';
import { FeedClient, type FeedServer, readList } from '../support/feed-client.ts';
import { createRandom } from '../support/random.ts';
import { createRecords, type Engine, engines } from '../support/records.ts';

/** `npm run test:long` sets a larger number. A write of PostgreSQL waits for the disk, so it gets fewer. */
const histories = Number(process.env['FEED_HISTORIES'] ?? 160);
const countOf = (engine: Engine): number => (engine === 'SQLite' ? histories : Math.ceil(histories / 10));
/** Owners whose histories run at the same time. */
const lanes = 8;

const filters: readonly GenerationFilter[] = [
  {},
  { kinds: ['CHAT'] },
  { statuses: ['SUCCEEDED'] },
  { kinds: ['CHAT', 'SONG'], statuses: ['RUNNING', 'SUCCEEDED'] },
];

interface Instance {
  readonly app: TestApp;
  readonly store: Store;
}

/** What one owner uses. */
interface Lane {
  readonly instances: readonly [LaneInstance, ...LaneInstance[]];
  readonly owner: string;
}

interface LaneInstance extends FeedServer {
  readonly store: Store;
}

/** Messages to the other instances arrive late, or not at all but then with a gap. */
function createBuses(count: number, random: () => number): readonly Bus[] {
  const buses = Array.from({ length: count }, () => ({
    local: createInProcessBus(),
    gaps: new Set<() => void>(),
  }));
  return buses.map(({ local, gaps }, index) => ({
    get subscriptions() {
      return local.subscriptions;
    },
    publish(topic, subject) {
      local.publish(topic, subject);
      for (const [place, other] of buses.entries()) {
        if (place === index) continue;
        const isLost = random() < 0.2;
        const arrive = () => {
          if (isLost) for (const onGap of other.gaps) onGap();
          else other.local.publish(topic, subject);
        };
        setImmediate(() => (random() < 0.5 ? arrive() : setImmediate(arrive)));
      }
    },
    subscribe(topic, onMessage, onGap) {
      const unsubscribe = local.subscribe(topic, onMessage);
      if (onGap) gaps.add(onGap);
      return () => {
        unsubscribe();
        if (onGap) gaps.delete(onGap);
      };
    },
  }));
}

async function startLanes(engine: Engine, random: () => number): Promise<readonly Lane[]> {
  const records = await createRecords(engine);
  let owner = '';
  const startInstance = async (bus: Bus): Promise<Instance> => {
    let store: Store | undefined;
    const app = await startApp({
      env: { ...records.env },
      overrides: {
        bus,
        wrapStore(wrapped) {
          store = publishChanges(wrapped, bus);
          return {
            ...wrapped,
            findLastChange(name) {
              owner = name;
              return wrapped.findLastChange(name);
            },
          };
        },
      },
    });
    onTestFinished(() => app[Symbol.asyncDispose]());
    if (!store) throw new Error('the server has no store');
    return { app, store };
  };
  const buses = createBuses(engine === 'SQLite' ? 1 : 2, random);
  const instances = await Promise.all(buses.map(startInstance));
  const all: Lane[] = [];
  for (let lane = 0; lane < lanes; lane += 1) {
    const headers = { ...sandboxKey, 'x-end-user': `user-${lane}` };
    const [first, ...others] = instances.map(({ app, store }) => ({
      store,
      api: { run: (document, variables) => app.run(document, variables, { headers }) } as LaneInstance['api'],
      socket: app.wsClient({ connectionParams: headers }),
    }));
    if (!first) throw new Error('there is no server');
    // The gateway accepts the credential, so that the operations are not limited as those of strangers.
    for (const { app } of instances) made(await createChatCompletion(app, { input: ask('Hello') }, headers));
    const { listed } = await readList(first.api);
    await first.store.forgetGenerations(owner, [...listed.keys()]);
    all.push({ instances: [first, ...others], owner });
  }
  return all;
}

/** As a create does that the gateway accepts. */
async function create(store: Store, members: Partial<Generation>): Promise<string> {
  const generation = buildGeneration({ createdAt: Date.now(), ...members, isVisible: false });
  const creation = buildCreation(generation.id, { key: undefined, owner: generation.owner });
  await store.claim(creation, generation);
  await store.settle(creation.id, { phase: 'SETTLED', generation: { isVisible: true } });
  return generation.id;
}

/** Runs random writes, cuts and changes of the instance. The list of the client must equal a list that is read at the end. */
async function runHistory({ instances, owner }: Lane, random: () => number): Promise<FeedClient> {
  const pick = <Item>(items: readonly [Item, ...Item[]] | readonly Item[]): Item =>
    // Every index below the length has an item.
    items[Math.floor(random() * items.length)] as Item;
  const ended = () => ({ status: 'SUCCEEDED' as const, finishedAt: Date.now() });
  const ids: string[] = [];
  const add = async (store: Store): Promise<void> => {
    const kind = pick(['CHAT', 'SONG', 'IMAGE'] as const);
    const state = random() < 0.6 ? { status: 'RUNNING' as const, taskId: `task_${ids.length}` } : ended();
    ids.push(await create(store, { owner, kind, ...state }));
  };
  const writes: readonly ((store: Store, id: string) => Promise<unknown>)[] = [
    add,
    add,
    (store, id) =>
      store.endGeneration(id, {
        status: pick(['SUCCEEDED', 'FAILED'] as const),
        finishedAt: Date.now(),
        raw: random(),
      }),
    (store, id) =>
      store.saveTask(buildTask({ owner, id: `t${id}`, generationId: id, progress: random() }), {
        status: pick(['RUNNING', 'QUEUED'] as const),
      }),
    (store, id) => store.saveOutput(id, { type: 'saved' }),
    (store, id) => store.forgetGenerations(owner, [id]),
  ];
  const write = () => pick(writes)(pick(instances).store, pick(ids) ?? 'generation_none');
  for (let count = random() * 4; count > 0; count -= 1) await write();

  const filter = pick(filters);
  const client = new FeedClient(filter);
  await client.start(pick(instances));
  client.connect(pick(instances));
  for (let steps = 3 + random() * 12; steps > 0; steps -= 1) {
    const choice = random();
    if (choice < 0.2) await client.cut();
    // While the client is away, or in the middle of its events.
    const count = Math.ceil(random() * 3);
    if (choice < 0.9) await Promise.all(Array.from({ length: count }, write));
    if (choice > 0.97)
      await pick(instances).store.sweep({
        ...noneAbandoned,
        keysBefore: 0,
        limit: 1000,
        changesBefore: Date.now() + 60_000,
      });
    if (choice < 0.2) client.connect(pick(instances), { repeats: random() < 0.3 });
  }
  const last = await create(pick(instances).store, { owner, ...ended() });
  await client.hasSeen(last);
  const fresh = await readList(instances[0].api, filter);
  expect(client.listed).toEqual(fresh.listed);
  await client.cut();
  await instances[0].store.forgetGenerations(owner, [...ids, last]);
  return client;
}

describe.each(engines)('%s', (engine) => {
  const count = countOf(engine);
  test(
    `a client that applies the feed has the list as it is read, in ${count} random histories`,
    { timeout: 60_000 + 1000 * count },
    async () => {
      const all = await startLanes(engine, createRandom(0));
      const seeds = Array.from({ length: count }, (_none, index) => index + 1).values();
      let [events, resets] = [0, 0];
      await Promise.all(
        all.map(async (lane) => {
          // The lanes share the seeds.
          for (const seed of seeds) {
            const { counts } = await runHistory(lane, createRandom(seed)).catch((cause: unknown) => {
              throw new Error(`seed ${seed}`, { cause });
            });
            events += counts.events;
            resets += counts.resets;
          }
        }),
      );
      // The histories are not empty.
      expect(events).toBeGreaterThan(count);
      expect(resets).toBeGreaterThan(0);
    },
  );
});

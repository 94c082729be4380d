import { onTestFinished } from 'vitest';
import type { Bus } from '../../src/bus/bus.ts';
import { createInProcessBus } from '../../src/bus/in-process-bus.ts';
import type { GenerationFilter } from '../../src/client/documents.generated.ts';
import { publishChanges } from '../../src/generations/publish-changes.ts';
import type { Generation } from '../../src/store/records.ts';
import type { Store } from '../../src/store/store.ts';
import { buildCreation, buildGeneration, buildTask, noneAbandoned } from '../store/support.ts';
import { sandboxKey, startApp, type TestApp } from './app.ts';
import { ask, createChatCompletion, made } from './chats.ts';
import { type FeedServer, readList } from './feed-client.ts';
import { createRecords, type Engine } from './records.ts';
import { firstSeed } from './seeds.ts';

/** Owners whose histories run at the same time. */
const lanes = 8;

/** Filters whose lists generations enter and leave. */
export const historyFilters: readonly GenerationFilter[] = [
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
export interface Lane {
  readonly instances: readonly [LaneInstance, ...LaneInstance[]];
  readonly owner: string;
  readonly endUser: string;
}

export interface LaneInstance extends FeedServer {
  readonly store: Store;
  readonly url: string;
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

export async function startLanes(engine: Engine, random: () => number): Promise<readonly Lane[]> {
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
    const endUser = `user-${lane}`;
    const headers = { ...sandboxKey, 'x-end-user': endUser };
    const [first, ...others] = instances.map(({ app, store }) => ({
      store,
      url: app.url,
      api: { run: (document, variables) => app.run(document, variables, { headers }) } as LaneInstance['api'],
      socket: app.wsClient({ connectionParams: headers }),
    }));
    if (!first) throw new Error('there is no server');
    // The gateway accepts the credential, so that the operations are not limited as those of strangers.
    for (const { app } of instances) made(await createChatCompletion(app, { input: ask('Hello') }, headers));
    const { listed } = await readList(first.api);
    await first.store.deleteGenerations(owner, [...listed.keys()]);
    all.push({ instances: [first, ...others], owner, endUser });
  }
  return all;
}

/** As a create does that the gateway accepts. */
export async function createVisible(store: Store, members: Partial<Generation>): Promise<string> {
  const generation = buildGeneration({ createdAt: Date.now(), ...members, isVisible: false });
  const creation = buildCreation(generation.id, { key: undefined, owner: generation.owner });
  await store.claim(creation, generation);
  await store.settle(creation.id, { phase: 'SETTLED', generation: { isVisible: true } });
  return generation.id;
}

/** Random writes to the records of one owner. */
export class RandomWrites {
  readonly ids: string[] = [];
  readonly #lane: Lane;
  readonly #random: () => number;
  readonly #writes: readonly ((store: Store, id: string) => Promise<unknown>)[];

  constructor(lane: Lane, random: () => number) {
    this.#lane = lane;
    this.#random = random;
    const { owner } = lane;
    const add = async (store: Store): Promise<void> => {
      const kind = this.pick(['CHAT', 'SONG', 'IMAGE'] as const);
      const running = { status: 'RUNNING' as const, taskId: `task_${this.ids.length}` };
      const state = random() < 0.6 ? running : ended();
      // Some become visible later than newer ones.
      const createdAt = Date.now() - Math.floor(random() * 50);
      this.ids.push(await createVisible(store, { owner, kind, createdAt, ...state }));
    };
    this.#writes = [
      add,
      add,
      (store, id) =>
        store.endGeneration(id, {
          status: this.pick(['SUCCEEDED', 'FAILED'] as const),
          finishedAt: Date.now(),
          raw: random(),
        }),
      (store, id) =>
        store.saveTask(buildTask({ owner, id: `t${id}`, generationId: id, progress: random() }), {
          status: this.pick(['RUNNING', 'QUEUED'] as const),
        }),
      (store, id) => store.saveOutput(id, { type: 'saved' }),
      (store, id) => store.deleteGenerations(owner, [id]),
    ];
  }

  pick<Item>(items: readonly Item[]): Item {
    // Every index below the length has an item.
    return items[Math.floor(this.#random() * items.length)] as Item;
  }

  async write(): Promise<void> {
    await this.pick(this.#writes)(
      this.pick(this.#lane.instances).store,
      this.pick(this.ids) ?? 'generation_none',
    );
  }

  async writeSome(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => this.write()));
  }

  /** Forgets the log of changes, so that older cursors are reset. */
  async forgetLog(): Promise<void> {
    await this.pick(this.#lane.instances).store.sweep({
      ...noneAbandoned,
      keysBefore: 0,
      limit: 1000,
      changesBefore: Date.now() + 60_000,
    });
  }

  /** A generation that every filter matches, newer than all others. */
  async addLast(): Promise<string> {
    const id = await createVisible(this.pick(this.#lane.instances).store, {
      owner: this.#lane.owner,
      createdAt: Date.now() + 1,
      ...ended(),
    });
    this.ids.push(id);
    return id;
  }

  async removeAll(): Promise<void> {
    await this.#lane.instances[0].store.deleteGenerations(this.#lane.owner, this.ids);
  }
}

function ended() {
  return { status: 'SUCCEEDED' as const, finishedAt: Date.now() };
}

/** Runs the history of each seed, as many at a time as there are lanes. */
export async function runHistories(
  all: readonly Lane[],
  count: number,
  run: (lane: Lane, seed: number) => Promise<void>,
): Promise<void> {
  // The lanes share the seeds.
  const seeds = Array.from({ length: count }, (_none, index) => firstSeed + index).values();
  await Promise.all(
    all.map(async (lane) => {
      for (const seed of seeds)
        await run(lane, seed).catch((cause: unknown) => {
          throw new Error(`seed ${seed}`, { cause });
        });
    }),
  );
}

import type { Client } from 'pg';
import type { Generation } from '../../src/store/records.ts';
import type { Expiry, Settlement, Store } from '../../src/store/store.ts';
import { buildAccessToken, buildCreation, buildGeneration, buildTask, owner, recovery } from './support.ts';

/** Two instances of one database. */
export interface World {
  readonly left: Store;
  readonly right: Store;
  readonly client: Client;
}

/** Two writes of the same records. */
export interface Case {
  readonly name: string;
  /** Records what both writes find. */
  readonly setup: (world: World) => Promise<unknown>;
  readonly left: (world: World) => Promise<unknown>;
  readonly right: (world: World) => Promise<unknown>;
}

/** Records that an owner may have. */
export const maxRecords = 3;

const chat = buildGeneration({ id: 'generation_1', model: 'm', isVisible: false });
const create = buildCreation(chat.id, { id: 'creation_1' });
const task = buildTask({ id: 'task_1', generationId: chat.id });
const [queued, done] = [
  { ...task, status: 'RUNNING' },
  { ...task, status: 'SUCCEEDED', output: { type: 'song' } },
] as const;
const accepted = { status: 'RUNNING', isVisible: true } as const;
const succeeded = {
  status: 'SUCCEEDED',
  isVisible: true,
  finishedAt: 3000,
  output: { type: 'late' },
  usage: { totalTokens: 7 },
} as const;
const canceled = { status: 'CANCELED', isVisible: true, finishedAt: 4000 } as const;
const settlement: Settlement = {
  phase: 'SETTLED',
  generation: succeeded,
  accessToken: buildAccessToken({ id: 'token_1' }),
};

const sending = ({ left }: World) => left.claim(create, chat);
const running = async (world: World) => {
  await sending(world);
  await world.left.settle(create.id, { phase: 'SETTLED', generation: accepted });
};
const withTask = async (world: World) => {
  await sending(world);
  const generation = { ...accepted, taskId: task.id };
  await world.left.settle(create.id, { phase: 'SETTLED', generation, task });
};
/** A second task, whose generation has another model. */
const otherTask = { ...queued, id: 'task_2', generationId: 'generation_2' };
const withTwoTasks = async (world: World) => {
  await withTask(world);
  const [other, creation] = [
    { ...second(2), model: 'l' },
    { ...create, id: 'creation_2', key: 'k2', subjectId: 'generation_2' },
  ];
  await world.left.claim(creation, other);
  const generation = { ...accepted, taskId: otherTask.id };
  await world.left.settle(creation.id, { phase: 'SETTLED', generation, task: otherTask });
};
/** An output of this many characters more than one that is always written whole. */
const longOutput = (more: number) => ({ type: 'long', text: 'x'.repeat(20_000 + more) });
/** A chat whose saved output has a part. The first save is short: the instance knows nothing of the records before them. */
const withPart = async (world: World) => {
  await running(world);
  await world.left.saveOutput(chat.id, { type: 'short' });
  for (const more of [0, 1]) await world.left.saveOutput(chat.id, longOutput(more));
};
const ended = async (world: World) => {
  await running(world);
  await world.left.endGeneration(chat.id, succeeded);
};
/** The left instance counts as dead. It does not know. */
const thenDead =
  (setup: Case['setup']): Case['setup'] =>
  async (world) => {
    await setup(world);
    await world.client.query('delete from instances where id = $1', [world.left.instanceId]);
  };

const second = (index: number): Generation => ({ ...chat, id: `generation_${index}` });
const claimAgain = (index: number) => (store: Store) =>
  store.claim({ ...create, id: `creation_${index}`, subjectId: second(index).id }, second(index));
const orphans = [
  { type: 'creation', id: create.id, owner },
  { type: 'generation', id: chat.id, owner },
] as const;
const recover = ({ right }: World) => right.recover(orphans, recovery);
/** All records that the owner may have. They have ended. */
const full = async ({ left }: World) => {
  for (let index = 1; index <= maxRecords; index += 1) {
    const [generation, creation] = [second(index), { ...create, id: `creation_${index}`, key: `k${index}` }];
    await left.claim({ ...creation, subjectId: generation.id }, generation);
    await left.settle(creation.id, {
      phase: 'SETTLED',
      generation: { ...succeeded, finishedAt: 3000 + index },
    });
  }
};
const abandonment = { canRead: () => true, followedAfter: 0 };
const expiry: Expiry = { keysBefore: 0, generationsBefore: 1e12, ...abandonment, limit: 10 };

export const cases: readonly Case[] = [
  {
    name: 'settle a create, cancel its generation',
    setup: sending,
    left: ({ left }) => left.settle(create.id, settlement),
    right: ({ right }) => right.endGeneration(chat.id, canceled),
  },
  {
    name: 'settle a create, and again after a lost reply to the commit',
    setup: sending,
    left: ({ left }) => left.settle(create.id, { ...settlement, task }),
    right: ({ right }) => right.settle(create.id, { ...settlement, task }),
  },
  {
    name: 'end a generation twice',
    setup: running,
    left: ({ left }) => left.endGeneration(chat.id, succeeded),
    right: ({ right }) => right.endGeneration(chat.id, canceled),
  },
  {
    name: 'save the output of a running generation, end it',
    setup: running,
    left: ({ left }) => left.saveOutput(chat.id, { type: 'partial' }),
    right: ({ right }) => right.endGeneration(chat.id, succeeded),
  },
  {
    name: 'save more of a long output, cancel its generation',
    setup: withPart,
    left: ({ left }) => left.saveOutput(chat.id, longOutput(9)),
    right: ({ right }) => right.endGeneration(chat.id, canceled),
  },
  {
    name: 'write a long output whole again, cancel its generation',
    setup: withPart,
    left: ({ left }) => left.saveOutput(chat.id, longOutput(30_000)),
    right: ({ right }) => right.endGeneration(chat.id, canceled),
  },
  {
    name: 'end a generation with a long output, cancel it',
    setup: withPart,
    left: ({ left }) => left.endGeneration(chat.id, succeeded),
    right: ({ right }) => right.endGeneration(chat.id, canceled),
  },
  {
    name: 'save two readings of a task',
    setup: withTask,
    left: ({ left }) => left.saveTask(queued, { status: 'RUNNING' }),
    right: ({ right }) => right.saveTask(done, succeeded),
  },
  {
    name: 'save two readings of a task that is not recorded',
    setup: running,
    left: ({ left }) => left.saveTask(queued, { status: 'RUNNING' }),
    right: ({ right }) => right.saveTask(done, succeeded),
  },
  {
    name: 'save two readings of a task that was created elsewhere',
    setup: async () => {},
    left: ({ left }) => left.saveTask({ ...queued, generationId: undefined }),
    right: ({ right }) => right.saveTask({ ...done, generationId: undefined }),
  },
  {
    name: 'save readings of two tasks together, in opposite orders',
    setup: withTwoTasks,
    left: ({ left }) =>
      Promise.all([left.saveTask(done, succeeded), left.saveTask(otherTask, { status: 'RUNNING' })]),
    right: ({ right }) =>
      Promise.all([right.saveTask(otherTask, succeeded), right.saveTask(queued, { status: 'RUNNING' })]),
  },
  {
    name: 'save readings of two tasks together, end a generation of another model',
    setup: withTwoTasks,
    left: ({ left }) => Promise.all([left.saveTask(done, succeeded), left.saveTask(otherTask, succeeded)]),
    right: ({ right }) => right.endGeneration('generation_2', canceled),
  },
  {
    name: 'save a reading of a task, cancel its generation',
    setup: withTask,
    left: ({ left }) => left.saveTask(done, succeeded),
    right: ({ right }) => right.endGeneration(chat.id, canceled),
  },
  {
    name: 'save a reading of a task, forget its generation',
    setup: withTask,
    left: ({ left }) => left.saveTask(done, succeeded),
    right: ({ right }) => right.deleteGenerations(owner, [chat.id]),
  },
  {
    name: 'end a generation, forget it',
    setup: running,
    left: ({ left }) => left.endGeneration(chat.id, succeeded),
    right: ({ right }) => right.deleteGenerations(owner, [chat.id]),
  },
  {
    name: 'claim a key twice',
    setup: async () => {},
    left: ({ left }) => claimAgain(2)(left),
    right: ({ right }) => claimAgain(3)(right),
  },
  {
    name: 'claim a key, release it',
    setup: sending,
    left: ({ left }) => left.release(create.id),
    right: ({ right }) => claimAgain(2)(right),
  },
  {
    name: 'claim the key of a dead instance, settle its orphans',
    setup: thenDead(sending),
    // Which create holds the key. Its phase may change later.
    left: async ({ left }) => (await claimAgain(2)(left))?.id,
    right: recover,
  },
  {
    name: 'settle a create on an instance that counts as dead, settle its orphans',
    setup: thenDead(sending),
    left: ({ left }) => left.settle(create.id, settlement),
    right: recover,
  },
  {
    name: 'end a generation on an instance that counts as dead, settle its orphans',
    setup: thenDead(running),
    left: ({ left }) => left.endGeneration(chat.id, succeeded),
    right: recover,
  },
  {
    name: 'save output on an instance that counts as dead, settle its orphans',
    setup: thenDead(running),
    left: ({ left }) => left.saveOutput(chat.id, { type: 'partial' }),
    right: recover,
  },
  {
    name: 'save more of a long output on an instance that counts as dead, settle its orphans',
    setup: thenDead(withPart),
    left: ({ left }) => left.saveOutput(chat.id, longOutput(9)),
    right: recover,
  },
  {
    name: 'settle the orphans of a third instance twice',
    setup: async (world) => {
      await sending(world);
      await world.client.query("update creations set instance_id = 'gone'");
      await world.client.query("update generations set instance_id = 'gone'");
    },
    left: ({ left }) => left.recover(orphans, recovery),
    right: recover,
  },
  {
    name: 'refuse a create, cancel its generation',
    setup: sending,
    left: ({ left }) => left.release(create.id),
    right: ({ right }) => right.endGeneration(chat.id, canceled),
  },
  {
    name: 'count the first two generations of a day',
    setup: async () => {},
    left: ({ left }) => left.claim({ ...create, key: 'a' }, { ...chat, isVisible: true }),
    right: ({ right }) =>
      right.claim(
        { ...create, id: 'creation_2', key: 'b', subjectId: 'generation_2' },
        { ...second(2), isVisible: true },
      ),
  },
  {
    name: 'count generations at the limit of sums of a day',
    setup: ({ client }) =>
      client.query(`
        insert into usage_days
        select '${owner}', 0, 'CHAT', '"' || n || '"', '', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        from generate_series(1, 899) as n
      `),
    left: ({ left }) => left.claim({ ...create, key: 'a' }, { ...chat, isVisible: true, model: 'x' }),
    right: ({ right }) =>
      right.claim(
        { ...create, id: 'creation_2', key: 'b', subjectId: 'generation_2' },
        { ...second(2), isVisible: true, model: 'y' },
      ),
  },
  {
    name: 'make room twice',
    setup: full,
    left: ({ left }) => left.makeRoom(owner, { abandonment }),
    right: ({ right }) => right.makeRoom(owner, { abandonment }),
  },
  {
    name: 'claim the last room twice',
    setup: async (world) => {
      await full(world);
      await world.left.deleteGenerations(owner, [chat.id]);
    },
    left: ({ left }) => claimAgain(4)(left),
    right: ({ right }) =>
      right.claim({ ...create, id: 'creation_5', key: 'other', subjectId: second(5).id }, second(5)),
  },
  {
    name: 'forget a generation twice',
    setup: ended,
    left: ({ left }) => left.deleteGenerations(owner, [chat.id]),
    right: ({ right }) => right.deleteGenerations(owner, [chat.id]),
  },
  {
    name: 'delete an expired generation, forget it',
    setup: ended,
    left: ({ left }) => left.sweep(expiry),
    right: ({ right }) => right.deleteGenerations(owner, [chat.id]),
  },
  {
    name: 'delete expired generations twice',
    setup: ended,
    left: ({ left }) => left.sweep(expiry),
    right: ({ right }) => right.sweep(expiry),
  },
];

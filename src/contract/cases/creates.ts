import { randomUUID } from 'node:crypto';
import { endingOf } from '../clients/events.ts';
import { subscriptions } from '../clients/operations.ts';
import { connectWithId } from '../clients/repeated-id.ts';
import { type Chat, type Transport, transports, type World } from '../world.ts';
import { type Case, check, checkEqual, checkRefused, type Stage } from './case.ts';
import { NotApplicable } from '../not-applicable.ts';
import {
  attach,
  follow,
  ifOffered,
  readRecord,
  recordedTexts,
  textsOf,
  untilPart,
  untilTerminal,
} from './chats.ts';

type Create = Pick<Chat, 'key' | 'input'>;

/** A create, and the id or the code that came of it. */
type Outcome = string;

async function startOnce(world: World, { key, input }: Create): Promise<Outcome> {
  const result = await world.run('startChat', { input, idempotencyKey: key });
  return note(world, result?.id) ?? result?.code ?? 'nothing';
}

async function attachOnce(world: World, create: Create, transport: Transport): Promise<Outcome | undefined> {
  const watcher = ifOffered(() => attach(world, create, transport));
  if (!watcher) return undefined;
  const { generationId, error } = await watcher.at(0);
  await watcher.leave();
  return note(world, generationId) ?? error?.code ?? 'nothing';
}

function note(world: World, id: string | null | undefined): string | undefined {
  if (id) world.created.add(id);
  return id ?? undefined;
}

/** Sends a create this many times in each form, at once. */
async function sendTwins(world: World, create: Create, times: number): Promise<readonly Outcome[]> {
  const sending = Array.from({ length: times }, () => [
    startOnce(world, create),
    ...transports.map((transport) => attachOnce(world, create, transport)),
  ]).flat();
  return (await Promise.all(sending)).filter((outcome) => outcome !== undefined);
}

const twinCases: readonly Case<void>[] = [
  ...[1, 3, 10].map((times): Case<void> => ({
    rule: '6.2',
    name: `${times} of each form`,
    chats: 1,
    async run(_none, world) {
      const create = { key: world.nextKey(), input: world.input('short') };
      const outcomes = new Set(await sendTwins(world, create, times));
      checkEqual(outcomes.size, 1, `the number of outcomes (${[...outcomes].join(', ')})`);
      check(world.created.has([...outcomes][0] ?? ''), `no chat was created: ${[...outcomes].join(', ')}`);
    },
  })),
  {
    rule: '6.2',
    name: 'two keys are two chats',
    chats: 2,
    async run(_none, world) {
      const input = world.input('short');
      const ids = await Promise.all([1, 2].map(() => startOnce(world, { key: world.nextKey(), input })));
      check(
        ids[0] !== ids[1] && ids.every((id) => world.created.has(id)),
        `the results are ${ids.join(', ')}`,
      );
    },
  },
  {
    rule: '6.3',
    name: 'different input at the same moment: one is created, the other is a conflict',
    chats: 1,
    async run(_none, world) {
      const [key, input] = [world.nextKey(), world.input('short')];
      const outcomes = await Promise.all(
        [input, { ...input, temperature: 0.5 }].map((each) => startOnce(world, { key, input: each })),
      );
      checkEqual(outcomes.filter((outcome) => world.created.has(outcome)).length, 1, 'the number of chats');
      check(outcomes.includes('IDEMPOTENCY_CONFLICT'), `the results are ${outcomes.join(', ')}`);
    },
  },
  {
    rule: '6.5',
    name: '200 characters are accepted',
    chats: 1,
    async run(_none, world) {
      const key = world.nextKey().padEnd(200, '.');
      const outcome = await startOnce(world, { key, input: world.input('short') });
      check(world.created.has(outcome), `the result is ${outcome}`);
    },
  },
  {
    rule: '6.5',
    name: '201 characters are refused',
    async run(_none, world) {
      const key = world.nextKey().padEnd(201, '.');
      checkEqual(await startOnce(world, { key, input: world.input('short') }), 'INVALID_INPUT', 'the result');
    },
  },
  {
    rule: '5.7',
    name: 'a repeated operation id',
    chats: 1,
    async run(_none, world) {
      if (world.target.isBehindRouter)
        throw new NotApplicable('a router chooses the operation ids itself: send a key');
      const id = randomUUID();
      const payload = { query: subscriptions.streamChat, variables: { input: world.input('short') } };
      const ids: string[] = [];
      for (const _attempt of [1, 2]) {
        const generationId = await connectWithId(world.target, { id, payload });
        ids.push(generationId);
        world.created.add(generationId);
      }
      checkEqual(ids[1], ids[0], 'the generation of the second operation');
    },
  },
];

/** Cancels a running chat that clients follow over every transport. */
async function cancelWatched(world: World, cancel: (chat: Chat) => Promise<void>): Promise<void> {
  const chat = await world.start('long');
  const watchers = transports.flatMap((transport) => ifOffered(() => follow(world, chat, transport)) ?? []);
  for (const watcher of watchers) await untilPart(watcher, 3);
  const seen = watchers.map(({ held }) => textsOf(held));
  await cancel(chat);
  const recorded = recordedTexts(await readRecord(world, chat));
  if ((await readRecord(world, chat)).status === 'SUCCEEDED')
    throw new NotApplicable('the chat had ended before it was canceled');
  for (const [index, watcher] of watchers.entries()) {
    checkEqual(endingOf(await watcher.ended), 'Canceled', 'the end');
    checkEqual(textsOf(watcher.held), recorded, 'the text of the client');
    for (const [choice, text] of (seen[index] ?? []).entries())
      check(recorded[choice]?.startsWith(text) === true, 'the record lacks text that a client had');
  }
}

const cancelCases: readonly Case<void>[] = [
  {
    rule: '7.1',
    name: 'by id, followed over every transport',
    chats: 1,
    run: (_none, world) =>
      cancelWatched(world, async ({ id }) => {
        const result = await world.run('cancelGeneration', { by: { id } });
        checkEqual(result?.id ?? result?.code, id, 'the result');
      }),
  },
  {
    rule: '7.2',
    name: 'by key, then again',
    chats: 1,
    run: (_none, world) =>
      cancelWatched(world, async ({ id, key }) => {
        const first = await world.run('cancelGeneration', { by: { idempotencyKey: key } });
        checkEqual(first?.id ?? first?.code, id, 'the result');
        checkEqual(await world.run('cancelGeneration', { by: { id } }), first, 'the second result');
      }),
  },
  {
    rule: '7.2',
    name: 'five times at once',
    chats: 1,
    run: (_none, world) =>
      cancelWatched(world, async ({ id }) => {
        const results = await Promise.all(
          [1, 2, 3, 4, 5].map(() => world.run('cancelGeneration', { by: { id } })),
        );
        for (const result of results) checkEqual(result?.id ?? result?.code, id, 'the result');
      }),
  },
  ...[{ id: 'generation_unknown' }, { idempotencyKey: 'contract-never-used' }].map((by): Case<void> => ({
    rule: '7.4',
    name: `by ${Object.keys(by).join('')}`,
    async run(_none, world) {
      checkEqual((await world.run('cancelGeneration', { by }))?.code, 'NOT_FOUND', 'the result');
    },
  })),
  ...transports.map((transport): Case<void> => ({
    rule: '8.3',
    name: `chatEvents over ${transport}`,
    run: (_none, world) =>
      checkRefused(follow(world, { id: 'generation_unknown' }, transport).ended, 'NOT_FOUND'),
  })),
];

export const createStage: Stage<void> = {
  name: 'creates and cancels',
  chats: 0,
  waveSize: 4,
  open: async () => {},
  cases: [...twinCases, ...cancelCases],
};

/** Last: the records of the whole run. */
export const recordStage: Stage<void> = {
  name: 'the records',
  chats: 0,
  open: async () => {},
  cases: [
    {
      rule: '6.7',
      name: 'the list has what the creates returned',
      async run(_none, world) {
        for (const id of world.created) await untilTerminal(world, { id });
        const list = await world.run('generations', {});
        check(list?.edges !== undefined, `there is no list: ${list?.code ?? 'null'}`);
        const listed = list.edges.flatMap(({ node }) => (node.prompt?.includes(world.mark) ? [node.id] : []));
        checkEqual(listed.toSorted(), [...world.created].toSorted(), 'the list');
      },
    },
  ],
};

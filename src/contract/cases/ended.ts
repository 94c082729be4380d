import { endingOf, type Held, isSnapshot, nothing, toHeld } from '../clients/events.ts';
import { type Chat, type Transport, transports, type World } from '../world.ts';
import { type Case, check, checkEqual, checkRefused, type Stage } from './case.ts';
import { NotApplicable } from '../not-applicable.ts';
import {
  attach,
  checkOneEnd,
  checkWhole,
  follow,
  ifOffered,
  namesOf,
  readRecord,
  recordedTexts,
  textsOf,
  untilPart,
  untilTerminal,
} from './chats.ts';
import { cutOnce, messagesOver, places } from './cuts.ts';
import { foreignCases } from './owners.ts';

interface Ended {
  readonly chat: Chat;
  /** What a client had after each event, while the chat ran. */
  readonly heldAt: readonly Held[];
  readonly last: number;
}

type State = 'Completed' | 'Canceled';

async function openEnded(world: World, state: State): Promise<Ended> {
  const chat = await world.start(state === 'Completed' ? 'short' : 'long');
  if (state === 'Completed') await world.probe(chat);
  const live = transports.map((transport) => () => follow(world, chat, transport));
  const watcher = firstOffered(live);
  if (state === 'Canceled') {
    await untilPart(watcher, 3).catch(() => {});
    await world.run('cancelGeneration', { by: { id: chat.id } });
  }
  // A rule that it breaks is the matter of a case.
  const events = await watcher.ended.catch(() => watcher.events);
  await untilTerminal(world, chat);
  return {
    chat,
    heldAt: [{ ...nothing, sequence: 0 }, ...events.map(toHeld)],
    last: events.at(-1)?.sequence ?? 0,
  };
}

function firstOffered<Value>(attempts: readonly (() => Value)[]): Value {
  for (const attempt of attempts) {
    const value = ifOffered(attempt);
    if (value) return value;
  }
  throw new Error('this address offers no subscriptions');
}

/** Sequences behind which clients ask for the rest, from what a client had. */
const known: Readonly<Record<string, (ended: Ended) => Held | undefined>> = {
  nothing: ({ heldAt }) => heldAt[0],
  'the first parts': ({ heldAt, last }) => heldAt.find(({ sequence }) => sequence > 0 && sequence < last),
  'all but the last parts': ({ heldAt, last }) => heldAt.findLast(({ sequence }) => sequence < last),
  'all parts': ({ heldAt }) => heldAt.at(-1),
};

/** Sequences that no client can have. */
export const unknown: Readonly<Record<string, (last: number) => number | null>> = {
  'the lowest number': () => -(2 ** 31),
  '-1': () => -1,
  'a later sequence': (last) => last + 100_000,
  'the highest number': () => 2 ** 31 - 1,
  null: () => null,
};

function positionCases(state: State, transport: Transport): readonly Case<Ended>[] {
  const where = `of a chat that is ${state.toLowerCase()}, over ${transport}`;
  return [
    ...Object.entries(known).map(([name, find]): Case<Ended> => ({
      rule: '4.3',
      name: `after ${name} ${where}`,
      async run(ended, world) {
        const held = find(ended);
        if (!held) throw new NotApplicable('the reply is too short');
        const watcher = follow(world, ended.chat, transport, { after: held.sequence, held });
        const events = await watcher.ended;
        checkOneEnd(events);
        if (events.some(isSnapshot))
          throw new NotApplicable(
            'the server keeps no deltas of ended chats for so long (STREAM_LOG_SECONDS)',
          );
        checkEqual(endingOf(events), state, 'the end');
        checkEqual(textsOf(watcher.held), recordedTexts(await readRecord(world, ended.chat)), 'the text');
      },
    })),
    ...Object.entries(unknown).map(([name, toAfter]): Case<Ended> => ({
      rule: '4.2',
      name: `after ${name} ${where}`,
      async run({ chat, last }, world) {
        const watcher = follow(world, chat, transport, { after: toAfter(last) });
        const events = await checkWhole(world, chat, watcher);
        checkEqual(namesOf(events), ['ChatSnapshot', `Chat${state}`], 'the events');
      },
    })),
    {
      rule: '4.4',
      name: `after 1.5 ${where}`,
      run: ({ chat }, world) =>
        checkRefused(follow(world, chat, transport, { after: 1.5 }).ended, 'Int cannot represent'),
    },
    ...[-1, 10_001].map((minIntervalMs): Case<Ended> => ({
      rule: '2.5',
      name: `${minIntervalMs} ms ${where}`,
      run: ({ chat }, world) =>
        checkRefused(follow(world, chat, transport, { minIntervalMs }).ended, 'LIMIT_EXCEEDED'),
    })),
  ];
}

function eventCases(state: State, transport: Transport): readonly Case<Ended>[] {
  const where = `of a chat that is ${state.toLowerCase()}, over ${transport}`;
  return [
    {
      rule: '3.3',
      name: `a snapshot and the end ${where}`,
      async run({ chat }, world) {
        const events = await checkWhole(world, chat, follow(world, chat, transport));
        checkEqual(namesOf(events), ['ChatSnapshot', `Chat${state}`], 'the events');
      },
    },
    ...[1, 100, 10_000].map((minIntervalMs): Case<Ended> => ({
      rule: '2.4',
      name: `an interval of ${minIntervalMs} ms ${where}`,
      async run({ chat }, world) {
        await checkWhole(world, chat, follow(world, chat, transport, { minIntervalMs }));
      },
    })),
    {
      rule: '6.1',
      name: `streamChat with the key ${where}`,
      async run({ chat }, world) {
        const events = await checkWhole(world, chat, attach(world, chat, transport));
        checkEqual(events.at(0)?.generationId, chat.id, 'the generation');
        checkEqual(endingOf(events), state, 'the end');
      },
    },
    {
      rule: '6.3',
      name: `streamChat with the key and other input ${where}`,
      async run({ chat }, world) {
        const input = { ...chat.input, temperature: 0.5 };
        const events = await attach(world, { ...chat, input }, transport).ended;
        checkEqual(endingOf(events), 'IDEMPOTENCY_CONFLICT', 'the end');
      },
    },
  ];
}

function cutCases(state: State, transport: Transport): readonly Case<Ended>[] {
  return messagesOver(transport, { isRunning: false }).flatMap((message) =>
    Object.entries(places).map(([place, keep]): Case<Ended> => ({
      rule: transport === 'WebSocket' ? '5.1' : '5.2',
      name: `a cut ${place} ${message} of a chat that is ${state.toLowerCase()}, over ${transport}`,
      isFault: true,
      async run({ chat }, world) {
        const through = await world.proxy(cutOnce(message, keep));
        const watcher = follow(world, chat, transport, { through, heals: 'from the beginning' });
        const events = await watcher.ended;
        checkOneEnd(events, { isHealing: true });
        check(through.cuts > 0, 'nothing was cut');
        checkEqual(textsOf(watcher.held), recordedTexts(await readRecord(world, chat)), 'the text');
      },
    })),
  );
}

function operationCases(state: State): readonly Case<Ended>[] {
  const where = `a chat that is ${state.toLowerCase()}`;
  return [
    {
      rule: '3.2',
      name: `the record of ${where}`,
      async run({ chat, heldAt }, world) {
        const record = await readRecord(world, chat);
        checkEqual(record.status, state === 'Completed' ? 'SUCCEEDED' : 'CANCELED', 'the status');
        checkEqual(recordedTexts(record), textsOf(heldAt.at(-1) ?? nothing), 'the text of the record');
      },
    },
    {
      rule: '6.1',
      name: `startChat with the key of ${where}`,
      async run({ chat: { id, key, input } }, world) {
        const result = await world.run('startChat', { input, idempotencyKey: key });
        checkEqual(result?.id ?? result?.code, id, 'the generation');
      },
    },
    {
      rule: '6.3',
      name: `startChat with the key of ${where} and other input`,
      async run({ chat: { key, input } }, world) {
        const variables = { input: { ...input, temperature: 0.5 }, idempotencyKey: key };
        checkEqual((await world.run('startChat', variables))?.code, 'IDEMPOTENCY_CONFLICT', 'the result');
      },
    },
    {
      rule: '6.4',
      name: `createChatCompletion with the key of ${where}`,
      async run({ chat: { key, input } }, world) {
        const result = await world.run('createChatCompletion', { input, idempotencyKey: key });
        checkEqual(result?.code, 'IDEMPOTENCY_CONFLICT', 'the result');
      },
    },
    {
      rule: '6.6',
      name: `the key of ${where}`,
      async run({ chat: { id, key } }, world) {
        checkEqual(
          (await world.run('generation', { by: { idempotencyKey: key } }))?.id,
          id,
          'the generation',
        );
      },
    },
    ...['id', 'key'].map((selector): Case<Ended> => ({
      rule: '7.3',
      name: `by ${selector}, ${where}`,
      async run({ chat }, world) {
        const before = await readRecord(world, chat);
        const by = selector === 'id' ? { id: chat.id } : { idempotencyKey: chat.key };
        await world.run('cancelGeneration', { by });
        checkEqual(await readRecord(world, chat), before, 'the record');
      },
    })),
  ];
}

export function endedStage(state: State): Stage<Ended> {
  return {
    name: `a chat that is ${state.toLowerCase()}`,
    chats: 1,
    open: (world) => openEnded(world, state),
    cases: [
      ...operationCases(state),
      ...transports.flatMap((transport) => [
        ...eventCases(state, transport),
        ...positionCases(state, transport),
        ...cutCases(state, transport),
      ]),
      ...foreignCases(`a chat that is ${state.toLowerCase()}`).map(({ run, ...one }): Case<Ended> => ({
        ...one,
        run: ({ chat }, world) => run(chat, world),
      })),
    ],
  };
}

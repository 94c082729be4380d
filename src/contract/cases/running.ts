import { setTimeout as wait } from 'node:timers/promises';
import { isSnapshot } from '../clients/events.ts';
import { type Chat, type Transport, transports, type World } from '../world.ts';
import { type Case, check, checkEqual, type Stage } from './case.ts';
import { NotApplicable } from '../not-applicable.ts';
import {
  attach,
  checkNotFailed,
  checkOneEnd,
  checkWhole,
  follow,
  ifOffered,
  readRecord,
  recordedTexts,
  textsOf,
  untilPart,
  untilTerminal,
} from './chats.ts';
import { cutOnce, messagesOver, places } from './cuts.ts';
import { unknown } from './ended.ts';
import { foreignCases } from './owners.ts';

type Running = Case<Chat>;

const joinedAfter = [0, 1, 10] as const;

function eventCases(transport: Transport): readonly Running[] {
  return [
    ...joinedAfter.flatMap((count) =>
      (['1.1', '1.2', '2.1', '3.1'] as const).map((rule): Running => ({
        rule,
        name: `over ${transport}, joined after ${count} parts`,
        async run(chat, world) {
          const before = follow(world, chat, transport);
          await untilPart(before, count);
          const watcher = follow(world, chat, transport);
          const { sequence } = await watcher.at(0);
          check(sequence >= count, `the snapshot is at ${sequence}, another client had ${count}`);
          // Every event is checked as it comes: gaps, repetitions, a second snapshot, `soFar`, an event after the end.
          checkNotFailed(await checkWhole(world, chat, watcher));
        },
      })),
    ),
    ...[1, 20, 200, 1000, 10_000].map((minIntervalMs): Running => ({
      rule: '2.4',
      name: `an interval of ${minIntervalMs} ms over ${transport}`,
      async run(chat, world) {
        await checkWhole(world, chat, follow(world, chat, transport, { minIntervalMs }));
      },
    })),
    ...[0, 1, 10].map((count): Running => ({
      rule: '4.1',
      name: `after a sequence from ${count} on, over ${transport}`,
      async run(chat, world) {
        const first = follow(world, chat, transport);
        await untilPart(first, count);
        const { held } = first;
        first.disconnect();
        const second = follow(world, chat, transport, { after: held.sequence, held });
        const events = await checkWhole(world, chat, second);
        check(!events.some(isSnapshot), 'a snapshot came');
      },
    })),
    ...Object.entries(unknown).map(([name, toAfter]): Running => ({
      rule: '4.2',
      name: `after ${name} in a running chat, over ${transport}`,
      async run(chat, world) {
        const watcher = follow(world, chat, transport, { after: toAfter(0) });
        check(isSnapshot(await watcher.at(0)), 'the first event is no snapshot');
        await checkWhole(world, chat, watcher);
      },
    })),
    {
      rule: '6.1',
      name: `streamChat with the key of a running chat, over ${transport}`,
      async run(chat, world) {
        const watcher = attach(world, chat, transport);
        checkEqual((await watcher.at(0)).generationId, chat.id, 'the generation');
        await checkWhole(world, chat, watcher);
      },
    },
    {
      rule: '5.5',
      name: `over ${transport}`,
      isFault: true,
      async run(chat, world) {
        const through = await world.proxy();
        const watcher = follow(world, chat, transport, { through, heals: 'from the beginning' });
        await watcher.at(0);
        const other = follow(world, chat, transport);
        const { sequence } = await other.at(0);
        through.cutAll();
        await untilPart(other, sequence + 5);
        await checkHealed(world, chat, watcher);
      },
    },
    {
      rule: '2.3',
      name: `over ${transport}`,
      async run(chat, world) {
        const own = [transport, transport].map((each) => follow(world, chat, each));
        const others = transports.flatMap((each) => ifOffered(() => follow(world, chat, each)) ?? []);
        const textAt = new Map<number, string>();
        for (const watcher of [...own, ...others])
          for (const { sequence, soFar } of await watcher.ended) {
            const text = JSON.stringify((soFar.choices ?? []).map(({ message }) => message.content));
            checkEqual(text, textAt.get(sequence) ?? text, `the text at ${sequence}`);
            textAt.set(sequence, text);
          }
      },
    },
  ];
}

async function checkHealed(world: World, chat: Chat, watcher: ReturnType<typeof follow>): Promise<void> {
  const events = await watcher.ended;
  checkOneEnd(events, { isHealing: true });
  checkNotFailed(events);
  checkEqual(new Set(events.map(({ generationId }) => generationId)).size, 1, 'the number of generations');
  checkEqual(events[0]?.generationId, chat.id, 'the generation');
  checkEqual(textsOf(watcher.held), recordedTexts(await readRecord(world, chat)), 'the text');
}

function cutCases(transport: Transport): readonly Running[] {
  const ways = [
    {
      rule: transport === 'WebSocket' ? '5.1' : '5.2',
      name: 'chatEvents',
      open: follow,
      heals: 'from the beginning',
      messages: messagesOver(transport),
    },
    {
      rule: '5.4',
      name: 'streamChat',
      open: attach,
      heals: 'from the beginning',
      messages: messagesOver(transport),
    },
    {
      rule: '5.3',
      name: 'chatEvents with after',
      open: follow,
      heals: 'after',
      // Before the snapshot, a client has nothing to continue from.
      messages: transport === 'WebSocket' ? [] : messagesOver(transport).slice(1),
    },
  ] as const;
  return ways.flatMap(({ rule, name, open, heals, messages }) =>
    messages.flatMap((message) =>
      Object.entries(places).map(([place, keep]): Running => ({
        rule,
        name: `${name}, cut ${place} ${message}, over ${transport}`,
        isFault: true,
        async run(chat, world) {
          const through = await world.proxy(cutOnce(message, keep));
          const watcher = open(world, chat, transport, { through, heals });
          await checkHealed(world, chat, watcher);
          if (through.cuts === 0) throw new NotApplicable(`${message} did not come: the chat ended too soon`);
          const snapshots = watcher.events.filter(isSnapshot).length;
          if (heals === 'after') check(snapshots <= 1, `${snapshots} snapshots came`);
        },
      })),
    ),
  );
}

function repeatedCuts(transport: Transport): readonly Running[] {
  return [
    {
      rule: transport === 'WebSocket' ? '5.1' : '5.2',
      name: `a cut after every event of the first 10 connections, over ${transport}`,
      isFault: true,
      async run(chat, world) {
        const through = await world.proxy(({ text, length, connection }) =>
          connection < 10 && /"Chat(Snapshot|Delta)"/.test(text) ? length : undefined,
        );
        const watcher = follow(world, chat, transport, { through, heals: 'from the beginning' });
        await checkHealed(world, chat, watcher);
        check(through.cuts >= 1, 'nothing was cut');
      },
    },
    {
      rule: '5.6',
      name: `ten in a row, over ${transport}`,
      isFault: true,
      async run(chat, world) {
        const through = await world.proxy(({ kind, connection }) =>
          connection < 10 && (kind === 'upgrade' || kind === 'head') ? 1 : undefined,
        );
        const watcher = follow(world, chat, transport, { through, heals: 'from the beginning' });
        await checkHealed(world, chat, watcher);
        checkEqual(through.cuts, 10, 'the number of cuts');
      },
    },
  ];
}

const singleCases: readonly Running[] = [
  {
    rule: '2.2',
    name: 'the record of a running chat has every part that a client has seen',
    async run(chat, world) {
      const watcher = follow(world, chat, 'WebSocket');
      for (const count of [1, 5, 10]) {
        await untilPart(watcher, count);
        const seen = textsOf(watcher.held);
        const recorded = recordedTexts(await readRecord(world, chat));
        seen.forEach((text, index) =>
          check(recorded[index]?.startsWith(text) === true, `choice ${index} of the record lacks text`),
        );
      }
      await checkWhole(world, chat, watcher);
    },
  },
  {
    rule: '2.6',
    name: 'over WebSocket, for two seconds',
    async run(chat, world) {
      const watcher = follow(world, chat, 'WebSocket');
      await watcher.at(0);
      watcher.setReading(false);
      await wait(2000);
      watcher.setReading(true);
      await checkWhole(world, chat, watcher);
    },
  },
  {
    rule: '3.4',
    name: 'awaitGeneration of a running chat',
    async run(chat, world) {
      checkEqual((await untilTerminal(world, chat)).status, 'SUCCEEDED', 'the status');
    },
  },
  {
    rule: '6.1',
    name: 'startChat with the key of a running chat',
    async run({ id, key, input }, world) {
      checkEqual((await world.run('startChat', { input, idempotencyKey: key }))?.id, id, 'the generation');
    },
  },
  {
    rule: '6.6',
    name: 'the key of a running chat',
    async run({ id, key }, world) {
      checkEqual((await world.run('generation', { by: { idempotencyKey: key } }))?.id, id, 'the generation');
    },
  },
];

/** Each wave has a chat of its own, so that its cases see it from its beginning. */
export const runningStage: Stage<Chat> = {
  name: 'running chats',
  chats: 1,
  waveSize: 40,
  open: (world) => world.start('long'),
  cases: [
    ...singleCases,
    ...transports.flatMap((transport) => [
      ...eventCases(transport),
      ...cutCases(transport),
      ...repeatedCuts(transport),
    ]),
    ...foreignCases('a running chat'),
  ],
};

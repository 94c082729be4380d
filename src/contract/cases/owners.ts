import type { Headers } from '../clients/http.ts';
import { type Chat, transports, type World } from '../world.ts';
import { type Case, check, checkEqual, checkRefused } from './case.ts';
import { attach, follow, readRecord } from './chats.ts';

const selectors: Readonly<Record<string, (chat: Chat) => object>> = {
  id: ({ id }) => ({ id }),
  key: ({ key }) => ({ idempotencyKey: key }),
};

/** What other callers and callers without a credential get of a chat. */
export function foreignCases(chatName: string): readonly Case<Chat>[] {
  return [...strangerCases(chatName), ...anonymousCases(chatName)];
}

function strangerCases(chatName: string): readonly Case<Chat>[] {
  const of = `${chatName}, of another caller`;
  return [
    ...Object.entries(selectors).map(([selector, select]): Case<Chat> => ({
      rule: '8.1',
      name: `generation by ${selector} of ${of}`,
      async run(chat, world) {
        checkEqual(await world.run('generation', { by: select(chat) }, world.stranger()), null, 'the result');
      },
    })),
    ...Object.entries(selectors).map(([selector, select]): Case<Chat> => ({
      rule: '8.1',
      name: `cancelGeneration by ${selector} of ${of}`,
      async run(chat, world) {
        const before = (await readRecord(world, chat)).status;
        const result = await world.run('cancelGeneration', { by: select(chat) }, world.stranger());
        checkEqual(result?.code, 'NOT_FOUND', 'the result');
        const { status } = await readRecord(world, chat);
        check(status === before || status === 'SUCCEEDED', `the chat is ${String(status)} now`);
      },
    })),
    {
      rule: '8.1',
      name: `the list, of ${of}`,
      async run({ id }, world) {
        const list = await world.run('generations', {}, world.stranger());
        check(list?.edges !== undefined, `there is no list: ${list?.code ?? 'null'}`);
        check(!list.edges.some(({ node }) => node.id === id), 'another caller finds the chat in the list');
      },
    },
    ...transports.flatMap((transport) =>
      [undefined, 0].map((after): Case<Chat> => ({
        rule: '8.1',
        name: `chatEvents ${after === undefined ? '' : 'with after '}over ${transport}, of ${of}`,
        run: (chat, world) =>
          checkRefused(
            follow(world, chat, transport, { headers: world.stranger(), after }).ended,
            'NOT_FOUND',
          ),
      })),
    ),
  ];
}

function anonymousCases(chatName: string): readonly Case<Chat>[] {
  const of = `${chatName}, without a credential`;
  const none: Headers = {};
  const operations: readonly (readonly [string, (chat: Chat, world: World) => Promise<unknown>])[] = [
    ['generation', ({ id }, world) => world.run('generation', { by: { id } }, none)],
    ['cancelGeneration', ({ id }, world) => world.run('cancelGeneration', { by: { id } }, none)],
    ['startChat', ({ input, key }, world) => world.run('startChat', { input, idempotencyKey: key }, none)],
  ];
  return [
    ...operations.map(([name, run]): Case<Chat> => ({
      rule: '8.2',
      name: `${name}, of ${of}`,
      run: async (chat, world) => checkRefusal(await run(chat, world)),
    })),
    ...transports.flatMap((transport) =>
      Object.entries({ chatEvents: follow, streamChat: attach }).map(([name, open]): Case<Chat> => ({
        rule: '8.2',
        name: `${name} over ${transport}, of ${of}`,
        run: (chat, world) =>
          checkRefused(open(world, chat, transport, { headers: none }).ended, 'UNAUTHENTICATED'),
      })),
    ),
  ];
}

function checkRefusal(result: unknown): void {
  const { code } = (result ?? {}) as { readonly code?: string }; // Of `run`.
  checkEqual(code, 'UNAUTHENTICATED', 'the result');
}

import { getIntrospectionQuery } from 'graphql';
import { createClient } from 'graphql-ws';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { sandboxKey, type TestApp } from './app.ts';
import {
  ask,
  chatEvents,
  type Created,
  createChatCompletion,
  nextEvent,
  startChat,
  streamChat,
  toEnd,
} from './chats.ts';
import type { Inbox } from './inbox.ts';
import { openRawSocket } from './raw-socket.ts';

/** Settings of a server on which all of these things happen within seconds. */
export const shortLifeEnv = {
  TRUST_PROXY: '1',
  MAX_OPERATIONS_PER_OWNER: '3',
  MAX_OPEN_PER_SOCKET: '3',
  MAX_UNSENT_BYTES_PER_OWNER: '1048576',
  TASK_POLL_SECONDS: '0.05',
} as const;

type Headers = Readonly<Record<string, string>>;

/** A customer's end user, behind the proxy of the server. */
export interface Person {
  readonly name: string;
  readonly address: string;
  readonly headers: Headers;
}

/** What really happened to somebody. */
export interface Happened {
  readonly person: Person;
  readonly what: string;
  /** The generation that the gateway charges, or may have charged. */
  readonly generationId?: string | undefined;
}

const names = ['anna', 'bert', 'carl', 'dora', 'emil', 'fred', 'gina', 'hugo', 'iris', 'jane'] as const;

function personOf(name: (typeof names)[number], key = sandboxKey.authorization): Person {
  const address = `192.0.2.${10 + names.indexOf(name)}`;
  return { name, address, headers: { authorization: key, 'x-end-user': name, 'x-forwarded-for': address } };
}

/** A stock client that connects through the proxy. Disposed by the caller. */
function connectAs({ headers }: Person, { url }: TestApp) {
  class Forwarded extends WebSocket {
    constructor(address: string, protocols: string[]) {
      super(address, protocols, { headers });
    }
  }
  return createClient({ url: url.replace('http', 'ws'), webSocketImpl: Forwarded, retryAttempts: 0 });
}

function idOf(created: Created): string | undefined {
  return 'id' in created ? created.id : (created.generation?.id ?? undefined);
}

export interface ShortLifeOptions {
  /** Makes the idempotency keys unique. */
  readonly round: string;
  /** The lines of the server. */
  readonly lines: Inbox<Readonly<Record<string, unknown>>>;
}

/** Everything that happens to the customers of a server in a short life. */
export async function liveShortLife(app: TestApp, options: ShortLifeOptions): Promise<readonly Happened[]> {
  const { round } = options;
  // The gateway must have accepted the key: until then, everybody counts as one address.
  const first = await chatAndRetry(app, round);
  const others = await Promise.all([
    useWrongKey(app),
    exceedQuota(app),
    loseReply(app, round),
    stopReading(app, options),
    meetRateLimit(app),
    loseStream(app),
    openTooMuch(app),
    waitInQueue(app),
    makeImage(app),
  ]);
  return [...first, ...others.flat()];
}

async function chatAndRetry(app: TestApp, round: string): Promise<readonly Happened[]> {
  const person = personOf('anna');
  const client = connectAs(person, app);
  const variables = { input: ask('Tell me a story about a fox'), idempotencyKey: `anna-${round}` };
  const events = await toEnd(streamChat(client, variables));
  const generationId = events.at(-1)?.generationId ?? undefined;
  await toEnd(chatEvents(client, { id: generationId ?? '' }));
  await toEnd(streamChat(client, variables));
  await client.dispose();
  return [
    { person, generationId, what: 'chatted well, and reconnected and retried with her key at no cost' },
  ];
}

async function useWrongKey(app: TestApp): Promise<readonly Happened[]> {
  const person = personOf('bert', 'Bearer sk-wrong');
  await startChat(app, { input: ask('Hello') }, person.headers);
  return [{ person, what: 'used a wrong key: refused, not charged' }];
}

async function exceedQuota(app: TestApp): Promise<readonly Happened[]> {
  const person = personOf('carl');
  await startChat(app, { input: ask('Hello', { model: 'fault-quota' }) }, person.headers);
  return [{ person, what: 'had no quota left: refused, not charged' }];
}

async function loseReply(app: TestApp, round: string): Promise<readonly Happened[]> {
  const person = personOf('dora');
  const variables = { input: ask('Hello', { model: 'fault-reset' }), idempotencyKey: `dora-${round}` };
  const generationId = idOf(await createChatCompletion(app, variables, person.headers));
  return [{ person, generationId, what: 'lost the reply of a chat: it may be charged' }];
}

/** Its socket stops reading while its chat runs. */
async function stopReading(app: TestApp, { round, lines }: ShortLifeOptions): Promise<readonly Happened[]> {
  const person = personOf('emil');
  const client = connectAs(person, app);
  const variables = { input: ask('Tell me a story'), idempotencyKey: `emil-${round}` };
  const { generationId } = await nextEvent(streamChat(client, variables));
  const isSlow = ({ msg }: Readonly<Record<string, unknown>>): boolean =>
    String(msg).includes('a slow client');
  const before = lines.all.filter(isSlow).length;
  const socket = await openRawSocket(app.url, { headers: person.headers });
  await socket.init({});
  socket.pause();
  const query = getIntrospectionQuery();
  let operations = 0;
  const askMore = (): number => {
    operations += 1;
    socket.subscribe(String(operations), { query });
    return lines.all.filter(isSlow).length;
  };
  // One by one: what exceeds the open operations of a socket is refused, with a short answer.
  await expect.poll(askMore, { interval: 20 }).toBeGreaterThan(before);
  socket.terminate();
  const id = generationId ?? undefined;
  await toEnd(chatEvents(client, { id: id ?? '' }));
  await client.dispose();
  const what = 'stopped reading on one connection, which was closed; his chat went on to its end';
  return [{ person, generationId: id, what }];
}

async function meetRateLimit(app: TestApp): Promise<readonly Happened[]> {
  const person = personOf('fred');
  await startChat(app, { input: ask('Hello', { model: 'fault-rate-limit' }) }, person.headers);
  return [{ person, what: 'met the rate limit of the gateway: refused, not charged' }];
}

async function loseStream(app: TestApp): Promise<readonly Happened[]> {
  const person = personOf('gina');
  const client = connectAs(person, app);
  const events = await toEnd(streamChat(client, { input: ask('Hello', { model: 'fault-cut-stream' }) }));
  await client.dispose();
  const generationId = events.at(-1)?.generationId ?? undefined;
  return [{ person, generationId, what: 'lost the connection to the gateway in the middle of a chat' }];
}

async function openTooMuch(app: TestApp): Promise<readonly Happened[]> {
  const person = personOf('hugo');
  const client = connectAs(person, app);
  const query = 'subscription Watch { generationChanged { __typename } }';
  const opened = Array.from({ length: 4 }, () => client.iterate({ query }));
  // The one beyond the limit ends with its error.
  await Promise.race(opened.map((events) => events.next()));
  await client.dispose();
  return [{ person, what: 'opened more subscriptions on a socket than this server allows: one was refused' }];
}

/** Three slow chats run, and the others wait for them. */
async function waitInQueue(app: TestApp): Promise<readonly Happened[]> {
  const person = personOf('iris');
  const input = ask('Hello', { model: 'fault-slow' });
  const chats = Array.from({ length: 4 }, () => createChatCompletion(app, { input }, person.headers));
  const created = await Promise.all(chats);
  return created.map((chat) => ({ person, generationId: idOf(chat), what: 'waited for a slow chat' }));
}

async function makeImage(app: TestApp): Promise<readonly Happened[]> {
  const person = personOf('jane');
  const client = connectAs(person, app);
  const { data } = await app.run<{ queueImage: { id: string; task: { id: string } } }, object>(
    'mutation Paint { queueImage(input: { prompt: "a fox fault:flaky-read" }) { ... on Generation { id task { id } } } }',
    {},
    { headers: person.headers },
  );
  const variables = { id: data?.queueImage.task.id };
  const query = 'subscription Progress($id: ID!) { taskProgress(id: $id) { status } }';
  for await (const { errors } of client.iterate({ query, variables }))
    if (errors) throw new Error(JSON.stringify(errors));
  await client.dispose();
  return [{ person, generationId: data?.queueImage.id, what: 'made an image' }];
}

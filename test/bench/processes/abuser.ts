import { request as httpRequest } from 'node:http';
import { getIntrospectionQuery } from 'graphql';
import { Pool } from 'undici';
import { WebSocket } from 'ws';

/** What the abusive client does at full speed until it is killed. */
export type Abuse =
  | 'queries'
  | 'introspection'
  | 'new-keys'
  | 'half-bodies'
  | 'large-bodies'
  | 'large-answers'
  | 'large-many'
  | 'large-events'
  | 'small-events'
  | 'lists'
  | 'usage';

const [, , url = '', abuse, megabytes = '30'] = process.argv;
const key = 'Bearer sk-sandbox';
const listQuery = '{ generations(first: 20) { totalCount edges { node { id status } } } }';
/** The process ends after this time even if nobody kills it. */
setTimeout(() => process.exit(), 60_000);

const headers = { 'content-type': 'application/json', authorization: key, 'x-end-user': 'abuser' };

/** Sends this many operations at once over one socket, again and again. */
function flood(queryOf: () => string, count: number): void {
  const socket = new WebSocket(url.replace('http', 'ws'), ['graphql-transport-ws']);
  let open = 0;
  let id = 0;
  const send = (): void => {
    for (; open < count; open += 1)
      socket.send(JSON.stringify({ type: 'subscribe', id: `${(id += 1)}`, payload: { query: queryOf() } }));
  };
  socket.on('error', () => {});
  socket.on('open', () => {
    const payload = { authorization: key, 'x-end-user': 'abuser' };
    socket.send(JSON.stringify({ type: 'connection_init', payload }));
  });
  socket.on('message', (data: Buffer) => {
    const { type } = JSON.parse(data.toString('utf8')) as { type: string };
    if (type === 'complete' || type === 'error') open -= 1;
    if (type === 'connection_ack' || open === 0) send();
  });
}

async function useNewKeys(): Promise<void> {
  const pool = new Pool(new URL(url).origin, { connections: 128 });
  let count = 0;
  const repeat = async (): Promise<void> => {
    for (;;) {
      const headers = { 'content-type': 'application/json', authorization: `Bearer sk-${(count += 1)}` };
      const body = JSON.stringify({ query: listQuery });
      const reply = await pool.request({ path: '/graphql', method: 'POST', headers, body }).catch(() => null);
      await reply?.body.dump().catch(() => {});
    }
  };
  await Promise.all(Array.from({ length: 128 }, repeat));
}

/** Sends 100 bodies that never end, and each again when it is refused. */
function sendHalfBodies(): void {
  // One for all: this process must not use the memory and processor time that the server needs.
  const half = Buffer.alloc(30_000_000, ' ');
  const open = (): void => {
    const outgoing = httpRequest(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      agent: false,
    });
    outgoing.on('error', () => {});
    outgoing.on('response', (response) => response.resume());
    outgoing.on('close', () => setTimeout(open, 100));
    outgoing.write(half);
  };
  for (let index = 0; index < 100; index += 1) open();
}

/** Creates chats with large prompts or replies, and reads their contents. */
async function sendLarge(kind: 'bodies' | 'answers'): Promise<void> {
  const pool = new Pool(new URL(url).origin, { connections: 4 });
  const chars = Number(megabytes) * 1_000_000;
  const text = kind === 'bodies' ? 'word of prose\n'.repeat(chars / 15) : 'hello';
  const input = {
    model: 'gpt-4o',
    messages: [{ role: 'USER', content: { text } }],
    maxTokens: kind === 'bodies' ? 5 : chars,
  };
  const query = `mutation ($input: ChatInput!) { createChatCompletion(input: $input) { __typename ... on Generation { id } } }`;
  const read = (id: string) =>
    `{ generation(by: { id: "${id}" }) { ${kind === 'bodies' ? 'prompt input' : 'output { ... on ChatCompletion { choices { message { content } } } } raw'} } }`;
  const send = async (body: string): Promise<string> => {
    const reply = await pool.request({ path: '/graphql', method: 'POST', headers, body });
    return reply.body.text();
  };
  const body = JSON.stringify({ query, variables: { input } });
  let rounds = 0;
  const repeat = async (): Promise<void> => {
    for (;;) {
      const created = await send(body);
      const [id] = /generation_[\w-]+/.exec(created) ?? [];
      if (id === undefined) throw new Error(created.slice(0, 500));
      const answer = await send(JSON.stringify({ query: read(id) }));
      rounds += 1;
      if (rounds === 1)
        process.stderr.write(`answer of ${answer.length} characters: ${answer.slice(-150)}\n`);
    }
  };
  process.on('exit', () => process.stderr.write(`${rounds} rounds\n`));
  process.on('SIGTERM', () => process.exit());
  await Promise.all([repeat(), repeat()]);
}

const createQuery =
  'mutation ($input: ChatInput!) { startChat(input: $input) { __typename ... on Generation { id } } }';

function chatOf(chars: number): string {
  const text = 'word of prose\n'.repeat(chars / 14);
  const input = { model: 'gpt-4o', messages: [{ role: 'USER', content: { text } }], maxTokens: 5 };
  return JSON.stringify({ query: createQuery, variables: { input } });
}

/** A refusal may close the connection before all of the body is sent. */
async function post(pool: Pool, body: string): Promise<string> {
  try {
    const reply = await pool.request({ path: '/graphql', method: 'POST', headers, body });
    return await reply.body.text();
  } catch (error) {
    return String(error);
  }
}

/** Keeps 16 creates of 20 MB in flight. */
async function sendMany(): Promise<void> {
  const pool = new Pool(new URL(url).origin, { connections: 16 });
  const body = chatOf(20_000_000);
  const repeat = async (): Promise<void> => {
    for (;;) await post(pool, body);
  };
  await Promise.all(Array.from({ length: 16 }, repeat));
}

const watchQuery =
  'subscription { generationChanged { ... on GenerationChanged { generation { id prompt input } } } }';

/** Opens sockets with 1,000 subscriptions each to its own generations. */
async function watchItself(sockets: number, queryOf: (index: number) => string): Promise<void> {
  const open = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = new WebSocket(url.replace('http', 'ws'), ['graphql-transport-ws']);
      const subscribe = (id: string, query: string): void =>
        socket.send(JSON.stringify({ type: 'subscribe', id, payload: { query } }));
      socket.on('error', () => {});
      socket.on('open', () =>
        socket.send(
          JSON.stringify({
            type: 'connection_init',
            payload: { authorization: key, 'x-end-user': 'abuser' },
          }),
        ),
      );
      socket.on('message', (data: Buffer) => {
        if (data.length > 1000) return;
        const { type, id } = JSON.parse(data.toString('utf8')) as { type: string; id?: string };
        if (id === 'last') resolve();
        if (type !== 'connection_ack') return;
        for (let index = 0; index < 1000; index += 1) subscribe(`${index}`, queryOf(index));
        subscribe('last', '{ __typename }');
      });
    });
  await Promise.all(Array.from({ length: sockets }, open));
}

/** Sends 20 creates of 4 MB, whose changes all its subscriptions receive. */
async function createWatched(): Promise<void> {
  const pool = new Pool(new URL(url).origin, { connections: 20 });
  const body = chatOf(3_900_000);
  await Promise.all(Array.from({ length: 20 }, () => post(pool, body)));
}

function manyAliases(count: number, field: string): string {
  return `{ ${Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ')} }`;
}

/** Creates chats, so that lists and sums have something to read. */
async function createChats(count: number): Promise<void> {
  const pool = new Pool(new URL(url).origin, { connections: 8 });
  const body = chatOf(140);
  for (let sent = 0; sent < count; sent += 50)
    await Promise.all(Array.from({ length: 50 }, () => post(pool, body)));
}

/** Starts four chats that run longer than the measurement, and watches each with 1,000 subscriptions at different intervals. */
async function watchChats(): Promise<void> {
  const pool = new Pool(new URL(url).origin, { connections: 4 });
  const input = { model: 'gpt-4o', messages: [{ role: 'USER', content: { text: 'long' } }], maxTokens: 2000 };
  const body = JSON.stringify({ query: createQuery, variables: { input } });
  const started = await Promise.all(Array.from({ length: 4 }, () => post(pool, body)));
  const ids = started.map((answer) => /generation_[\w-]+/.exec(answer)?.[0]);
  const aliases = Array.from({ length: 6 }, (_, index) => `a${index}: messages { content }`).join(' ');
  await watchItself(
    4,
    (index) =>
      `subscription { chatEvents(id: "${ids[index % 4]}", minIntervalMs: ${index % 50}) { __typename soFar { ${aliases} } } }`,
  );
}

if (abuse === 'large-events') await watchItself(20, () => watchQuery);
if (abuse === 'small-events') await watchChats();
if (abuse === 'lists' || abuse === 'usage') await createChats(abuse === 'lists' ? 100 : 50);
process.send?.('ready');
let aliases = 0;
if (abuse === 'large-many') await sendMany();
if (abuse === 'large-events') await createWatched();
if (abuse === 'lists')
  flood(() => manyAliases(95, 'generations(first: 100) { edges { node { id status createdAt } } }'), 128);
if (abuse === 'usage')
  flood(
    () =>
      manyAliases(
        20,
        'usageTotals(filter: { fromDay: "2026-01-01", toDay: "2026-12-31" }, groupBy: [DAY, KIND, MODEL, COLLECTION]) { generations totalTokens }',
      ),
    128,
  );
if (abuse === 'queries') flood(() => listQuery, 2000);
if (abuse === 'introspection')
  flood(() => getIntrospectionQuery().replace('__schema', `a${(aliases += 1)}: __schema`), 20);
if (abuse === 'new-keys') await useNewKeys();
if (abuse === 'half-bodies') sendHalfBodies();
if (abuse === 'large-bodies') await sendLarge('bodies');
if (abuse === 'large-answers') await sendLarge('answers');

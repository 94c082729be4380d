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
  | 'large-answers';

const [, , url = '', abuse, megabytes = '30'] = process.argv;
const key = 'Bearer sk-sandbox';
const listQuery = '{ generations(first: 20) { totalCount edges { node { id status } } } }';
/** The process ends after this time even if nobody kills it. */
setTimeout(() => process.exit(), 60_000);

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
    const headers = { 'content-type': 'application/json', authorization: key, 'x-end-user': 'abuser' };
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

let aliases = 0;
if (abuse === 'queries') flood(() => listQuery, 2000);
if (abuse === 'introspection')
  flood(() => getIntrospectionQuery().replace('__schema', `a${(aliases += 1)}: __schema`), 20);
if (abuse === 'new-keys') await useNewKeys();
if (abuse === 'half-bodies') sendHalfBodies();
if (abuse === 'large-bodies') await sendLarge('bodies');
if (abuse === 'large-answers') await sendLarge('answers');

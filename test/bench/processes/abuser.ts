import { request as httpRequest } from 'node:http';
import { getIntrospectionQuery } from 'graphql';
import { Pool } from 'undici';
import { WebSocket } from 'ws';

/** What the abusive client does at full speed until it is killed. */
export type Abuse = 'queries' | 'introspection' | 'new-keys' | 'half-bodies';

const [, , url = '', abuse] = process.argv;
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

function sendHalfBodies(): void {
  for (let index = 0; index < 100; index += 1) {
    const outgoing = httpRequest(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      agent: false,
    });
    outgoing.on('error', () => {});
    outgoing.on('response', () => {});
    outgoing.write(Buffer.alloc(30_000_000, ' '));
  }
}

let aliases = 0;
if (abuse === 'queries') flood(() => listQuery, 2000);
if (abuse === 'introspection') flood(() => `${getIntrospectionQuery()} # ${(aliases += 1)}`, 20);
if (abuse === 'new-keys') await useNewKeys();
if (abuse === 'half-bodies') sendHalfBodies();

import { createServer } from 'node:http';
import { Pool } from 'undici';
import { WebSocketServer } from 'ws';
import { tasksPath } from '../task-workload.ts';
import { listen, serveServerCalls } from './server-calls.ts';

/** The same bytes with nothing in between, and sockets that are only there. */

const pool = new Pool(process.argv[2] ?? '', { connections: 4096 });

/** Each request's body is the upstream's; the reply is piped back. */
const server = createServer((request, response) => {
  const { authorization = '' } = request.headers;
  pool.stream(
    {
      method: 'POST',
      path: tasksPath,
      headers: { authorization, 'content-type': 'application/json' },
      body: request,
      opaque: response,
    },
    ({ statusCode, headers }) => response.writeHead(statusCode, headers),
    (error) => error && response.destroy(error),
  );
});

const sockets = new WebSocketServer({ server, perMessageDeflate: false });
sockets.on('connection', (socket) => socket.on('message', () => socket.send('{}')));
// As often as Gengraph does it by default: a server that never asks does not know who is there.
setInterval(() => {
  for (const socket of sockets.clients) socket.ping();
}, 12_000).unref();

serveServerCalls(await listen(server));

import { createServer } from 'node:http';
import { Pool } from 'undici';
import { WebSocketServer } from 'ws';
import { tasksPath } from '../task-workload.ts';
import { listen, serveServerCalls } from './server-calls.ts';

/** Baseline for tasks: relays the same bytes, and holds idle sockets. */

const pool = new Pool(process.argv[2] ?? '', { connections: 4096 });

/** Forwards the body of each request upstream and pipes the reply back. */
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
// Same heartbeat interval as the default of Gengraph.
setInterval(() => {
  for (const socket of sockets.clients) socket.ping();
}, 25_000).unref();

serveServerCalls(await listen(server));

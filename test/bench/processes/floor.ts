import { createServer } from 'node:http';
import { Pool } from 'undici';
import { type WebSocket, WebSocketServer } from 'ws';
import { chatPath, voiceCount, voicesPath } from '../workload.ts';
import { listen, serveServerCalls } from './server-calls.ts';

/** Baseline: relays the same bytes without GraphQL, credentials or JSON parsing. */

const pool = new Pool(process.argv[2] ?? '', { connections: 4096 });

/** Forwards each request as one upstream read and pipes the reply back. */
const server = createServer((request, response) => {
  request.resume();
  const { authorization = '' } = request.headers;
  pool.stream(
    {
      method: 'GET',
      path: `${voicesPath}?pageNum=1&pageSize=${voiceCount}`,
      headers: { authorization },
      opaque: response,
    },
    ({ statusCode, headers }) => response.writeHead(statusCode, headers),
    (error) => error && response.destroy(error),
  );
});

/** Each message of a socket is an upstream request. Each `data:` line of the reply is sent back as one message. */
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
sockets.on('connection', (socket) =>
  socket.on('message', (body: Buffer) => relay(socket, body.toString('utf8'))),
);

function relay(socket: WebSocket, body: string): void {
  let rest = '';
  pool.dispatch(
    {
      method: 'POST',
      path: chatPath,
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body,
      bodyTimeout: 120_000,
    },
    {
      onRequestStart() {},
      onResponseStart: () => socket.send('{}'),
      onResponseData(_controller, chunk) {
        const lines = (rest + chunk.toString('utf8')).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) if (line.startsWith('data: ')) socket.send(line.slice(6));
      },
      onResponseEnd() {},
      onResponseError: () => socket.terminate(),
    },
  );
}

serveServerCalls(await listen(server));

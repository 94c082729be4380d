// A built program, like those of `start.ts`: the raw pipe of `floor.ts` without TypeScript.
import { createServer } from 'node:http';
import { Pool } from 'undici';
import { WebSocketServer } from 'ws';

const { PORT, GATEWAY_URL = '' } = process.env;
const pool = new Pool(GATEWAY_URL, { connections: 64 });

const server = createServer((request, response) => {
  request.resume();
  const { authorization = '' } = request.headers;
  pool.stream(
    {
      method: 'GET',
      path: '/videoa/v1/general/presets-voices?pageNum=1&pageSize=20',
      headers: { authorization },
      opaque: response,
    },
    ({ statusCode, headers }) => response.writeHead(statusCode, headers),
    (error) => error && response.destroy(error),
  );
});
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
server.on('upgrade', (...upgrade) => sockets.handleUpgrade(...upgrade, () => {}));
server.listen(Number(PORT), '127.0.0.1', () => process.stderr.write('is ready\n'));

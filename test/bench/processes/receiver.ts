import { createServer } from 'node:http';
import { serveCalls } from '../child-process.ts';
import { listen } from './server-calls.ts';

/** A receiver of webhooks that accepts every event at once. */
let received = 0;
const server = createServer((request, response) => {
  received += 1;
  request.resume();
  response.writeHead(204).end();
});
server.keepAliveTimeout = 60_000;

const url = await listen(server);
const calls = { url: () => url, received: () => received };
export type ReceiverCalls = typeof calls;
serveCalls(calls);

import { createServer } from 'node:http';
import { pngOf } from '../../support/png.ts';
import { serveCalls } from '../child-process.ts';
import { listen } from './server-calls.ts';

/** A gateway whose images are files of their own. Arguments: images of each generation, bytes of each image. */
const [, , images = '1', sizeBytes = '1000000'] = process.argv;
const filler = Buffer.alloc(Number(sizeBytes));
let made = 0;

const server = createServer((request, response) => {
  request.resume();
  if (request.method !== 'POST') {
    const head = pngOf(request.url ?? '');
    response.write(head);
    response.end(filler.subarray(head.length));
    return;
  }
  const data = Array.from({ length: Number(images) }, () => ({ url: `${url}/${(made += 1)}` }));
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
});
server.keepAliveTimeout = 60_000;

const url = await listen(server);
const calls = { url: () => url };
export type FileProviderCalls = typeof calls;
serveCalls(calls);

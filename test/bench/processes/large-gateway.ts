import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * A gateway for measurements with large bodies: it streams as many words as the `max_tokens` of a request, at least 200, and
 * answers a create without a stream with a text of as many characters. It does not parse large requests.
 */
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes < 100_000) chunks.push(chunk);
  });
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString('utf8');
    const [, chars = '5'] = /"max_tokens":(\d+)/.exec(text) ?? [];
    if (bytes < 100_000 && text.includes('"stream":true'))
      void streamWords(response, Math.max(200, Number(chars)));
    else sendDocument(response, Number(chars));
  });
});

/** Written once for each size, because the words of chats must not wait for it. */
const documents = new Map<number, Buffer>();

function writeDocument(chars: number): Buffer {
  const content = 'word of prose\n'.repeat(Math.ceil(chars / 14)).slice(0, chars);
  const message = { role: 'assistant', content };
  return Buffer.from(
    JSON.stringify({ id: 'chatcmpl-1', choices: [{ index: 0, message, finish_reason: 'stop' }] }),
  );
}

function sendDocument(response: ServerResponse, chars: number): void {
  const document = documents.get(chars) ?? writeDocument(chars);
  documents.set(chars, document);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(document);
}

async function streamWords(response: ServerResponse, count: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let index = 0; index < count && !response.destroyed; index += 1) {
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'word ' } }] })}\n\n`);
    await delay(20);
  }
  response.end(
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`,
  );
}

server.listen(0, '127.0.0.1', () => {
  // The address of a TCP server is an AddressInfo.
  const { port } = server.address() as AddressInfo;
  process.send?.(`http://127.0.0.1:${port}`);
});

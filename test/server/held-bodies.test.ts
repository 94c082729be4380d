import { once } from 'node:events';
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { heldBytes } from '../support/held-bytes.ts';

const megabyte = 1_000_000;
const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-1' };

/** A gateway that replies when it is told to. */
async function startGateway(requests: number) {
  const responses: ServerResponse[] = [];
  const { promise: received, resolve } = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      if (responses.push(response) === requests) resolve();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    reply: () => responses.forEach((response) => response.end('{"choices":[]}')),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Sends a body without a copy of it, which `fetch` would hold. */
async function post(url: string, body: Buffer): Promise<string> {
  const request = httpRequest(url, { method: 'POST', headers }).end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return textOf(response);
}

test('a large create that waits for the gateway holds its input, not the body that it came in', async () => {
  const creates = 6;
  await using gateway = await startGateway(creates);
  await using app = await startApp({ gatewayUrl: gateway.url });
  const query = 'mutation ($input: ChatInput!) { createChatCompletion(input: $input) { __typename } }';
  const text = 'word of prose\n'.repeat((4 * megabyte) / 14);
  const input = { model: 'gpt-4o', messages: [{ role: 'USER', content: { text } }] };
  const body = Buffer.from(JSON.stringify({ query, variables: { input } }));
  const before = await heldBytes();
  const answers = Array.from({ length: creates }, () => post(app.url, body));
  await gateway.received;
  const perCreate = ((await heldBytes()) - before) / creates;
  gateway.reply();
  for (const answer of answers) expect(await answer).toContain('"Generation"');
  // Its input, and the request to the gateway.
  expect(perCreate).toBeLessThan(2.5 * body.length);
});

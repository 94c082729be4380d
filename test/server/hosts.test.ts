import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { exchangeBytes } from '../support/raw-http.ts';

let app: TestApp & AsyncDisposable;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app[Symbol.asyncDispose]());

interface HostedRequest {
  readonly hosts: readonly string[];
  readonly version?: string;
  readonly path?: string;
  readonly isUpgrade?: boolean;
}

/** The status of the reply to a request with these Host headers. */
async function statusOf({ hosts, version = '1.1', path, isUpgrade }: HostedRequest): Promise<string> {
  const lines = [
    `GET ${path ?? '/graphql?query=%7B__typename%7D'} HTTP/${version}`,
    ...hosts.map((host) => `Host: ${host}`),
    ...(isUpgrade
      ? [
          'Connection: Upgrade',
          'Upgrade: websocket',
          'Sec-WebSocket-Version: 13',
          'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
          'Sec-WebSocket-Protocol: graphql-transport-ws',
        ]
      : ['Connection: close']),
  ];
  const reply = await exchangeBytes(app, Buffer.from(`${lines.join('\r\n')}\r\n\r\n`));
  return reply.split(' ')[1] ?? '';
}

const oneHost = ['gengraph.example'];
const twoHosts = ['gengraph.example', 'other.example'];

test.each<[string, HostedRequest]>([
  ['two Host headers', { hosts: twoHosts }],
  ['the same Host header twice', { hosts: [...oneHost, ...oneHost] }],
  ['two Host headers by HTTP/1.0', { hosts: twoHosts, version: '1.0' }],
  ['two Host headers at another path', { hosts: twoHosts, path: '/health/live' }],
  ['no Host header', { hosts: [] }],
  ['a Host header with a path', { hosts: ['gengraph.example/other'] }],
  ['a Host header with a query', { hosts: ['gengraph.example?query=%7B__typename%7D'] }],
  ['a Host header with a fragment', { hosts: ['gengraph.example#'] }],
  ['a Host header with a user', { hosts: ['user@gengraph.example'] }],
  ['the whole address, with a user', { hosts: oneHost, path: 'http://user@gengraph.example/graphql' }],
  ['two Host headers in an upgrade', { hosts: twoHosts, path: '/graphql', isUpgrade: true }],
  ['no Host header in an upgrade', { hosts: [], path: '/graphql', isUpgrade: true }],
])('a request with %s is refused with 400', async (_what, request) => {
  expect(await statusOf(request)).toBe('400');
});

test.each<[string, HostedRequest]>([
  ['one Host header', { hosts: oneHost }],
  ['no Host header by HTTP/1.0', { hosts: [], version: '1.0' }],
  // RFC 9112, section 3.2.2: a server must accept it, and ignores the header then.
  ['the whole address', { hosts: oneHost, path: 'HTTP://other.example:80/graphql?query=%7B__typename%7D' }],
])('a request with %s is served', async (_what, request) => {
  expect(await statusOf(request)).toBe('200');
});

test('an upgrade may name the whole address', async () => {
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'sec-websocket-protocol': 'graphql-transport-ws',
  };
  const outgoing = httpRequest(app.url, { path: 'http://gengraph.example/graphql', headers }).end();
  const [{ statusCode }, socket] = (await once(outgoing, 'upgrade')) as [IncomingMessage, Socket];
  socket.destroy();
  expect(statusCode).toBe(101);
});

test.each([
  ['http://gengraph.example', '302'],
  ['http://gengraph.example/health/live', '200'],
  ['http://gengraph.example/other', '404'],
])('the whole address %s is answered as its path is: %s', async (path, status) => {
  expect(await statusOf({ hosts: oneHost, path })).toBe(status);
});

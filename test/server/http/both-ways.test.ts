import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Store } from '../../../src/store/store.ts';
import { startApp } from '../../support/app.ts';
import { sendJson, startFakeGateway } from '../../support/fake-gateway.ts';
import { createInbox } from '../../support/inbox.ts';
import { exchangeBytes, type RawRequest, toBytes } from '../../support/raw-http.ts';

const credential = { authorization: 'Bearer sk-sandbox' };

/** The reply, which is the same both ways. */
async function compare(request: RawRequest, server: { readonly url: string }): Promise<string> {
  const reply = await exchangeBytes(server, toBytes('/graphql', request));
  expect(await exchangeBytes(server, toBytes('/graphql?yoga', request))).toBe(reply);
  return reply;
}

describe('a JSON POST and the way through Yoga', () => {
  test('refuse a token that cannot be verified, with its status and header', async () => {
    await using signing = await startApp({
      env: {
        AUTH: 'jwt',
        AUTH_JWT_SECRET: 'a secret of more than 32 characters',
        AUTH_ISSUER: 'https://issuer.example',
        AUTH_AUDIENCE: 'gengraph',
        GATEWAY_API_KEY: 'sk-of-the-server',
      },
    });
    const reply = await compare(
      { headers: { authorization: 'Bearer a.b.c' }, body: { query: '{ __typename }' } },
      signing,
    );
    expect(reply).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
    expect(reply).toContain('www-authenticate: Bearer error="invalid_token"\r\n');
    expect(reply).toContain('"code":"UNAUTHENTICATED"');
  });

  test('mask a defect of a resolver', async () => {
    const lines: Readonly<Record<string, unknown>>[] = [];
    const wrapStore = (store: Store): Store => ({
      ...store,
      listGenerations: () => Promise.reject(new TypeError('what only the log may say')),
    });
    await using failing = await startApp({
      overrides: { wrapStore },
      onLog: (line) => void lines.push(line),
    });
    const body = { query: '{ __typename generations { edges { cursor } } }' };
    const reply = await compare({ headers: credential, body }, failing);
    expect(reply).toContain('"code":"INTERNAL"');
    expect(reply).not.toContain('only the log');
    expect(lines.filter(({ level }) => Number(level) >= 50)).toHaveLength(2);
  });

  test.each(['/graphql', '/graphql?yoga'])('forget a client that aborts its request to %s', async (path) => {
    const lines: Readonly<Record<string, unknown>>[] = [];
    const closed = createInbox<unknown>();
    const asked = Promise.withResolvers<() => void>();
    const gateway = await startFakeGateway((_request, response) => {
      asked.resolve(() => sendJson(response, '{"data":[]}'));
    });
    await using held = await startApp({
      gatewayUrl: gateway.url,
      onLog: (line) => {
        lines.push(line);
        if (line['msg'] === 'request aborted by the client') closed.push(line);
      },
    });
    const socket = connect(Number(new URL(held.url).port), '127.0.0.1');
    socket.write(
      toBytes(path, {
        headers: credential,
        body: { query: '{ voices(first: 2) { edges { node { id name } } } }' },
      }),
    );
    const answer = await asked.promise;
    socket.destroy();
    await closed.at(0);
    answer();
    const later = await exchangeBytes(
      held,
      toBytes(path, {
        headers: credential,
        body: { query: '{ voices(first: 2) { edges { node { id name } } } }' },
      }),
    );
    expect(later).toContain('{"data":{"voices":{"edges":[]}}}');
    expect(lines.filter(({ level }) => Number(level) >= 40)).toEqual([]);
  });
});

import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { apiAt, sandboxKey, startApp } from '../support/app.ts';
import { launchBrowser, openEditor, skipWithoutBrowser } from '../support/browser.ts';
import { ask, type ChatEvent, nextEvent, streamChat, toEnd } from '../support/chats.ts';
import { startFakeGateway } from '../support/fake-gateway.ts';
import { createUpload, settledAssets, startFilesApp, startMedia } from '../support/files.ts';
import { postJson, sendRequest } from '../support/http.ts';
import { createInbox } from '../support/inbox.ts';
import { startInstances } from '../support/instances.ts';
import { skipWithoutNginx, startSite } from '../support/nginx.ts';
import { pngOf } from '../support/png.ts';
import { findPort } from '../support/find-port.ts';
import { words } from '../support/scripted-gateway.ts';

const typeName = { query: '{ __typename }' };
const answer = { data: { __typename: 'Query' } };

beforeEach(skipWithoutNginx);

/** Reads events, from this one on, until the reply so far is the text. */
async function waitForText(
  events: AsyncIterator<ChatEvent, undefined>,
  text: string,
  next = nextEvent(events),
): Promise<void> {
  const { soFar } = await next;
  if (soFar.choices[0]?.message.content !== text) await waitForText(events, text);
}

describe('two instances behind the nginx site', () => {
  test.each(['/graphql', '/ai/graphql'])(
    'answer queries, and stream chats piece by piece over WebSocket and server-sent events, at %s',
    async (path) => {
      const { first, second, gateway } = await startInstances(2);
      const { url: site } = await startSite([first.url, second.url]);
      const api = apiAt(site + path);
      expect(await api.run(typeName.query)).toEqual(answer);
      for (const [index, client] of [api.wsClient(), api.sseClient()].entries()) {
        const events = streamChat(client, { input: ask('Hello'), idempotencyKey: `chat-${index}` });
        const opened = nextEvent(events);
        const exchange = await gateway.exchange(index);
        exchange.send(...words('one'));
        await waitForText(events, 'one', opened);
        exchange.send(...words(' two'));
        await waitForText(events, 'one two');
        exchange.send('[DONE]');
        exchange.end();
        expect((await toEnd(events)).at(-1)?.__typename).toBe('ChatCompleted');
      }
    },
  );

  test('know the address of the client, and ignore one that the client claims', async () => {
    const requests = createInbox<Readonly<Record<string, unknown>>>();
    await using app = await startApp({
      env: { TRUST_PROXY: '127.0.0.1' },
      onLog: (line) => line['msg'] === 'request' && requests.push(line),
    });
    const { url: site } = await startSite([app.url, app.url]);
    await postFrom('127.0.0.2', `${site}/graphql`, { ...sandboxKey, 'x-forwarded-for': '203.0.113.7' });
    expect(await requests.at(0)).toMatchObject({ path: '/graphql', status: 200, address: '127.0.0.2' });
  });

  test('serve GraphiQL below a path prefix', async (context) => {
    skipWithoutBrowser(context);
    const env = { PORT: '0', SANDBOX_PORT: '0', SANDBOX_TOKENS_PER_SECOND: '1000', LOG_LEVEL: 'silent' };
    const app = await createApp(loadConfig({ ...env, DATA_DIR: ':memory:', SHUTDOWN_SECONDS: '0.05' }));
    context.onTestFinished(() => app.close());
    const { url: site } = await startSite([app.url, app.url]);
    const browser = await launchBrowser();
    context.onTestFinished(() => browser.close());
    await using editor = await openEditor({ browser, url: `${site}/ai/graphql` });
    const sockets: string[] = [];
    editor.page.on('websocket', (socket) => sockets.push(new URL(socket.url()).pathname));
    await editor.play();
    await editor.waitFor('Result', /"ChatCompleted"/);
    const loaded = await editor.page.evaluate<readonly string[]>(
      `performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)`,
    );
    expect(loaded.length).toBeGreaterThan(2);
    const fromSite = loaded.filter((path) => /^\/(ai|graphql|graphiql)\b/.test(path));
    expect([...fromSite, ...sockets].filter((path) => !path.startsWith('/ai/'))).toEqual([]);
    expect(sockets).toEqual(['/ai/graphql']);
    expect(editor.complaints).toEqual([]);
  });

  test.each(['', '/ai'])('pass files on, also larger ones than operations, at "%s"', async (prefix) => {
    const media = await startMedia((_request, response) => response.end(pngOf('small')));
    const app = await startFilesApp({ env: { FILES_ORIGINS: media.url } });
    const { url: site } = await startSite([app.url, app.url]);
    const atSite = (url: string): string => site + prefix + url.slice(new URL(url).origin.length);
    const large = pngOf('large', 34_000_000);
    const upload = await createUpload(app, { contentType: 'image/png', sizeBytes: large.length });
    expect((await fetch(atSite(upload.url), { method: 'PUT', body: new Uint8Array(large) })).status).toBe(
      201,
    );
    const [asset] = await settledAssets(app, await app.createImages([`${media.url}/1.png`]));
    const part = await fetch(atSite(asset?.url ?? ''), { headers: { range: 'bytes=1-3' } });
    expect([part.status, await part.text()]).toEqual([206, 'PNG']);
  });

  test('show clients no instance that is down, and no metrics', async () => {
    await using app = await startApp({ env: { METRICS_ON_MAIN_PORT: 'true' } });
    const { url: site } = await startSite([`http://127.0.0.1:${await findPort()}`, app.url]);
    for (let count = 0; count < 4; count += 1)
      expect((await postJson(`${site}/graphql`, typeName)).json).toEqual(answer);
    expect((await sendRequest(`${site}/health/ready`)).status).toBe(200);
    for (const path of ['/metrics', '/ai/metrics', '/health/live'])
      expect((await sendRequest(site + path)).status).toBe(404);
  });
});

test('the nginx site sends a POST once, although the instance loses it', async () => {
  const lose = (_request: IncomingMessage, response: ServerResponse): void => {
    response.socket?.destroy();
  };
  const [first, second] = [await startFakeGateway(lose), await startFakeGateway(lose)];
  const { url: site } = await startSite([first.url, second.url]);
  expect((await postJson(`${site}/graphql`, typeName)).status).toBe(502);
  expect([...first.requests, ...second.requests]).toEqual(['POST /graphql']);
});

/** Posts from an address that is not nginx's. */
async function postFrom(
  localAddress: string,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const json = { 'content-type': 'application/json' };
  const outgoing = request(url, {
    method: 'POST',
    localAddress,
    headers: { ...json, ...headers },
    agent: false,
  });
  outgoing.end(JSON.stringify(typeName));
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
}

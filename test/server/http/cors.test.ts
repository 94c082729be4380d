import { describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { postJson, sendRequest } from '../../support/http.ts';
import { openRawSocket } from '../../support/raw-socket.ts';

const typeName = { query: '{ __typename }' };
const preflight = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type,x-end-user',
};

function corsHeaders(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(headers).filter((name) => name.startsWith('access-control-'));
}

describe('pages of other origins', () => {
  test('cannot read anything by default', async () => {
    await using app = await startApp();
    const origin = 'https://app.example.com';
    for (const reply of [
      await postJson(app.url, typeName, { origin }),
      await sendRequest(app.url, { method: 'OPTIONS', headers: { origin, ...preflight } }),
      await sendRequest(app.app.url, { headers: { origin } }),
    ]) {
      expect(corsHeaders(reply.headers)).toEqual([]);
    }
  });

  const listed = ['https://app.example.com', 'http://localhost:3000'];
  const others = [
    'https://evil.example',
    'https://app.example.com.evil.example',
    'http://app.example.com',
    'https://app.example.com:8443',
    'null',
  ];

  test('can call if CORS_ORIGINS lists them, and can read error replies', async () => {
    await using app = await startApp({ env: { CORS_ORIGINS: `${listed.join(' , ')}/` } });
    for (const origin of listed) {
      const answer = await sendRequest(app.url, { method: 'OPTIONS', headers: { origin, ...preflight } });
      expect(answer.status).toBe(204);
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': preflight['access-control-request-headers'],
      });
      const replies = [
        await postJson(app.url, typeName, { origin }),
        await postJson(app.url, '{', { origin }),
        await postJson(app.url, typeName, { origin, 'content-type': 'text/plain' }),
        await postJson(app.url, typeName, { origin, accept: 'text/event-stream' }),
      ];
      expect(replies.map(({ status }) => status)).toEqual([200, 400, 415, 200]);
      for (const { headers } of replies) {
        expect(headers['access-control-allow-origin']).toBe(origin);
        expect(headers['access-control-expose-headers']).toContain('x-request-id');
        expect(headers['access-control-allow-credentials']).toBeUndefined();
        expect(headers['vary']).toBe('origin');
      }
    }
    // Readers of parts, such as viewers of PDF files and players, need more of a file.
    const file = await sendRequest(`${app.app.url}/files/a`, { headers: { origin: listed[0] ?? '' } });
    expect(file.headers['access-control-expose-headers']).toBe(
      'x-request-id, retry-after, accept-ranges, content-disposition, content-range, etag',
    );
  });

  test.each(others)('cannot call if CORS_ORIGINS lists other origins: %s', async (origin) => {
    await using app = await startApp({ env: { CORS_ORIGINS: listed.join() } });
    const answer = await sendRequest(app.url, { method: 'OPTIONS', headers: { origin, ...preflight } });
    expect([answer.status, corsHeaders(answer.headers)]).toEqual([405, []]);
    const reply = await postJson(app.url, typeName, { origin });
    expect(corsHeaders(reply.headers)).toEqual([]);
    expect(reply.headers['vary']).toBe('origin');
  });

  const upgradeFrom = (app: TestApp, headers: Readonly<Record<string, string>>): Promise<string> =>
    openRawSocket(app.url, { headers }).then(
      async (socket) => {
        await socket.init();
        socket.subscribe('a', '{ __typename }');
        return JSON.stringify((await socket.waitForMessage('a')).payload);
      },
      (error: Error) => error.message,
    );
  const accepted = '{"data":{"__typename":"Query"}}';
  const refused = 'Unexpected server response: 403';

  test('open no WebSocket if CORS_ORIGINS lists other origins', async () => {
    await using app = await startApp({ env: { CORS_ORIGINS: listed.join() } });
    const { host, port } = new URL(app.url);
    for (const origin of [...others, `http://127.0.0.1:${Number(port) + 1}`, 'not an origin', '', 'http://'])
      expect(await upgradeFrom(app, { origin }), origin).toBe(refused);
    for (const origin of [`http://${host}`, `https://${host}`])
      expect(await upgradeFrom(app, { origin }), origin).toBe(refused);
    for (const origin of listed) expect(await upgradeFrom(app, { origin }), origin).toBe(accepted);
    expect(await upgradeFrom(app, {})).toBe(accepted);
  });

  test('open no WebSocket after DNS rebinding, if CORS_ORIGINS lists other origins', async () => {
    await using app = await startApp({ env: { CORS_ORIGINS: listed.join() } });
    const origin = 'http://evil.example';
    for (const host of ['evil.example', 'evil.example:80', 'app.example.com'])
      expect(await upgradeFrom(app, { origin, host }), host).toBe(refused);
    expect(await upgradeFrom(app, { origin: 'https://app.example.com', host: 'api.internal' })).toBe(
      accepted,
    );
  });

  test.each([{}, { CORS_ORIGINS: '*' }])('open a WebSocket if the settings are %j', async (env) => {
    await using app = await startApp({ env });
    for (const origin of others) expect(await upgradeFrom(app, { origin }), origin).toBe(accepted);
  });

  test('can all call if CORS_ORIGINS is *, without browser credentials', async () => {
    await using app = await startApp({ env: { CORS_ORIGINS: '*' } });
    for (const origin of others) {
      const { headers } = await postJson(app.url, typeName, { origin });
      expect(headers['access-control-allow-origin']).toBe(origin);
      expect(headers['access-control-allow-credentials']).toBeUndefined();
    }
  });
});

import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { postChat, readError, readJson, startSandbox, user } from './support.ts';

const sandbox = await startSandbox();

describe('the service', () => {
  test('the root describes the service', async () => {
    const response = await fetch(sandbox.url);
    expect(response.status).toBe(200);
    expect(await readJson(response)).toMatchObject({ name: 'gengraph-sandbox' });
  });

  test('/health answers 200', async () => {
    expect((await fetch(`${sandbox.url}/health`)).status).toBe(200);
  });

  test('an unknown path is 404 JSON', async () => {
    expect(await readError(await fetch(`${sandbox.url}/v1/nothing`))).toMatchObject({
      status: 404,
      code: 'not_found',
    });
    // The document's path ends in a slash.
    expect((await fetch(`${sandbox.url}/api/token`, { method: 'POST' })).status).toBe(404);
  });

  test('a wrong method is 405 JSON and lists the allowed methods', async () => {
    const response = await fetch(`${sandbox.url}/v1/chat/completions`);
    expect(response.headers.get('allow')).toBe('POST, OPTIONS');
    expect(await readError(response)).toMatchObject({ status: 405, code: 'method_not_allowed' });
    const other = await fetch(`${sandbox.url}/videoa/v1/general/presets-voices`, { method: 'DELETE' });
    expect(other.status).toBe(405);
  });

  test('HEAD is GET without a body, OPTIONS lists the methods', async () => {
    const head = await fetch(`${sandbox.url}/health`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const options = await fetch(`${sandbox.url}/health`, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });

  test('a malformed JSON body is 400', async () => {
    const response = await post('{"model":');
    expect(await readError(response)).toMatchObject({ status: 400, message: 'the body is not valid JSON' });
  });

  test('a missing body, another content type and another encoding are 400', async () => {
    expect((await post('')).status).toBe(400);
    expect((await post('{}', { 'content-type': 'text/plain' })).status).toBe(400);
    expect((await post('{}', { 'content-encoding': 'gzip' })).status).toBe(400);
    expect((await post(new Uint8Array([0x22, 0xff, 0x22]))).status).toBe(400);
  });

  test('a body that is nested too deeply is 400, not a crash', async () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    const response = await post(
      `{"model":"m","messages":[{"role":"user","content":"hi"}],"extra_body":{"google":{"a":${deep}}}}`,
    );
    expect([200, 400]).toContain(response.status);
    const schema = await post(
      `{"model":"m","messages":[{"role":"user","content":"hi"}],"response_format":{"type":"json_schema","json_schema":{"schema":{"const":${deep}}}}}`,
    );
    expect(await readError(schema)).toMatchObject({ status: 400 });
  });

  test('a body over 32 MB is 413', async () => {
    const request = `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: ${33 * 1024 * 1024}\r\n\r\n`;
    const reply = await sendRaw(request);
    expect(reply).toMatch(/^HTTP\/1\.1 413 /);
    expect(reply).toContain('"code":"body_too_large"');
  });

  test('a body of unknown length is 413 once it is over 32 MB', async () => {
    const chunk = new Uint8Array(1024 * 1024).fill(0x20);
    let left = 40;
    const body = new ReadableStream({
      pull(controller) {
        left -= 1;
        if (left < 0) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const init = { method: 'POST', body, duplex: 'half' };
    // The client may see the connection close before it reads the answer.
    await fetch(`${sandbox.url}/v1/chat/completions`, init).catch(() => {});
    await sandbox.activity.waitUntilIdle();
    expect(sandbox.activity.requests('/v1/chat/completions').at(-1)?.status).toBe(413);
  });

  test('the answer to bytes that are not HTTP is 400 JSON', async () => {
    const reply = await sendRaw('NONSENSE\r\n\r\n');
    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
    expect(reply).toContain('"code":"bad_request"');
  });

  test('a request with a malformed Host header is 400 JSON', async () => {
    const reply = await sendRaw('GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n');
    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
    expect(reply).toContain('"error"');
  });
});

test('a body with very many values is refused before they are decoded', async () => {
  const tooMany = await readError(await postChat(sandbox, { messages: Array(200_000).fill(0) }));
  expect(tooMany).toMatchObject({ status: 400, message: 'the body has more than 200000 values' });
  const long = await postChat(sandbox, {
    messages: user(`say exactly: ${'{[,'.repeat(100_000)}`),
    max_tokens: 1,
  });
  expect(long.status).toBe(200);
});

describe('the activity', () => {
  test('records the requests', async () => {
    const seen: string[] = [];
    const watched = await startSandbox({ onRequest: (request) => void seen.push(request.path) });
    await (await fetch(`${watched.url}/health?a=1`, { headers: { 'x-test': 'yes' } })).text();
    const sent = { model: 'gpt-test', messages: user('hi'), seed: 1 };
    await (await postChat(watched, sent)).text();
    await watched.activity.waitUntilIdle();
    expect(watched.activity.requests()).toMatchObject([
      { id: 1, method: 'GET', path: '/health', query: { a: '1' }, headers: { 'x-test': 'yes' }, status: 200 },
      { id: 2, method: 'POST', path: '/v1/chat/completions', body: sent, state: 'answered', status: 200 },
    ]);
    expect(watched.activity.requests('/health')).toHaveLength(1);
    expect([
      watched.activity.count(),
      watched.activity.count('/health'),
      watched.activity.count('/no'),
    ]).toEqual([2, 1, 0]);
    expect(seen).toEqual(['/health', '/v1/chat/completions']);
  });

  test('keeps integers beyond 2^53 exact and cuts long bodies', async () => {
    const watched = await startSandbox();
    await fetch(`${watched.url}/v1/chat/completions`, {
      method: 'POST',
      body: '{"seed":9223372036854775807,"text":"12345678901234567"}',
    });
    await postChat(watched, 'x'.repeat(100_000));
    await watched.activity.waitUntilIdle();
    const [first, second] = watched.activity.requests();
    expect(first?.body).toEqual({ seed: 9_223_372_036_854_775_807n, text: '12345678901234567' });
    expect(second?.body).toHaveLength(64 * 1024);
  });
});

describe('starting and closing', () => {
  test('a busy port rejects with the listen error', async () => {
    const port = Number(new URL(sandbox.url).port);
    await expect(createSandbox({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  test('a pace that is not a positive number is refused', async () => {
    await expect(createSandbox({ tokensPerSecond: 0 })).rejects.toThrow('tokensPerSecond');
    await expect(createSandbox({ tokensPerSecond: Number.NaN })).rejects.toThrow('tokensPerSecond');
  });

  test('closing ends running streams and frees the port', async () => {
    const closing = await createSandbox();
    const response = await postChat(closing, {
      model: 'fault-stalled-stream',
      messages: user('hi'),
      stream: true,
    });
    expect(closing.activity.open).toBe(1);
    await closing.close();
    await closing.close();
    await expect(response.text()).rejects.toThrow('terminated');
    expect(closing.activity.open).toBe(0);
    const again = await createSandbox({ port: Number(new URL(closing.url).port) });
    await again.close();
  });
});

function post(
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${sandbox.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${sandbox.apiKey}`, ...headers },
    body,
  });
}

function sendRaw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(sandbox.url);
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let reply = '';
    socket.on('data', (chunk) => {
      reply += chunk.toString();
    });
    socket.on('close', () => resolve(reply)).on('error', reject);
  });
}

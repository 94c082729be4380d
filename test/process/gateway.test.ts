import { createServer, request } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { VoicesDocument } from '../../src/client/documents.generated.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { startApp } from '../support/app.ts';
import { ask, createChatCompletion, made, refused, streamChat, toEnd } from '../support/chats.ts';
import { codeOf } from '../support/http.ts';
import { startProgram } from '../support/programs.ts';
import { serve } from '../support/serve.ts';

/** A proxy that serves the target below `/prefix` only. Closed when the test ends. */
async function startPrefixProxy(target: string): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const { url = '', method, headers } = incoming;
    if (!url.startsWith('/prefix/')) {
      outgoing.writeHead(404).end();
      return;
    }
    const onward = request(target + url.slice('/prefix'.length), { method, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(outgoing);
    });
    onward.once('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  return `${(await serve(server)).url}/prefix`;
}

describe('a separate gateway', () => {
  test('can be the sandbox of npm run sandbox, at its URL or below a path', async () => {
    const program = startProgram(['npm', 'run', 'sandbox'], { env: { SANDBOX_TOKENS_PER_SECOND: '5000' } });
    const [, url = ''] = await program.waitForOutput(/Sandbox gateway at (http:\S+)/);
    await program.waitForOutput(/API key sk-sandbox, system token sandbox-system of user 1/);
    for (const gatewayUrl of [url, `${await startPrefixProxy(url)}/`]) {
      await using app = await startApp({ gatewayUrl });
      expect(app.app.sandbox).toBeUndefined();
      expect((await app.run(VoicesDocument, { first: 5 })).data?.voices?.edges).toHaveLength(5);
      const events = await toEnd(
        streamChat(app.wsClient(), { input: ask('Say hello.'), idempotencyKey: 'k' }),
      );
      expect(events.at(-1)?.__typename).toBe('ChatCompleted');
    }
    program.kill('SIGTERM');
    expect(await program.exited).toEqual({ code: 0, signal: null });
  });

  test('that is down causes a GatewayError each time, and the server keeps running', async () => {
    await using app = await startApp({ gatewayUrl: 'http://127.0.0.1:1' });
    for (const attempt of [1, 2]) {
      const failure = refused(
        await createChatCompletion(app, { input: ask(`Hello ${attempt}`), idempotencyKey: 'k' }),
      );
      expect(failure).toMatchObject({ __typename: 'GatewayError', httpStatus: null, retry: 'SAFE' });
      expect(failure.message).toContain('ECONNREFUSED');
    }
    const voices = await app.run(VoicesDocument);
    expect(codeOf(voices)).toBe('GATEWAY_ERROR');
    expect((await app.run('{ __typename }')).data).toEqual({ __typename: 'Query' });
  });

  test('that comes back accepts a retry with the same key', async () => {
    const first = await createSandbox();
    await using app = await startApp({ gatewayUrl: first.url });
    await first.close();
    const variables = { input: ask('Hello'), idempotencyKey: 'k' };
    expect(refused(await createChatCompletion(app, variables)).__typename).toBe('GatewayError');
    const again = await createSandbox({ port: Number(new URL(first.url).port) });
    onTestFinished(() => again.close());
    expect(made(await createChatCompletion(app, variables)).status).toBe('SUCCEEDED');
  });
});

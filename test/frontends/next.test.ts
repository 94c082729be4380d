import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { documentTexts } from '../../src/client/server/texts.generated.ts';
import { skipWithoutBrowser } from '../support/browser.ts';
import { startApp, type TestApp, type TestAppOptions } from '../support/app.ts';
import { useClientProject } from '../support/packed-client.ts';
import { startProgram } from '../support/programs.ts';
import { secret, signInBySecret } from '../support/sign-in.ts';
import { frameworkModules, frontends, skipWithoutFrameworks } from './support/frameworks.ts';
import { startScriptedGateway, words } from '../support/scripted-gateway.ts';
import { readRecordedChats } from './support/recorded-chats.ts';
import { useTabs } from './support/tabs.ts';

// A development server of Next.js takes its time.
describe('a Next.js app with the packed client', { timeout: 600_000 }, () => {
  const openTab = useTabs();
  const project = useClientProject([]);

  beforeEach((context) => {
    skipWithoutBrowser(context);
    skipWithoutFrameworks(context);
  });

  async function startNext(env: Readonly<Record<string, string>>): Promise<string> {
    // Below the folder of the frameworks.
    const directory = mkdtempSync(join(frontends, 'next-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
    for (const name of ['next-app', 'examples'])
      cpSync(join(frontends, name), join(directory, name), { recursive: true });
    cpSync(project.installed, join(directory, 'node_modules/@gengraph/client'), { recursive: true });
    const program = startProgram(
      [process.execPath, join(frameworkModules, 'next/dist/bin/next'), 'dev', '--hostname', '127.0.0.1'],
      {
        cwd: join(directory, 'next-app'),
        env: { ...env, REPOSITORY: process.cwd(), NEXT_TELEMETRY_DISABLED: '1' },
      },
    );
    const [, url = ''] = await program.waitForOutput(/Local:\s+(http:\S+)/);
    await program.waitForOutput(/Ready/);
    return url;
  }

  async function start(options: TestAppOptions): Promise<TestApp> {
    const app = await startApp({ ...options, sandbox: { tokensPerSecond: 20 } });
    onTestFinished(() => app[Symbol.asyncDispose]());
    return app;
  }

  async function openAsAnn(url: string): Promise<Page> {
    const { page, context } = await openTab('about:blank');
    // It compiles each page and route when it is asked for.
    page.setDefaultTimeout(120_000);
    await context.addCookies([{ name: 'session', value: 'ann', url }]);
    return page;
  }

  test('has a page of useChat with tokens of its route, which goes on after a reload', async () => {
    const app = await start({ env: { ...signInBySecret, AUTH_AUDIENCE: 'my-app' } });
    const url = await startNext({ AUTH_JWT_SECRET: secret, SOCKET_ORIGIN: app.app.url });
    const page = await openAsAnn(url);
    await page.goto(url);
    await page.getByLabel('Message').fill('count to 100');
    await page.getByRole('button', { name: 'Send' }).click();
    const reply = page.getByRole('article', { name: 'assistant', exact: true }).locator('p');
    await reply.getByText(/\b5\b/).waitFor();
    await page.reload();
    await reply.getByText(/\b100$/).waitFor();
    expect(await reply.count()).toBe(1);
    expect(app.sandbox.activity.count('/v1/chat/completions')).toBe(1);
  });

  test('streams a chat through its route, and leaving it stops nothing', async () => {
    // A server of Next.js can keep what it forwards until it has compiled: the reply ends only when its first half was read.
    const gateway = await startScriptedGateway();
    const app = await startApp({ gatewayUrl: gateway.url });
    onTestFinished(() => app[Symbol.asyncDispose]());
    const url = await startNext({ GENGRAPH_URL: app.url, SOCKET_ORIGIN: app.app.url });
    const page = await openAsAnn(url);
    await page.goto(url);
    const body = JSON.stringify({
      query: documentTexts.StreamChat,
      variables: {
        input: { model: 'gpt-4o', messages: [{ role: 'USER', content: { text: 'Tell me' } }] },
        idempotencyKey: 'one',
      },
    });
    /** Reads events until one has such a text, and leaves. */
    const readUntil = (pattern: RegExp): Promise<string> =>
      page.evaluate(`(async () => {
        const leaving = new AbortController();
        const answer = await fetch('/api/graphql', {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
          body: ${JSON.stringify(body)},
          signal: leaving.signal,
        });
        let received = '';
        for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
          received += piece;
          if (${String(pattern)}.test(received)) break;
        }
        leaving.abort();
        return received;
      })()`);
    const half = readUntil(/one half/);
    const exchange = await gateway.exchange(0);
    exchange.send(...words('one half'));
    expect(await half).not.toContain('ChatCompleted');
    exchange.send(...words(' and the end'), '[DONE]');
    exchange.end();
    expect(await readUntil(/ChatCompleted/)).toContain('one half and the end');
    expect(gateway.requests).toHaveLength(1);
    expect((await readRecordedChats({ api: app })).length).toBeLessThanOrEqual(1);
  });
});

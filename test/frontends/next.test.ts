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
import { frameworkModules, frontendRuns, frontends, skipWithoutFrameworks } from './support/frameworks.ts';
import { readRecordedChats } from './support/recorded-chats.ts';
import { useTabs } from './support/tabs.ts';

// A development server of Next.js takes its time.
describe.runIf(frontendRuns > 1)('a Next.js app with the packed client', { timeout: 600_000 }, () => {
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
    const app = await start({});
    const url = await startNext({ GENGRAPH_URL: app.url, SOCKET_ORIGIN: app.app.url });
    const page = await openAsAnn(url);
    await page.goto(url);
    const body = JSON.stringify({
      query: documentTexts.StreamChat,
      variables: {
        input: { model: 'gpt-4o', messages: [{ role: 'USER', content: { text: 'count to 100' } }] },
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
    expect(await readUntil(/\b4\W.{0,3}5\b/)).not.toContain('ChatCompleted');
    expect(await readUntil(/ChatCompleted/)).toMatch(/\b99\W.{0,3}100\b/);
    expect(app.sandbox.activity.count('/v1/chat/completions')).toBe(1);
    expect((await readRecordedChats({ api: app })).length).toBeLessThanOrEqual(1);
  });
});

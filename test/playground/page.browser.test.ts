import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { createDirectory } from '../support/durable-server.ts';
import { startSite as startNginx, skipWithoutNginx } from '../support/nginx.ts';
import {
  buildPlayground,
  openPage,
  say,
  startPlayground,
  usePlayground,
  waitForCount,
} from '../support/playground.ts';
import { mint, signInBySecret } from '../support/sign-in.ts';

const site = usePlayground();
const views = ['/', '/create', '/create/generateContent', '/gallery', '/usage'];
const axeFile = resolve(import.meta.dirname, '../frontends/node_modules/axe-core/axe.min.js');

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

async function seriousFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(await readFile(axeFile, 'utf8'));
  const findings = await page.evaluate<readonly Finding[]>('axe.run().then(({ violations }) => violations)');
  return findings
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** The page shows what it has read. */
async function settle(page: Page): Promise<void> {
  await page.locator('main').waitFor();
  await expect.poll(() => page.getByText(/^Reading/).count()).toBe(0);
}

test.each(['light', 'dark'] as const)(
  'every view is accessible, %s, and fits a phone',
  async (colorScheme) => {
    const { page, complaints } = await site.open('/', { colorScheme, viewport: { width: 390, height: 844 } });
    await page.getByRole('button', { name: 'Tell me a story' }).click();
    await waitForCount(page);
    const chat = new URL(page.url()).pathname;
    const widths: unknown[] = [];
    const findings: string[] = [];
    for (const view of [...views, chat, chat.replace('/chat/', '/g/')]) {
      await page.goto(site.app.url + view);
      await settle(page);
      widths.push(await page.evaluate('document.documentElement.scrollWidth'));
      for (const details of await page.locator('.show-me, .composer details').all())
        await details.evaluate((element: HTMLDetailsElement) => (element.open = true));
      widths.push(await page.evaluate('document.documentElement.scrollWidth'));
      if (existsSync(axeFile))
        findings.push(...(await seriousFindings(page)).map((text) => `${view} ${text}`));
    }
    expect(findings).toEqual([]);
    expect(new Set(widths)).toEqual(new Set([390]));
    expect(complaints).toEqual([]);
  },
);

test('a keyboard alone starts a chat, stops it and goes to a form', async () => {
  const { page } = await site.open('/');
  await page.getByRole('button', { name: 'Tell me a story' }).waitFor();
  const tabTo = async (name: string): Promise<void> => {
    const focused = () => page.evaluate<string>('document.activeElement.innerText ?? ""');
    for (let count = 0; count < 40 && (await focused()).trim() !== name; count += 1)
      await page.keyboard.press('Tab');
    expect((await focused()).trim()).toBe(name);
  };
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.innerText')).toBe('Skip to the content');
  await tabTo('Tell me a story');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await waitForCount(page);
  await page.reload();
  await tabTo('Make');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Make it' }).waitFor();
});

test('the page has at most 250 KB, compressed', async () => {
  const directory = await buildPlayground();
  const names = (await readdir(directory, { recursive: true })).filter((name) => /\.\w+$/.test(name));
  const sizes = await Promise.all(
    names.map(async (name) => gzipSync(await readFile(join(directory, name))).length),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000);
});

test('what "Show me" shows runs as it stands, and opens in GraphiQL with its variables', async () => {
  const { page } = await site.open('/');
  await say(page, `Say exactly: it's "quoted"\nand has two lines`);
  await waitForCount(page);
  await page.getByText('Show me the GraphQL').click();
  const read = async (form: string): Promise<string> => {
    await page.getByRole('button', { name: form, exact: true }).click();
    return page.locator('.show-me pre').innerText();
  };
  const before = site.chatPosts;
  const curl = await promisify(execFile)('sh', ['-c', `${await read('curl')} -sS --max-time 20`]);
  expect(curl.stdout).toMatch(/it's \\"quoted\\"\\nand has two lines/);
  const directory = await createDirectory();
  const script = join(directory, 'sample.mjs');
  // It stands in a project that has the package.
  const library = import.meta.resolve('graphql-ws');
  await writeFile(
    script,
    (await read('graphql-ws')).replace("'graphql-ws'", `'${library}'`) + '\nprocess.exit(0);',
  );
  const ran = await promisify(execFile)(process.execPath, [script]);
  expect(ran.stdout).toContain('ChatCompleted');
  // Both have one key, so they are one chat.
  expect(site.chatPosts).toBe(before + 1);
  for (const form of ['Apollo', '@gengraph/client', 'useChat', 'Result'])
    expect(await read(form)).not.toBe('');
  const link = await page.getByRole('link', { name: 'Open in GraphiQL' }).getAttribute('href');
  await page.goto(String(link));
  await expect
    .poll(() => page.evaluate<string>("localStorage.getItem('graphiql:variables') ?? ''"))
    .toContain(String.raw`it's \"quoted\"\nand has two lines`);
  expect(await page.evaluate("localStorage.getItem('graphiql:query')")).toContain('streamChat');
});

test('with AUTH=jwt, the page asks for a token, keeps it in memory, and asks again when it has expired', async () => {
  const {
    GATEWAY_API_KEY: _key,
    GATEWAY_SYSTEM_TOKEN: _token,
    GATEWAY_SYSTEM_USER: _user,
    ...auth
  } = signInBySecret;
  const app = await startPlayground(auth);
  onTestFinished(() => app.close());
  const { page } = await openPage(site.browser, app.url);
  const signIn = async (token: string): Promise<void> => {
    await page.getByLabel('Token of your sign-in').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  await signIn(await mint('ada', { lifeSeconds: -100 }));
  await page.getByText('The server does not accept this token').waitFor();
  const short = await mint('ada', { lifeSeconds: 4 });
  await signIn(short);
  await say(page, 'Please count to 4000');
  await page.locator('.reply').getByText('20', { exact: false }).waitFor();
  await page.getByText('The server does not accept this token').waitFor();
  const stored = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])';
  expect(await page.evaluate<string>(stored)).not.toContain(short.split('.')[1]);
  await signIn(await mint('ada'));
  // The reply went on meanwhile.
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  expect(await waitForCount(page)).toContain('0 characters lost, 1 request paid');
  await page.reload();
  await page.getByLabel('Token of your sign-in').waitFor();
});

test('works below a path prefix of a proxy', async (context) => {
  skipWithoutNginx(context);
  const { url } = await startNginx([site.app.url, site.app.url]);
  const { page, complaints } = await openPage(site.browser, `${url}/ai/`);
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  page.on('websocket', (socket) => paths.push(new URL(socket.url()).pathname));
  await page.reload();
  await page.getByRole('button', { name: 'Tell me a story' }).click();
  await waitForCount(page);
  await page.reload();
  await waitForCount(page);
  await page.getByRole('link', { name: 'Gallery' }).click();
  await page.locator('.card h3 a').first().click();
  await page.getByText('Input, as it was sent').waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/ai\/g\//);
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => !path.startsWith('/ai/'))).toEqual([]);
  expect(complaints).toEqual([]);
});

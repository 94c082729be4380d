import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { expect, onTestFinished, test } from 'vitest';
import { frameworkModules, frontendRuns, skipWithoutFrameworks } from '../frontends/support/frameworks.ts';
import { createDirectory } from '../support/durable-server.ts';
import { startSite as startNginx, skipWithoutNginx } from '../support/nginx.ts';
import {
  findBarriers,
  openPage,
  say,
  startPlayground,
  usePlayground,
  waitUntilRead,
  waitForCount,
} from '../support/playground.ts';
import { mint, signInBySecret } from '../support/sign-in.ts';

const site = usePlayground();
const views = ['/', '/create', '/create/generateContent', '/gallery', '/usage'];
const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };

const looks = [
  ['dark', 'a desktop', desktop],
  ['light', 'a phone', phone],
  ['dark', 'a phone', phone],
  ['light', 'a desktop', desktop],
] as const;

test.each(looks.slice(0, frontendRuns))(
  'every view is accessible, %s, and fits %s',
  async (colorScheme, _name, viewport) => {
    const { page, complaints } = await site.open('/', { colorScheme, viewport });
    await page.getByRole('button', { name: 'Tell me a story' }).click();
    await waitForCount(page);
    const chat = new URL(page.url()).pathname;
    const widths: unknown[] = [];
    const findings: string[] = [];
    for (const view of [...views, chat, chat.replace('/chat/', '/g/')]) {
      await page.goto(site.app.url + view);
      await waitUntilRead(page);
      widths.push(await page.evaluate('document.documentElement.scrollWidth'));
      for (const details of await page.locator('.show-me, .composer details').all())
        await details.evaluate((element: HTMLDetailsElement) => (element.open = true));
      widths.push(await page.evaluate('document.documentElement.scrollWidth'));
      findings.push(...(await findBarriers(page)).map((text) => `${view} ${text}`));
    }
    expect(findings).toEqual([]);
    expect(new Set(widths)).toEqual(new Set([viewport.width]));
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

const awkward = `it's "quoted"\nand has two lines`;

/** Chats, and returns a function that reads a form of the operation behind the reply. */
async function showMe(page: Page): Promise<(form: string) => Promise<string>> {
  await say(page, `Say exactly: ${awkward}`);
  await waitForCount(page);
  const chat = page.getByRole('region', { name: 'Chat' });
  await chat.getByText('Show me the GraphQL').click();
  return async (form) => {
    await page.getByRole('button', { name: form, exact: true }).click();
    return chat.locator('.show-me pre').innerText();
  };
}

/** Runs a program as its reader does: pasted into a project that has the packages. */
async function runSample(text: string): Promise<string> {
  const directory = await createDirectory();
  await writeFile(join(directory, 'sample.js'), text);
  const bundle = await rolldown({
    input: join(directory, 'sample.js'),
    platform: 'node',
    resolve: { alias, modules: [resolve('node_modules')] },
  });
  const file = join(directory, 'bundled.mjs');
  await bundle.write({ file, codeSplitting: false });
  await bundle.close();
  const { stdout } = await promisify(execFile)(process.execPath, [file], { timeout: 60_000 });
  return stdout;
}

const alias = {
  '@gengraph/client/ai-sdk': resolve('src/client/ai-sdk/index.ts'),
  '@gengraph/client': resolve('src/client/gengraph.ts'),
};

test('what "Show me" shows runs as it stands, and opens in GraphiQL with its variables', async () => {
  const { page } = await site.open('/');
  const read = await showMe(page);
  const before = site.chatPosts;
  const curl = await promisify(execFile)('sh', ['-c', `${await read('curl')} -sS --max-time 20`]);
  expect(curl.stdout).toMatch(/it's \\"quoted\\"\\nand has two lines/);
  for (const form of ['graphql-ws', 'Apollo', '@gengraph/client'])
    expect(await runSample(await read(form))).toContain('ChatCompleted');
  // All have one key, so they are one chat.
  expect(site.chatPosts).toBe(before + 1);
  expect(await read('Result')).toContain('"isEnded": true');
  const link = await page.getByRole('link', { name: 'Open in GraphiQL' }).getAttribute('href');
  await page.goto(String(link));
  await expect
    .poll(() => page.evaluate<string>("localStorage.getItem('graphiql:variables') ?? ''"))
    .toContain(String.raw`it's \"quoted\"\nand has two lines`);
  expect(await page.evaluate("localStorage.getItem('graphiql:query')")).toContain('streamChat');
});

test('the page that "Show me" writes for useChat shows the conversation and goes on with it', async (context) => {
  skipWithoutFrameworks(context);
  const { page } = await site.open('/');
  const read = await showMe(page);
  const directory = await createDirectory();
  await writeFile(join(directory, 'page.jsx'), await read('useChat'));
  const bundle = await rolldown({
    input: join(directory, 'page.jsx'),
    platform: 'browser',
    resolve: { alias, modules: [frameworkModules, resolve('node_modules')] },
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  });
  const { output } = await bundle.generate({ codeSplitting: false });
  await bundle.close();
  // A page of another project, which has no policy.
  const { page: other } = await site.open('/graphql/none', { bypassCSP: true });
  await other.addScriptTag({ content: output[0].code, type: 'module' });
  await other.getByText(`assistant: ${awkward.replace('\n', ' ')}`).waitFor();
  const before = site.chatPosts;
  await other.getByRole('button', { name: 'Send' }).click();
  await expect.poll(() => other.locator('p').count()).toBe(4);
  await other.getByText('user: And then?').waitFor();
  await expect.poll(() => site.chatPosts).toBe(before + 1);
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
  expect(await page.title()).toBe('Sign in · Gengraph');
  await signIn(await mint('ada', { lifeSeconds: -100 }));
  await page.getByText('The server does not accept this credential').waitFor();
  const short = await mint('ada', { lifeSeconds: 4 });
  await signIn(short);
  await say(page, 'Please count to 4000');
  await page.locator('.reply').getByText('20', { exact: false }).waitFor();
  await page.getByText('The server does not accept this credential').waitFor();
  expect(await page.evaluate('document.activeElement.type')).toBe('password');
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

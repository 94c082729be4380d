import { beforeEach, expect, test } from 'vitest';
import { insecureHost, skipWithoutBrowser } from '../support/browser.ts';
import { skipWithoutFrameworks } from './support/frameworks.ts';
import { kits } from './support/kits.ts';
import { type Site, startSite } from './support/site.ts';
import { type Tab, useTabs } from './support/tabs.ts';

const open = useTabs();

beforeEach((context) => {
  skipWithoutBrowser(context);
  skipWithoutFrameworks(context);
});

async function textOf({ page }: Tab): Promise<string> {
  return (await page.locator('article').textContent()) ?? '';
}

async function waitUntilCompleted({ page }: Tab): Promise<void> {
  await page.getByRole('status').getByText('completed').waitFor();
}

async function recordedText({ api }: Site): Promise<unknown> {
  const { data } = await api.run<{ generations: { edges: { node: { output: unknown } }[] } }, object>(
    '{ generations(first: 5) { edges { node { output { ... on ChatCompletion { choices { message { content } } } } } } } }',
  );
  return data?.generations.edges;
}

test('a page of a bundled framework reaches the program of its origin through cuts and a freeze', async () => {
  const site = await startSite({ page: 'pages/loop.tsx' });
  const tab = await open(site.url);
  await expect.poll(() => textOf(tab)).toMatch(/3/);
  site.network.cut();
  await expect.poll(() => textOf(tab)).toMatch(/20/);
  site.network.freeze();
  site.network.thaw();
  await waitUntilCompleted(tab);
  expect(await recordedText(site)).toMatchObject([
    { node: { output: { choices: [{ message: { content: await textOf(tab) } }] } } },
  ]);
  expect(await textOf(tab)).toMatch(/\b60\b/);
  expect(site.chatPosts).toBe(1);
});

test('a program that is killed comes back at the same address with the same records', async () => {
  const site = await startSite({ page: 'pages/loop.tsx', isProcess: true });
  const tab = await open(site.url);
  await expect.poll(() => textOf(tab)).toMatch(/3/);
  await site.crash();
  await site.restart();
  await tab.page.getByRole('status').getByText('failed').waitFor();
  const { data } = await site.api.run('{ generations(first: 5) { edges { node { error { code } } } } }');
  expect(data).toEqual({ generations: { edges: [{ node: { error: { code: 'INTERRUPTED' } } }] } });
  expect(site.chatPosts).toBe(1);
});

test('a page without HTTPS has its chat too, before and after a reload', async () => {
  const site = await startSite({ page: 'examples/ai-sdk-chat/page.tsx' });
  const { page, errors } = await open(site.url.replace('127.0.0.1', insecureHost));
  expect(await page.evaluate('[isSecureContext, typeof crypto.randomUUID]')).toEqual([false, 'undefined']);
  await page.getByLabel('Message').fill('count to 40');
  await page.getByRole('button', { name: 'Send' }).click();
  const reply = page.locator('article[aria-label=assistant] p');
  await reply.getByText(/\b5\b/).waitFor();
  await page.reload();
  await reply.getByText(/\b40\b/).waitFor();
  expect(await reply.count()).toBe(1);
  expect(site.chatPosts).toBe(1);
  expect(errors.filter((error) => !error.includes('WebSocket'))).toEqual([]);
});

const storages = [
  { state: 'full', script: 'Storage.prototype.setItem = () => { throw new Error("full"); };' },
  {
    state: 'forbidden',
    script: `for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(globalThis, name, { get() { throw new Error('forbidden'); } });`,
  },
];
const stored = kits.flatMap((kit) => storages.map((storage) => ({ ...storage, name: kit.name, kit })));
test.each(stored)('a page of $name has its chat too if its storage is $state', async ({ kit, script }) => {
  const files = await kit.files?.();
  const site = await startSite({ page: kit.pages[0] ?? '', ...(files && { files }) });
  const { page, errors } = await open('about:blank');
  await page.addInitScript(script);
  await page.goto(site.url);
  await page.getByLabel(kit.field).fill('count to 20');
  await page.getByRole('button', { name: 'Send' }).click();
  await page
    .locator(kit.text)
    .filter({ hasText: /\b20\b/ })
    .waitFor();
  await page.locator(kit.ended.completed).waitFor();
  expect(site.chatPosts).toBe(1);
  expect(errors).toEqual([]);
});

test.each(kits)('a page of $name has its headings, and a place for the focus after a stop', async (kit) => {
  const files = await kit.files?.();
  const site = await startSite({ page: kit.pages[0] ?? '', ...(files && { files }) });
  const { page } = await open(site.url);
  const headings = () => page.locator('main :is(h1, h2):visible').allTextContents();
  await expect.poll(headings).toEqual(['Chat']);
  await page.getByLabel(kit.field).fill('count to 100000');
  await page.keyboard.press('Enter');
  await page.locator(kit.text).filter({ hasText: /\b5\b/ }).waitFor();
  await page.getByRole('button', { name: 'Stop' }).focus();
  await page.keyboard.press('Enter');
  await page.locator(kit.ended.canceled).waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).not.toBe('BODY');
});

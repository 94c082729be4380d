import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { skipWithoutBrowser } from '../support/browser.ts';
import { skipWithoutFrameworks } from './support/frameworks.ts';
import { startSite } from './support/site.ts';
import { useTabs } from './support/tabs.ts';

const open = useTabs();

beforeEach((context) => {
  skipWithoutBrowser(context);
  skipWithoutFrameworks(context);
});

const page = 'examples/react-chat/main.tsx';
const question = 'count to 60';

async function send(tab: Page): Promise<void> {
  await tab.getByLabel('Question').fill(question);
  await tab.getByRole('button', { name: 'Send' }).click();
}

async function textOf(tab: Page): Promise<string> {
  return (await tab.locator('article .text').textContent()) ?? '';
}

async function waitForEnd(tab: Page, status: string): Promise<void> {
  await tab.locator(`article[data-status=${status}]`).waitFor();
}

test('another reply to the same question is another request, and continues from the last one', async () => {
  const site = await startSite({ page, sandbox: { tokensPerSecond: 1000 } });
  const { page: tab } = await open(site.url);
  await send(tab);
  await waitForEnd(tab, 'completed');
  await tab.getByRole('button', { name: 'Another reply' }).click();
  await expect.poll(() => site.chatPosts).toBe(2);
  await waitForEnd(tab, 'completed');
  await send(tab);
  await expect.poll(() => tab.locator('article[data-status=completed]').count()).toBe(2);
  expect(site.chatPosts).toBe(3);
  const { data } = await site.api.run('{ generations(first: 1) { edges { node { thread { prompt } } } } }');
  expect(data).toEqual({
    generations: { edges: [{ node: { thread: [{ prompt: question }, { prompt: question }] } }] },
  });
});

test('two tabs keep the questions of each other, which go on behind a stopped reply after a reload', async () => {
  const site = await startSite({ page, sandbox: { tokensPerSecond: 1000 } });
  const { page: tab, context } = await open(site.url);
  const other = await context.newPage();
  await other.goto(site.url);
  const completed = (each: Page) => () => each.locator('article[data-status=completed]').count();
  await send(tab);
  for (const each of [tab, other]) await expect.poll(completed(each)).toBe(1);
  await send(other);
  for (const each of [tab, other]) await expect.poll(completed(each)).toBe(2);
  await tab.getByLabel('Question').fill('count to 100000');
  await tab.getByRole('button', { name: 'Send' }).click();
  await tab.getByRole('button', { name: 'Stop' }).click();
  await waitForEnd(tab, 'canceled');
  await tab.reload();
  await expect.poll(completed(tab)).toBe(2);
  await send(tab);
  await expect.poll(completed(tab)).toBe(3);
  expect(site.chatPosts).toBe(4);
  const { data } = await site.api.run('{ generations(first: 1) { edges { node { thread { prompt } } } } }');
  expect(data).toMatchObject({ generations: { edges: [{ node: { thread: [{}, {}, {}] } }] } });
});

test('a reply of 4,000 tokens renders at most 20 times a second', async () => {
  const site = await startSite({ page: 'pages/react-renders.tsx', sandbox: { tokensPerSecond: 4000 } });
  const { page: tab } = await open(site.url);
  await waitForEnd(tab, 'completed');
  expect(await textOf(tab)).toMatch(/\b4000\b/);
  const renders = await tab.evaluate<readonly { at: number; length: number }[]>('renders');
  const withText = renders.filter(({ length }) => length > 0);
  // It is on the screen as it grows.
  expect(withText.length).toBeGreaterThan(10);
  // A window that begins and ends with a render has one more.
  const busiest = Math.max(
    ...renders.map(({ at }) => renders.filter((other) => other.at >= at && other.at < at + 1000).length),
  );
  expect(busiest).toBeLessThanOrEqual(21);
});

import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { skipWithoutBrowser } from '../support/browser.ts';
import { frontendRuns, skipWithoutFrameworks } from './support/frameworks.ts';
import { type Site, startSite } from './support/site.ts';
import { useTabs } from './support/tabs.ts';

const open = useTabs();

beforeEach((context) => {
  skipWithoutBrowser(context);
  skipWithoutFrameworks(context);
});

const question = 'count to 60';

async function send(tab: Page): Promise<void> {
  await tab.getByLabel('Question').fill(question);
  await tab.getByRole('button', { name: 'Send' }).click();
}

async function waitForText(tab: Page, pattern: RegExp): Promise<void> {
  await tab.locator('article .text').getByText(pattern).waitFor();
}

async function waitForEnd(tab: Page, typeName: string): Promise<void> {
  await tab.locator(`article[data-status=${typeName}]`).waitFor();
}

/** One reply on the page, with the recorded text, for one request to the gateway, and in the list by the feed. */
async function expectOneReply({ api, chatPosts }: Site, tab: Page, status: string): Promise<void> {
  const { data } = await api.run(
    '{ generations(first: 5) { edges { node { status output { ... on ChatCompletion { choices { message { content } } } } } } } }',
  );
  const content = await tab.locator('article .text').textContent();
  const output = { choices: [{ message: { content } }] };
  expect(data).toEqual({ generations: { edges: [{ node: { status, output } }] } });
  expect(await tab.locator('article').count()).toBe(1);
  await tab.getByRole('listitem').getByText(`${question}: ${status}`).waitFor();
  expect(await tab.getByRole('listitem').count()).toBe(1);
  expect(chatPosts).toBe(1);
}

const whole = /\b60\b/;
const runs = Array.from({ length: frontendRuns }, (_none, index) => index + 1);
const pages = [
  ['Apollo Client over a WebSocket', 'examples/apollo-chat/main.tsx'],
  ['Apollo Client over HTTP alone', 'examples/apollo-chat/http.tsx'],
  ['urql', 'examples/urql-chat/main.tsx'],
] as const;
const cells = runs.flatMap((run) => pages.map(([name, page]) => [name, page, run] as const));

describe.each(cells)('a chat with %s', (_name, page) => {
  test('goes on after a reload and a cut in the middle of its text', async () => {
    const site = await startSite({ page });
    const { page: tab } = await open(site.url);
    await send(tab);
    await waitForText(tab, /\b5\b/);
    await tab.reload();
    await waitForText(tab, /\b20\b/);
    site.network.cut();
    await waitForEnd(tab, 'ChatCompleted');
    expect(await tab.locator('article .text').textContent()).toMatch(whole);
    await expectOneReply(site, tab, 'SUCCEEDED');
  });

  test('stops at the gateway, and shows code and message of an error', async () => {
    const site = await startSite({ page, sandbox: { tokensPerSecond: 20 } });
    const { page: tab, errors } = await open(site.url);
    await send(tab);
    await waitForText(tab, /\b5\b/);
    await tab.getByRole('button', { name: 'Stop' }).click();
    await waitForEnd(tab, 'ChatCanceled');
    await expectOneReply(site, tab, 'CANCELED');
    await tab.getByLabel('Model').fill('');
    await send(tab);
    await tab
      .getByRole('alert')
      .getByText(/^INVALID_INPUT: \w/)
      .waitFor();
    expect(errors).toEqual([]);
  });

  test('reads the next page of a list that the feed keeps true, also after a cut', async () => {
    const site = await startSite({ page, sandbox: { tokensPerSecond: 2000 } });
    const count = 25;
    for (let number = 1; number <= count; number += 1) {
      const input = { model: 'gpt-4o', messages: [{ role: 'USER', content: { text: `old ${number}` } }] };
      await site.api.run(
        'mutation ($input: ChatInput!) { startChat(input: $input) { ... on Generation { id } } }',
        { input },
      );
    }
    const { page: tab } = await open(site.url);
    const items = tab.getByRole('listitem');
    await items.nth(19).waitFor();
    expect(await items.count()).toBe(20);
    await tab.getByRole('button', { name: 'More' }).click();
    await items.nth(count - 1).waitFor();
    expect(await items.last().textContent()).toMatch(/^old 1: /);
    expect(await tab.getByRole('button', { name: 'More' }).count()).toBe(0);
    site.network.cut();
    await send(tab);
    await items.first().getByText(`${question}: SUCCEEDED`).waitFor();
    expect(await items.count()).toBe(count + 1);
  });
});

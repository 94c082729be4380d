import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { skipWithoutBrowser } from '../support/browser.ts';
import { skipWithoutFrameworks } from './support/frameworks.ts';
import { startSite } from './support/site.ts';
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

const pages = [
  ['Apollo Client over a WebSocket', 'examples/apollo-chat/main.tsx'],
  ['Apollo Client over HTTP alone', 'examples/apollo-chat/http.tsx'],
  ['urql', 'examples/urql-chat/main.tsx'],
] as const;
describe.each(pages)('a page with %s', (_name, page) => {
  test('shows code and message of an error', async () => {
    const site = await startSite({ page });
    const { page: tab, errors } = await open(site.url);
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

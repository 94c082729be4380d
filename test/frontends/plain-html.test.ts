import { beforeEach, describe, expect, test } from 'vitest';
import { skipWithoutBrowser } from '../support/browser.ts';
import { bundlePage } from './support/bundle-page.ts';
import { frontendRuns } from './support/frameworks.ts';
import { readRecordedChats } from './support/recorded-chats.ts';
import { type Site, startSite } from './support/site.ts';
import { type Tab, useTabs } from './support/tabs.ts';

const open = useTabs();
beforeEach(skipWithoutBrowser);

interface Cell {
  readonly what: string;
  /** The program is a process of its own, for cells that kill it. */
  readonly isProcess?: boolean;
  /** @default 'completed' */
  readonly status?: 'canceled' | 'failed';
  /** Disturbs the page, which has just sent its question. */
  disturb(site: Site, tab: Tab): Promise<void>;
}

async function textOf({ page }: Tab): Promise<string> {
  return (await page.locator('article').textContent()) ?? '';
}

async function waitForText(tab: Tab, pattern: RegExp): Promise<void> {
  await expect.poll(() => textOf(tab), { interval: 20 }).toMatch(pattern);
}

const matrix: readonly Cell[] = [
  { what: 'a reload before the first byte', disturb: async (_site, { page }) => void (await page.reload()) },
  {
    what: 'a reload in mid-text',
    async disturb(_site, tab) {
      await waitForText(tab, /\b5\b/);
      await tab.page.reload();
    },
  },
  {
    what: 'three cut connections',
    async disturb({ network }, tab) {
      for (const number of [5, 10, 15]) {
        await waitForText(tab, new RegExp(`\\b${number}\\b`));
        network.cut();
      }
    },
  },
  {
    what: 'a connection that dies without closing',
    async disturb({ network }, tab) {
      await waitForText(tab, /\b5\b/);
      const before = network.connections;
      network.freeze();
      // The page gives up the dead connection and tries another one.
      await expect.poll(() => network.connections, { timeout: 30_000 }).toBeGreaterThan(before);
      network.thaw();
    },
  },
  {
    what: 'a stop, and a reload after it',
    status: 'canceled',
    async disturb({ sandbox }, tab) {
      await waitForText(tab, /\b5\b/);
      await tab.page.getByRole('button', { name: 'Stop' }).click();
      await tab.page.getByRole('status').getByText('canceled').waitFor();
      await sandbox.activity.waitUntilIdle();
      await tab.page.reload();
    },
  },
  {
    what: 'a server that is killed, and comes back',
    isProcess: true,
    status: 'failed',
    async disturb(site, tab) {
      await waitForText(tab, /\b5\b/);
      await site.crash();
      await site.restart();
    },
  },
];

const shownAtEnd = { completed: 'completed', canceled: 'canceled', failed: 'The server stopped' };

describe('the page without a build shows one reply and pays for it once, after', () => {
  test.each(Array.from({ length: frontendRuns }, () => matrix).flat())('$what', async (cell) => {
    const { disturb, isProcess = false, status = 'completed' } = cell;
    const body = await bundlePage('../../src/client/gengraph.ts');
    const site = await startSite({
      page: 'examples/plain-html/index.html',
      files: { '/gengraph.browser.js': { type: 'text/javascript', body } },
      isProcess,
      sandbox: { tokensPerSecond: 60 },
    });
    const tab = await open(site.url);
    await tab.page.getByLabel('Question').fill('count to 60');
    // A double click sends one question: the first empties the field.
    await tab.page.getByRole('button', { name: 'Send' }).dblclick();
    await disturb(site, tab);
    await tab.page.getByRole('status').getByText(shownAtEnd[status]).waitFor();
    const [chat, ...others] = await readRecordedChats(site);
    expect(others).toEqual([]);
    expect(site.chatPosts).toBe(1);
    // A killed server has saved a part of what it had shown.
    const text = await textOf(tab);
    const recorded = chat?.text ?? '-';
    expect(status === 'failed' ? text.slice(0, recorded.length) : text).toBe(recorded);
    expect(chat?.status).toBe({ completed: 'SUCCEEDED', canceled: 'CANCELED', failed: 'FAILED' }[status]);
  });
});

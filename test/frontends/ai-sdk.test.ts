import { describe, expect, test } from 'vitest';
import { skipWithoutBrowser } from '../support/browser.ts';
import { ChatTab, readRecord } from './support/chat-tab.ts';
import { frontendRuns, skipWithoutFrameworks } from './support/frameworks.ts';
import { type Site, type SiteOptions, startSite } from './support/site.ts';
import { useTabs } from './support/tabs.ts';

const openTab = useTabs();
const pages = ['examples/ai-sdk-chat/page.tsx', 'pages/ai-sdk-owned.tsx'] as const;
/** Runs of a cell at the same time. */
const runsAtOnce = 5;

/** A site with a tab in StrictMode. */
interface Run {
  readonly site: Site;
  readonly tab: ChatTab;
  /** Opens the same conversation in another tab. */
  readonly openSecond: () => Promise<ChatTab>;
}

interface Cell extends Omit<SiteOptions, 'page'> {
  readonly act: (run: Run) => Promise<void>;
  /** Status of each recorded chat. @default one that has succeeded */
  readonly recorded?: readonly string[];
}

const chatId = 'trip';
const prompt = 'count to 40';
/** For a reply that does not end by itself before the test has acted. */
const longPrompt = 'count to 5000';
/** A part of the replies to both. */
const someText = /5/;

const cells: Readonly<Record<string, Cell>> = {
  'a reload before the first byte': {
    async act({ site, tab }) {
      await tab.send(prompt);
      await expect.poll(() => site.chatPosts).toBe(1);
      await tab.reload();
    },
  },
  'a reload before the message is sent': {
    async act({ site, tab }) {
      site.network.refuse();
      await tab.send(prompt);
      await tab.page.getByText('submitted').waitFor();
      site.network.accept();
      await tab.reload();
    },
  },
  'a reload in mid-text': {
    async act({ tab }) {
      await tab.send(prompt);
      await tab.waitForReply(someText);
      await tab.reload();
      await tab.waitForReply(someText);
      await tab.reload();
    },
  },
  'a reload of a page that stops its chat when it is left': {
    async act({ tab }) {
      await tab.send(prompt);
      await tab.waitForReply(someText);
      await tab.page.evaluate(`
        const stop = [...document.querySelectorAll('button')].find((button) => button.textContent === 'Stop');
        for (const type of ['beforeunload', 'pagehide', 'visibilitychange'])
          addEventListener(type, () => stop.click(), { capture: true });
      `);
      await tab.reload();
    },
  },
  'a reload in mid-tool-call': {
    sandbox: { tokensPerSecond: 20 },
    recorded: ['SUCCEEDED', 'SUCCEEDED'],
    async act({ tab }) {
      await tab.send('What is the weather in Rome?');
      await tab.page.locator('pre').waitFor();
      await tab.reload();
      await tab.waitForReply(/\w/);
    },
  },
  'a reload after a stop': {
    recorded: ['CANCELED'],
    async act({ site, tab }) {
      await tab.send(longPrompt);
      await tab.waitForReply(someText);
      const stoppedAt = await tab.stop();
      await expect.poll(async () => (await readRecord(site, chatId))[0]?.status).toBe('CANCELED');
      const [chat] = await readRecord(site, chatId);
      expect(Number(chat?.finishedAt) - stoppedAt).toBeLessThan(1000);
      await tab.reload();
    },
  },
  'a frozen connection': {
    async act({ site, tab }) {
      await tab.send(prompt);
      await tab.waitForReply(someText);
      site.network.freeze();
      // All runs together also wait until the page gives the connection up.
      await tab.page.waitForTimeout(frontendRuns > 1 ? 30_000 : 1000);
      site.network.thaw();
    },
  },
  'a connection that is cut': {
    async act({ site, tab }) {
      await tab.send(prompt);
      await tab.waitForReply(someText);
      site.network.cut();
    },
  },
  'a server that is killed': {
    isProcess: true,
    recorded: ['FAILED'],
    async act({ site, tab }) {
      await tab.send(longPrompt);
      await tab.waitForReply(someText);
      await site.crash();
      await site.restart();
      await tab.waitForStatus('error');
      const [chat] = await readRecord(site, chatId);
      // The record may lack the end of what was shown.
      expect((await tab.reply()).startsWith(chat?.text ?? '?')).toBe(true);
      await tab.reload();
    },
  },
  'a server that restarts': {
    isProcess: true,
    env: { SHUTDOWN_SECONDS: '20' },
    async act({ site, tab }) {
      await tab.send(prompt);
      await tab.waitForReply(someText);
      await site.shutDown();
      await site.restart();
    },
  },
  'a double click': {
    async act({ tab }) {
      await tab.send(prompt, (page) => page.getByRole('button', { name: 'Send' }).dblclick());
    },
  },
  'a second tab': {
    async act({ tab, openSecond }) {
      await tab.send(prompt);
      await tab.waitForReply(someText);
      const second = await openSecond();
      await second.waitForReply(/40/);
      await second.waitForStatus('ready');
      expect(await second.reply()).toBe(await tab.reply());
    },
  },
};

describe('a chat of useChat is one message, equal to the record, of one request', () => {
  test.for(Object.entries(cells))('after %s', async ([name, cell], context) => {
    skipWithoutBrowser(context);
    skipWithoutFrameworks(context);
    // The cells take turns with the pages.
    const first = Object.keys(cells).indexOf(name);
    for (let done = 0; done < frontendRuns; done += runsAtOnce) {
      const runs = Math.min(runsAtOnce, frontendRuns - done);
      const ended = await Promise.all(
        Array.from({ length: runs }, (_, index) => run(pages[(first + done + index) % 2] ?? '', cell)),
      );
      expect(ended.flatMap(({ errors }) => errors)).toEqual([]);
    }
  });
});

interface Ended {
  /** In the console, and those that nobody caught. */
  readonly errors: readonly string[];
}

async function run(page: string, { act, recorded = ['SUCCEEDED'], ...options }: Cell): Promise<Ended> {
  const site = await startSite({ sandbox: { tokensPerSecond: 60 }, ...options, page });
  const url = new URL(`?chat=${chatId}`, site.url).href;
  const { page: first, context, errors } = await openTab(url);
  const tab = new ChatTab(first);
  await tab.waitForStatus('ready');
  await tab.forbidSecondReply();
  await act({
    site,
    tab,
    async openSecond() {
      const second = await context.newPage();
      await second.goto(url);
      return new ChatTab(second);
    },
  });
  const readStatuses = async () => (await readRecord(site, chatId)).map(({ status }) => status);
  await expect.poll(readStatuses).toEqual(recorded);
  const text = (await readRecord(site, chatId)).map((chat) => chat.text).join('');
  await expect.poll(() => tab.reply()).toBe(text);
  await tab.waitForStatus('ready');
  expect(site.chatPosts).toBe(recorded.length);
  await context.close();
  // The browser reports each connection that fails.
  return { errors: errors.filter((error) => !/WebSocket|ERR_/.test(error)) };
}

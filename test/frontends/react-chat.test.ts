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

const page = 'examples/react-chat/main.tsx';
const question = 'count to 60';

async function send(tab: Page): Promise<void> {
  await tab.getByLabel('Question').fill(question);
  await tab.getByRole('button', { name: 'Send' }).click();
}

async function textOf(tab: Page): Promise<string> {
  return (await tab.locator('article .text').textContent()) ?? '';
}

/** Waits until a part of the reply is on the screen. */
async function waitForText(tab: Page, pattern: RegExp): Promise<void> {
  await tab.locator('article .text').getByText(pattern).waitFor();
}

async function waitForEnd(tab: Page, status: string): Promise<void> {
  await tab.locator(`article[data-status=${status}]`).waitFor();
}

interface Recorded {
  readonly status: string;
  readonly output: { readonly choices: readonly { readonly message: { readonly content: string } }[] };
}

/** The text and status of the only generation. */
async function findRecord({ api }: Site): Promise<{ readonly status: string; readonly text: string }> {
  const { data } = await api.run<{ generations: { edges: { node: Recorded }[] } }, object>(
    '{ generations(first: 5) { edges { node { status output { ... on ChatCompletion { choices { message { content } } } } } } } }',
  );
  const [edge, ...others] = data?.generations.edges ?? [];
  if (!edge || others.length > 0) throw new Error(`one generation expected: ${JSON.stringify(data)}`);
  return { status: edge.node.status, text: edge.node.output.choices[0]?.message.content ?? '' };
}

/** One reply, whose text is the recorded one, for one request to the gateway. */
async function expectOneReply(site: Site, tab: Page, status: string): Promise<void> {
  const recorded = await findRecord(site);
  expect(recorded.status).toBe(status);
  expect(await textOf(tab)).toBe(recorded.text);
  expect(await tab.locator('article').count()).toBe(1);
  expect(site.chatPosts).toBe(1);
}

const whole = /\b60\b/;
const runs = Array.from({ length: frontendRuns }, (_none, index) => index + 1);

describe.each(runs)('a chat with useChatStream, run %i', () => {
  test('goes on after a reload before its first byte', async () => {
    const site = await startSite({ page });
    const { page: tab, errors } = await open(site.url);
    site.network.delay(100);
    await send(tab);
    await tab.reload();
    site.network.delay(0);
    await waitForEnd(tab, 'completed');
    expect(await textOf(tab)).toMatch(whole);
    await expectOneReply(site, tab, 'SUCCEEDED');
    expect(errors).toEqual([]);
  });

  test('goes on after a reload in the middle of its text', async () => {
    const site = await startSite({ page });
    const { page: tab } = await open(site.url);
    await send(tab);
    await waitForText(tab, /\b5\b/);
    await tab.reload();
    await waitForEnd(tab, 'completed');
    expect(await textOf(tab)).toMatch(whole);
    await expectOneReply(site, tab, 'SUCCEEDED');
  });

  test('stops at the gateway within a second, and stays stopped after a reload', async () => {
    const site = await startSite({ page, sandbox: { tokensPerSecond: 20 } });
    const { page: tab } = await open(site.url);
    await send(tab);
    await waitForText(tab, /\b5\b/);
    // The text at the click. The gateway may send what it has for one second more.
    const before = await tab.evaluate<string>(`(() => {
      [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Stop').click();
      return document.querySelector('article .text').textContent;
    })()`);
    await waitForEnd(tab, 'canceled');
    expect((await textOf(tab)).split(/\b/).length - before.split(/\b/).length).toBeLessThanOrEqual(20);
    await tab.reload();
    await waitForEnd(tab, 'canceled');
    expect(await textOf(tab)).not.toMatch(whole);
    await expectOneReply(site, tab, 'CANCELED');
  });

  test('goes on after its connection has died without closing', async () => {
    const site = await startSite({ page });
    const { page: tab } = await open(site.url);
    await send(tab);
    await waitForText(tab, /\b5\b/);
    site.network.freeze();
    // As a browser does when the network changes. Otherwise the page notices after some ten seconds.
    await tab.evaluate('dispatchEvent(new Event("online"))');
    await tab.getByRole('status').getByText('reconnecting').waitFor();
    site.network.thaw();
    await waitForEnd(tab, 'completed');
    expect(await textOf(tab)).toMatch(whole);
    await expectOneReply(site, tab, 'SUCCEEDED');
  });

  test('shows what was kept when its server is killed, and nothing is sent again', async () => {
    const site = await startSite({ page, isProcess: true, sandbox: { tokensPerSecond: 20 } });
    const { page: tab } = await open(site.url);
    await send(tab);
    await waitForText(tab, /\b9\b/);
    await site.crash();
    await site.restart();
    await waitForEnd(tab, 'failed');
    // The server saves a running chat once a second. The page keeps what it has shown.
    expect((await textOf(tab)).startsWith((await findRecord(site)).text)).toBe(true);
    await tab.reload();
    await waitForEnd(tab, 'failed');
    await expectOneReply(site, tab, 'FAILED');
  });

  test('is one for a double click', async () => {
    const site = await startSite({ page });
    const { page: tab } = await open(site.url);
    await tab.getByLabel('Question').fill(question);
    await tab.getByRole('button', { name: 'Send' }).dblclick();
    await waitForEnd(tab, 'completed');
    expect(await textOf(tab)).toMatch(whole);
    await expectOneReply(site, tab, 'SUCCEEDED');
  });

  test('is seen by a second tab', async () => {
    const site = await startSite({ page });
    const { page: tab, context } = await open(site.url);
    await send(tab);
    await waitForText(tab, /\b5\b/);
    const second = await context.newPage();
    await second.goto(site.url);
    for (const each of [tab, second]) {
      await waitForEnd(each, 'completed');
      expect(await textOf(each)).toMatch(whole);
      await expectOneReply(site, each, 'SUCCEEDED');
    }
  });
});

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

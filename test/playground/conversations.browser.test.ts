import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { chatId, userMessage } from '../support/conversations.ts';
import { findBarriers, say, usePlayground, waitForCount } from '../support/playground.ts';

const site = usePlayground({ MAX_ANSWER_BYTES: '262144' });

const entriesOf = (page: Page) =>
  page.getByRole('navigation', { name: 'Conversations' }).locator('a:not(.button)');

/** What the list shows of each conversation: its first message and the state of its newest turn. */
async function readList(page: Page): Promise<readonly string[]> {
  const texts = await entriesOf(page).allInnerTexts();
  return texts.map((text) => text.replace('\n', ': ').replace(/ · .*/, ''));
}

/** Chats that another program puts into one collection, one after the other. Resolves with their ids. */
async function ask(...prompts: readonly string[]): Promise<readonly string[]> {
  const ids: string[] = [];
  const options = { collection: 'shared' };
  for (const text of prompts) ids.push(await chatId(site.api, { messages: [userMessage(text)] }, options));
  return ids;
}

async function remove(ids: readonly string[]): Promise<void> {
  await site.api.run('mutation ($ids: [ID!]!) { deleteGenerations(ids: $ids) { deletedIds } }', { ids });
}

test('the list of conversations follows them, and one that runs elsewhere is opened, stopped and continued', async () => {
  const { page, complaints } = await site.open('/');
  await page.getByText('None yet: what you say is kept here.').waitFor();
  const [first = ''] = await ask('Say exactly: first');
  await expect.poll(() => readList(page)).toEqual(['Say exactly: first: succeeded']);
  await page.getByText('Show me the GraphQL').click();
  await page.getByText('query Conversations(').waitFor();
  await page.getByText('Show me the GraphQL').click();
  // In another tab.
  const { page: other } = await site.open('/');
  await say(other, 'Please count to 20000');
  const running = 'Please count to 20000: running';
  await expect.poll(() => readList(page)).toEqual([running, 'Say exactly: first: succeeded']);
  await other.close();
  await entriesOf(page).first().press('Enter');
  const reply = page.locator('.reply');
  await reply.getByText('20', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect.poll(async () => (await readList(page))[0]).toBe('Please count to 20000: canceled');
  await say(page, 'Say exactly: the second turn');
  await reply.nth(1).getByText('the second turn').waitFor();
  // Other answers to the first message are of the same conversation.
  await page.getByRole('button', { name: 'Another answer' }).first().click();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('2 of 2').waitFor();
  const both = ['Please count to 20000: canceled', 'Say exactly: first: succeeded'];
  await expect.poll(() => readList(page)).toEqual(both);
  // The other branch is that of the newest turn.
  await page.getByRole('button', { name: 'Previous branch' }).click();
  await expect.poll(() => page.locator('.prompt').count()).toBe(2);
  const current = entriesOf(page).and(page.locator('[aria-current="page"]'));
  expect(await current.innerText()).toContain('Please count');
  await current.click();
  await expect.poll(() => page.locator('.prompt').allInnerTexts()).toEqual(['Please count to 20000']);
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('link', { name: 'New chat' }).click();
  await page.getByText('A chat that survives its connection').waitFor();
  expect(await current.count()).toBe(0);
  // With the turns before and after it.
  await page.goto(`${site.app.url}/g/${await chatId(site.api, { continueFrom: first })}`);
  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('link', { name: 'Chat', exact: true }).click();
  await expect.poll(() => readList(page)).toEqual(both.slice(0, 1));
  expect(complaints).toEqual([]);
});

test('a phone folds the list for each chat, and pages lead to the oldest conversation', async () => {
  const prompts = Array.from({ length: 24 }, (_, index) => `Say exactly: number ${index + 2}`);
  const ids = await ask('Say exactly: oldest', ...prompts, `<b>${'long '.repeat(10_000)}`);
  const { page, complaints } = await site.open('/', { viewport: { width: 320, height: 640 } });
  expect(await entriesOf(page).count()).toBe(0);
  const list = page.getByText('Conversations', { exact: true });
  await list.press('Enter');
  await expect.poll(() => entriesOf(page).count()).toBe(20);
  expect((await readList(page))[0]).toMatch(/^<b>long (long ){10,30}/);
  await page.getByText('Older ones').press('Enter');
  const oldest = page.getByRole('link', { name: 'Say exactly: oldest' });
  await oldest.waitFor();
  // A change moves what follows to the next page.
  await ask('Say exactly: newest');
  await expect.poll(async () => (await readList(page))[0]).toBe('Say exactly: newest: succeeded');
  const shown = await readList(page);
  expect([shown.length >= 27, new Set(shown).size]).toEqual([true, shown.length]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  await oldest.press('Enter');
  await page.locator('.reply').getByText('oldest').waitFor();
  expect(await entriesOf(page).count()).toBe(0);
  expect(await page.evaluate('document.activeElement.id')).toBe('content');
  // The others of its collection are no branches of it.
  expect(await page.getByRole('button', { name: 'Next branch' }).count()).toBe(0);
  // It is gone for every other page, and this one says so when it is opened again.
  await remove(ids);
  await page.reload();
  await page.getByText('This conversation does not exist, or it was deleted.').waitFor();
  expect(complaints).toEqual([]);
  await page.getByRole('link', { name: 'Chat', exact: true }).click();
  await say(page, 'Say exactly: goes on');
  await waitForCount(page);
});

test('very long first messages are listed in smaller pages', async () => {
  const long = 'long '.repeat(28_000);
  await ask(`First ${long}`, 'Hello', 'Hello', 'Hello', 'Hello', `Last ${long}`);
  const { page, complaints } = await site.open('/');
  await expect.poll(async () => (await readList(page))[0]).toMatch(/^Last long/);
  await page.getByText('Older ones').click();
  await page.getByRole('link', { name: 'First long' }).waitFor();
  expect(complaints).toEqual([]);
});

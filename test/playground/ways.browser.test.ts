import { expect, test } from 'vitest';
import { say, usePlayground, waitForCount } from '../support/playground.ts';

const site = usePlayground();

test('the skip link goes to the content of its view', async () => {
  const { page } = await site.open('/create/createSong');
  await page.getByRole('button', { name: 'Make it' }).waitFor();
  await page.evaluate('self.isSamePage = true');
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.innerText')).toBe('Skip to the content');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content');
  expect(new URL(page.url()).pathname).toBe('/create/createSong');
  expect(await page.evaluate('self.isSamePage')).toBe(true);
});

test('a new chat begins after a conversation whose last message was refused', async () => {
  const { page } = await site.open('/');
  await say(page, 'Say exactly: first');
  await waitForCount(page);
  await page.getByText('Model and parameters').click();
  await page.getByLabel('Model', { exact: true }).fill('fault-quota');
  await say(page, 'Hello');
  const advice = 'This try was not charged. The quota is used up. Add some, then try again.';
  await page.locator('.notice').getByText(advice).waitFor();
  const radius = () => page.locator('.notice').evaluate((notice) => getComputedStyle(notice).borderRadius);
  expect(await radius()).toBe('8px');
  await page.getByRole('link', { name: 'Chat', exact: true }).click();
  await page.getByText('A chat that survives its connection').waitFor();
  expect(await page.locator('.turn').count()).toBe(0);
  // The first message of a conversation stays when it is refused.
  await say(page, 'Hello again');
  await page.locator('.notice').getByText(advice).waitFor();
  expect(await page.locator('.prompt').allInnerTexts()).toEqual(['Hello again']);
});

test('a reply that its limit has cut says so', async () => {
  const { page } = await site.open('/');
  await page.getByText('Model and parameters').click();
  await page.locator('.composer summary').nth(1).click();
  await page.getByLabel('Max tokens').fill('5');
  await say(page, 'Please count to 100');
  await waitForCount(page);
  expect(await page.locator('.turn footer').innerText()).toContain('cut at its limit');
});

test('a conversation goes on after the last turn that exists when others were deleted', async () => {
  const { page } = await site.open('/');
  const remove = `mutation ($ids: [ID!]!) { deleteGenerations(ids: $ids) { deletedIds } }`;
  const ids: string[] = [];
  const sayAndWait = async (text: string): Promise<void> => {
    await say(page, `Say exactly: ${text}`);
    await page.locator('.reply').last().getByText(text).waitFor();
    await waitForCount(page);
    ids.push(new URL(page.url()).pathname.split('/').at(-1) ?? '');
  };
  await sayAndWait('aaa');
  await sayAndWait('bbb');
  const prompts: unknown[] = [];
  // The last turn, and then the first one.
  for (const [text, deleted] of [
    ['ccc', ids[1]],
    ['ddd', ids[0]],
  ] as const) {
    await site.api.run(remove, { ids: [deleted] });
    await say(page, `Say exactly: ${text}`);
    await page.getByRole('button', { name: 'Send it without' }).click();
    await page.locator('.reply').last().getByText(text).waitFor();
    await waitForCount(page);
    const { data } = await site.api.run('{ generations(first: 1) { edges { node { thread { prompt } } } } }');
    prompts.push(JSON.stringify(data).match(/\w{3}(?="\})/g));
  }
  expect(prompts).toEqual([['aaa', 'ccc'], ['ddd']]);
  // What is shown is what the model knows.
  expect(await page.locator('.prompt').allInnerTexts()).toEqual(['Say exactly: ddd']);
});

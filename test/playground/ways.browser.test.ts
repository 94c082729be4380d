import { expect, test } from 'vitest';
import { say, usePlayground, waitForCount } from '../support/playground.ts';

const site = usePlayground({ SANDBOX_TASK_SECONDS: '600' });

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

test('what a keyboard has pressed keeps the focus, or hands it to what is next to it', async () => {
  const { page } = await site.open('/');
  const focused = () =>
    page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.textContent.trim()');
  const press = async (name: string): Promise<unknown> => {
    await page.getByRole('button', { name }).first().press('Enter');
    return focused();
  };
  await say(page, 'Say exactly: first');
  await waitForCount(page);
  expect(await press('Another answer')).toBe('Another answer');
  await page.getByText('2 of 2').waitFor();
  await waitForCount(page);
  expect(await focused()).toBe('Another answer');
  expect(await press('Previous branch')).toBe('Previous branch');
  await page.getByText('1 of 2').waitFor();
  expect(await press('Next branch')).toBe('Next branch');
  await page.getByText('2 of 2').waitFor();
  expect(await page.locator('.reply').allInnerTexts()).toEqual(['first']);
  await page.goto(`${site.app.url}/create/createTransitionVideo`);
  expect(await press('Remove')).toBe('Add frames');
  const add = page.getByRole('button', { name: 'Add frames' });
  for (let n = 0; n < 30 && (await add.isEnabled()); n += 1) await add.press('Enter');
  expect(await focused()).toBe('Add frames');
  expect(await add.isEnabled()).toBe(false);
});

test('a button that is gone hands the focus to what is before it', async () => {
  const speech = 'createSpeech(input: { text: "One of many.", voice: { id: "en-us-ava" } }) { __typename }';
  const many = Array.from({ length: 30 }, (_, index) => `made${index}: ${speech}`);
  await site.api.run(`mutation { ${many.join(' ')} }`);
  const { page } = await site.open('/create/createAnimation');
  const focused = () =>
    page.evaluate('[document.activeElement.className, document.activeElement.ariaLabel].join(": ")');
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.getByRole('button', { name: 'Stop' }).press('Enter');
  await page.locator('.card .CANCELED').waitFor();
  expect(await focused()).toMatch(/^card: ./);
  await page.getByRole('link', { name: 'Gallery' }).click();
  await expect.poll(() => page.locator('.card').count()).toBe(24);
  await page.getByRole('button', { name: 'Older ones' }).press('Enter');
  await expect.poll(() => page.locator('.card').count()).toBeGreaterThan(24);
  await expect.poll(focused).toBe('card: One of many.');
  // The next key leads on from there.
  await page.keyboard.press('Tab');
  const place = '[...document.querySelectorAll(".card")].indexOf(document.activeElement.closest(".card"))';
  expect(await page.evaluate(place)).toBe(23);
});

test('forced colors show the focus and what is chosen, and large text has the whole window', async () => {
  const viewport = { width: 320, height: 256 }; // A window of 1280 pixels at 400 %.
  const { page } = await site.open('/create/createSong', { forcedColors: 'active', viewport });
  const outlineOf = (selector: string) =>
    page.locator(selector).evaluate((element) => getComputedStyle(element).outlineStyle);
  await page.getByText('Show me the GraphQL').click();
  await page.getByRole('button', { name: 'Make it' }).focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  const marked = ['.top [aria-current]', '.families [aria-current]', '[aria-pressed=true]', ':focus'];
  expect(await Promise.all(marked.map(outlineOf))).toEqual(marked.map(() => 'solid'));
  expect(await outlineOf('.top nav a:not([aria-current]) >> nth=0')).toBe('none');
  const positions = `['.top', '.dock'].map((name) => getComputedStyle(document.querySelector(name)).position)`;
  expect(await page.evaluate(positions)).toEqual(['static', 'static']);
  await page.getByRole('button', { name: 'Make it' }).click();
  expect(await outlineOf('.card')).toBe('solid');
  // Forced colors would leave it none of its own.
  const adjust = page.locator('.card progress').evaluate((bar) => getComputedStyle(bar).forcedColorAdjust);
  expect(await adjust).toBe('none');
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

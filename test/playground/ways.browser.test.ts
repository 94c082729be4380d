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

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { GraphQLEnumType } from 'graphql';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { schema } from '../support/api-schema.ts';
import {
  buildPlayground,
  findBarriers,
  findCreates,
  say,
  usePlayground,
  waitForCount,
  waitUntilRead,
} from '../support/playground.ts';

const site = usePlayground();

/** Each view once, in one page, with what it is for. The other files try each of them thoroughly. */
test('each view opens, does what it is for, fits the narrowest phone, and has no barrier', async () => {
  const { page, complaints } = await site.open('/', { viewport: { width: 320, height: 640 } });
  const barriers: string[] = [];
  const check = async (view: string): Promise<void> => {
    await waitUntilRead(page);
    barriers.push(...(await findBarriers(page)).map((text) => `${view}: ${text}`));
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    if (width > 320) barriers.push(`${view}: ${width} pixels wide`);
  };
  const open = (name: string) => page.getByRole('link', { name, exact: true }).click();

  await check('welcome');
  // Longer than a busy machine needs until it is stopped.
  await say(page, 'Please count to 4000');
  await page.getByRole('button', { name: 'Pull the plug' }).click();
  await page.locator('.reply').getByText('20', { exact: false }).first().waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  expect(await waitForCount(page)).toBe('1 cut, 0 characters lost, 1 request paid');
  await check('chat');
  await page.getByText('Conversations', { exact: true }).click();
  await page
    .getByRole('link', { name: 'Please count to 4000' })
    .and(page.locator('[aria-current]'))
    .waitFor();
  await check('conversations');

  await open('Make');
  const links = page.locator('.families a');
  const fields = await links.evaluateAll((all) =>
    all.map((link) => link.getAttribute('href')?.split('/').at(-1)),
  );
  expect(new Set(fields)).toEqual(new Set(findCreates()));
  await open('Speech');
  await tryForm(page);
  await check('form');

  await open('Gallery');
  await expect.poll(() => page.locator('.card').count()).toBe(2);
  const statuses = await page.getByLabel('status').locator('option').allInnerTexts();
  const known = schema.getType('TaskStatus') as GraphQLEnumType;
  expect(statuses.slice(1).toSorted()).toEqual(
    known
      .getValues()
      .map(({ name }) => name.toLowerCase())
      .toSorted(),
  );
  await check('gallery');
  await page.locator('.card h3 a').first().press('Enter');
  await page.getByText('Input, as it was sent').waitFor();
  expect(await page.evaluate('document.activeElement.id')).toBe('content');
  expect(await page.title()).toMatch(/\w.* · Gengraph$/);
  await check('generation');

  await open('Usage');
  await page.getByRole('rowheader', { name: 'Speech' }).waitFor();
  await check('usage');
  expect([barriers, complaints]).toEqual([[], []]);
});

/** A refused input, and then the example. */
async function tryForm(page: Page): Promise<void> {
  const text = page.getByLabel('Text').first();
  const example = await text.inputValue();
  await text.fill('');
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.locator('.field:has(textarea)').getByText('Required.').waitFor();
  await text.fill(example);
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.locator('.card .SUCCEEDED').waitFor();
}

test('the page has at most 250 KB, compressed, and one script: a page of an older version opens every view', async () => {
  const directory = await buildPlayground();
  const names = (await readdir(directory, { recursive: true })).filter((name) => /\.\w+$/.test(name));
  const sizes = await Promise.all(
    names.map(async (name) => gzipSync(await readFile(join(directory, name))).length),
  );
  expect(names.filter((name) => name.endsWith('.js'))).toHaveLength(1);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000);
});

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findCreates, usePlayground } from '../support/playground.ts';

const site = usePlayground();

async function make(page: Page, field: string): Promise<void> {
  await page.locator(`.families a[href$="/create/${field}"]`).click();
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.locator('.card .SUCCEEDED').waitFor();
}

test('every family has a form, made from its schema, whose example makes a result', async () => {
  const { page, complaints } = await site.open('/create');
  for (const field of findCreates()) {
    await make(page, field);
    const media = page.locator('.card :is(img, audio, video, .markdown p)');
    await media.first().waitFor({ state: 'attached' });
  }
  expect(complaints).toEqual([]);
});

test('an input error is shown at its field, and nothing is sent', async () => {
  const { page } = await site.open('/create/createSpeech');
  const sent: string[] = [];
  await page.getByLabel('Text', { exact: false }).first().waitFor();
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(String(payload))));
  await page.reload();
  const text = page.locator('textarea').first();
  await text.fill('');
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.getByText('Nothing was sent.').waitFor();
  expect(await text.getAttribute('aria-invalid')).toBe('true');
  expect(await page.locator('.field:has([aria-invalid="true"]) .problem').allInnerTexts()).toEqual([
    'Required.',
  ]);
  expect(sent.filter((frame) => frame.includes('mutation'))).toEqual([]);
});

test('a problem inside a choice, which only the server finds, is shown at its field', async () => {
  const { page } = await site.open('/create/createImage');
  const before = site.app.sandbox?.activity.count('/v1/images/generations');
  const size = page
    .locator('fieldset')
    .filter({ has: page.getByLabel('Size', { exact: false }) })
    .last();
  await size.locator('select').first().selectOption('pixels');
  for (const label of ['Width', 'Height']) await size.getByLabel(label).fill('100');
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.getByText('Nothing was sent.').waitFor();
  const readProblems = () => size.locator('.problem').allInnerTexts();
  await expect.poll(async () => (await readProblems()).length).toBe(2);
  // What is mended is a problem no longer, and the focus stays where its user types.
  await size.getByLabel('Width').fill('1024');
  await expect.poll(async () => (await readProblems()).length).toBe(1);
  expect(await page.evaluate('document.activeElement.value')).toBe('1024');
  // A form without its choice.
  await page.locator('form select').first().selectOption('');
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.getByText('Choose one.').first().waitFor();
  expect(site.app.sandbox?.activity.count('/v1/images/generations')).toBe(before);
});

const queuedImages = '{ generations(filter: { kinds: [QUEUED_IMAGE] }) { edges { node { id } } } }';

test('a double click makes one, also if the first click is answered before the second, and so does a held key', async () => {
  const list = async () =>
    (await site.api.run<{ generations: { edges: readonly object[] } }, object>(queuedImages)).data
      ?.generations;
  const before = (await list())?.edges ?? [];
  const { page } = await site.open('/create/queueImage');
  const button = page.getByRole('button', { name: 'Make it' });
  await button.click();
  await page.locator('.card').waitFor();
  await button.and(page.locator('[aria-disabled=false]')).hover();
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await page.locator('.card .SUCCEEDED').waitFor();
  // A key that is held is pressed once. The button keeps the focus.
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
  const link = page.locator('.card h3 a');
  const made = await link.getAttribute('href');
  await page.locator('form summary').first().click();
  await page.locator('form input').first().press('ArrowRight');
  await page.keyboard.down('Enter');
  await expect.poll(() => link.getAttribute('href')).not.toBe(made);
  await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await page.locator('.card .SUCCEEDED').waitFor();
  await page.getByRole('link', { name: 'Gallery' }).click();
  await page.getByLabel('kind').selectOption('Queued picture');
  await page.locator('.card').first().waitFor();
  expect((await list())?.edges).toHaveLength(before.length + 2);
});

test('a refusal of the gateway was sent, and the page does not deny it', async () => {
  const { page } = await site.open('/create/queueImage');
  await page.getByLabel('Prompt').fill('fault:refused');
  await page.getByRole('button', { name: 'Make it' }).click();
  const refusal = page.getByRole('alert');
  await refusal.getByText('GATEWAY_ERROR').waitFor();
  expect(await refusal.innerText()).toContain('This try was not charged. Change the input.');
  // A failure is told once.
  await page.getByLabel('Prompt').fill('fault:failed');
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.locator('.card .FAILED[role=status]').waitFor();
  expect(await page.getByText('The model ran out of memory').count()).toBe(1);
  // So is a task that cannot be read, on its page.
  await page.getByLabel('Prompt').fill('fault:refused-read');
  await page.getByRole('button', { name: 'Make it' }).click();
  await page
    .locator('.card', { has: page.locator('progress') })
    .getByRole('link')
    .click();
  await page.getByRole('alert').getByText('its state cannot be read now').waitFor();
});

test.each([
  ['createSong', 'audio'],
  ['createVideo', 'video'],
])('what %s makes plays in the page', async (field, kind) => {
  const { page, complaints } = await site.open('/create');
  await make(page, field);
  const medium = page.locator(`.card ${kind}`).first();
  await medium.waitFor();
  await medium.evaluate(async (element: HTMLMediaElement) => {
    element.muted = true;
    await element.play();
  });
  const readTime = () => medium.evaluate((element: HTMLMediaElement) => element.currentTime);
  await expect.poll(readTime, { interval: 50 }).toBeGreaterThan(0.3);
  expect(complaints).toEqual([]);
});

test('an animation is shown as the picture that it is', async () => {
  const { page } = await site.open('/create');
  await make(page, 'createAnimation');
  const readWidth = (image: HTMLImageElement) => image.naturalWidth;
  await expect.poll(() => page.locator('.card img').first().evaluate(readWidth)).toBeGreaterThan(0);
});

import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { apiAt } from '../support/app.ts';
import { createFolder } from '../support/files.ts';
import { openPage, say, startPlayground, usePlayground, waitForCount } from '../support/playground.ts';
import { pngOf } from '../support/png.ts';

const site = usePlayground();
const png = { name: 'mine.png', mimeType: 'image/png', buffer: pngOf('mine') };

async function openParameters(page: Page): Promise<void> {
  await page.getByText('Model and parameters').click();
  await page.locator('.composer summary').nth(1).click();
}

/** Holds the next upload. @returns a function that waits for it, and one that lets it go on */
async function holdUpload(page: Page) {
  const sent = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await page.route(/./, async (route) => {
    if (route.request().method() === 'PUT') {
      sent.resolve();
      await held.promise;
    }
    await route.continue();
  });
  return { sent: sent.promise, release: held.resolve };
}

test('numbers with zeros behind the point are typed as they are, and sent, and what is no number is not left out', async () => {
  const { page } = await site.open('/');
  await openParameters(page);
  const penalty = page.getByLabel('Presence penalty');
  for (const typed of ['e', '1e']) {
    await penalty.pressSequentially(typed);
    await page.getByText('Not a number.').waitFor();
    await penalty.fill('');
    expect(await page.getByText('Not a number.').count()).toBe(0);
  }
  await page.getByLabel('Temperature').pressSequentially('1.05');
  await page.getByLabel('Top p').pressSequentially('0.05');
  await say(page, 'Say exactly: warm');
  await waitForCount(page);
  const { data } = await site.api.run('{ generations(first: 1) { edges { node { input } } } }');
  expect(data).toMatchObject({
    generations: { edges: [{ node: { input: { temperature: 1.05, top_p: 0.05 } } }] },
  });
});

test('what is typed stays while an image is uploaded, and when another view is opened', async () => {
  const app = await startPlayground({ FILES: 'folder', FILES_DIR: await createFolder() });
  onTestFinished(() => app.close());
  const { page } = await openPage(site.browser, `${app.url}/create/createReferenceVideo`);
  const source = page.locator('.field', { has: page.getByLabel('Upload an image') }).first();
  const first = await holdUpload(page);
  await source.getByLabel('Upload an image').setInputFiles(png);
  await first.sent;
  await page.getByLabel('Prompt').fill('A lighthouse at night');
  first.release();
  await expect.poll(() => source.locator('input:not([type=file])').inputValue()).toMatch(/^upload_/);
  expect(await page.getByLabel('Prompt').inputValue()).toBe('A lighthouse at night');

  await page.getByRole('link', { name: 'Chat', exact: true }).click();
  await page.goBack();
  expect(await page.getByLabel('Prompt').inputValue()).toBe('A lighthouse at night');
  await page.goForward();
  await page.getByText('Model and parameters').click();
  const second = await holdUpload(page);
  await page.getByLabel('Upload an image').first().setInputFiles(png);
  await second.sent;
  const message = page.getByRole('textbox', { name: 'Message', exact: true });
  await message.fill('What is this?');
  second.release();
  await expect.poll(() => page.getByLabel('Addresses of images').inputValue()).toMatch(/^upload_/);
  expect(await message.inputValue()).toBe('What is this?');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await waitForCount(page);
  expect(await page.locator('.prompt').innerText()).toMatch(/^What is this\?\s+Image upload_[\w-]+$/);

  // Another browser knows it from the record.
  const { page: other } = await openPage(site.browser, page.url());
  await other.getByRole('button', { name: 'Another answer' }).click();
  await other.getByText('2 of 2').waitFor();
  await waitForCount(other);
  expect(await other.locator('.prompt').innerText()).toMatch(/Image upload_/);
  const { data } = await apiAt(`${app.url}/graphql`).run(
    '{ generations(first: 1) { edges { node { input } } } }',
  );
  expect(JSON.stringify(data)).toContain('image_url');

  await page
    .getByLabel('Upload an image')
    .first()
    .setInputFiles({ ...png, mimeType: 'text/plain' });
  await expect.poll(() => page.locator('.composer output').first().innerText()).toMatch(/contentType|type/i);
  await page
    .getByLabel('Upload an image')
    .first()
    .setInputFiles({ ...png, buffer: Buffer.from('words') });
  await page.getByText('This file was not taken. The file is not of its declared type').waitFor();
  // The same file can be chosen again.
  page.once('filechooser', () => {});
  await page.getByLabel('Upload an image').first().click();
  expect(await page.getByLabel('Upload an image').first().inputValue()).toBe('');
});

test('an upload that is canceled, or that another file replaces, fills in nothing', async () => {
  const app = await startPlayground({ FILES: 'folder', FILES_DIR: await createFolder() });
  onTestFinished(() => app.close());
  const { page } = await openPage(site.browser, `${app.url}/create/createReferenceVideo`);
  const source = page.locator('.field', { has: page.getByLabel('Upload an image') }).first();
  const sent: string[] = [];
  const failed: string[] = [];
  page.on('requestfailed', (request) => failed.push(request.method()));
  // The first two never arrive.
  await page.route(/\/files\/upload_/, (route) => void sent.push(route.request().url()), { times: 2 });
  const choose = () => source.getByLabel('Upload an image').setInputFiles(png);
  await choose();
  await expect.poll(() => sent.length).toBe(1);
  expect(await source.locator('output').innerText()).toBe('Uploading…');
  await source.getByRole('button', { name: 'Cancel the upload' }).click();
  await expect.poll(() => failed).toEqual(['PUT']);
  expect(await source.locator('output').innerText()).toBe('');
  await choose();
  await expect.poll(() => sent.length).toBe(2);
  await choose();
  await expect.poll(() => source.locator('input:not([type=file])').inputValue()).toMatch(/^upload_/);
  expect(failed).toEqual(['PUT', 'PUT']);
  expect(await source.locator('output').innerText()).toBe('');
});

test('an item of a list that is removed takes its JSON with it', async () => {
  const { page } = await site.open('/');
  await openParameters(page);
  const tools = page.locator('.composer fieldset', { has: page.locator('legend', { hasText: /^Tools$/ }) });
  for (const [index, name] of ['one', 'two'].entries()) {
    await tools.getByRole('button', { name: 'Add tools' }).click();
    await tools.getByLabel('Name').nth(index).fill(name);
    for (const more of await tools.locator('details').all())
      await more.evaluate((element: HTMLDetailsElement) => (element.open = true));
    await tools.getByLabel('Parameters').nth(index).fill(`{"type": "object", "title": "${name}"}`);
  }
  await tools.getByRole('button', { name: 'Remove' }).first().click();
  expect(await tools.getByLabel('Name').inputValue()).toBe('two');
  expect(await tools.getByLabel('Parameters').inputValue()).toContain('two');
});

test('a request that is tried again is the one that failed, whatever was typed since', async () => {
  const { page, context } = await site.open('/usage');
  const lost: string[] = [];
  await context.routeWebSocket(/graphql/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((text) => {
      const { type, id } = JSON.parse(String(text)) as { type: string; id: string };
      const isLost = lost.includes(id);
      if (isLost && type === 'next')
        socket.send(JSON.stringify({ type: 'error', id, payload: [{ message: 'lost' }] }));
      if (!isLost) socket.send(text);
    });
    socket.onMessage((text) => {
      const { id } = JSON.parse(String(text)) as { id: string };
      if (lost.length === 0 && String(text).includes('mutation Create')) lost.push(id);
      server.send(text);
    });
  });
  await page.goto(`${site.app.url}/create/createImage`);
  const before = site.app.sandbox?.activity.count('/v1/images/generations') ?? 0;
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.getByText('the same request is never charged twice').waitFor();
  await page.getByLabel('Prompt').fill('Something else');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('.card .SUCCEEDED').waitFor();
  expect(site.app.sandbox?.activity.count('/v1/images/generations')).toBe(before + 1);
});

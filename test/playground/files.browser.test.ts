import { expect, onTestFinished, test } from 'vitest';
import type { App } from '../../src/app.ts';
import { apiAt } from '../support/app.ts';
import { hasBrowser, launchBrowser, skipWithoutBrowser } from '../support/browser.ts';
import { createFolder, createImage, settledAssets } from '../support/files.ts';
import { openPage, startPlayground } from '../support/playground.ts';
import { pngOf } from '../support/png.ts';
import { createRecords } from '../support/records.ts';
import { startS3 } from '../support/s3.ts';

test('yesterday’s gallery is whole when the sandbox has lost its files, and its images are inputs', async (context) => {
  skipWithoutBrowser(context);
  if (!hasBrowser) return;
  const records = await createRecords('SQLite');
  const env = { ...records.env, FILES: 'folder', FILES_DIR: await createFolder() };
  const start = async (): Promise<App> => {
    const app = await startPlayground(env);
    onTestFinished(() => app.close());
    return app;
  };
  const first = await start();
  const api = apiAt(`${first.url}/graphql`);
  const id = await createImage(api);
  await settledAssets(api, id);
  await first.close();
  await records.query('update generations set created_at = created_at - 86400000');

  // Its sandbox knows no file of the first.
  const { url } = await start();
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  // A host of this server that is not the one of its own address, as people type it.
  const typed = url.replace('127.0.0.1', 'localhost');
  const { page, complaints } = await openPage(browser, `${typed}/gallery`);
  page.setDefaultTimeout(20_000);
  const image = page.getByRole('region', { name: 'Yesterday' }).locator('.card img');
  const widthOf = () => image.evaluate((element: HTMLImageElement) => element.naturalWidth);
  await expect.poll(widthOf).toBeGreaterThan(0);
  expect(await image.getAttribute('src')).toContain(`${url}/files/`);

  await page.locator('.card h3 a').click();
  await page.getByRole('button', { name: 'Use as input' }).click();
  // The example of the form has images.
  const source = page.locator('.field', { has: page.getByLabel('Upload an image') }).first();
  await source.getByRole('button', { name: 'Use the chosen image' }).click();
  expect(await source.locator('input:not([type=file])').inputValue()).toBe(`${id}.0`);
  await page
    .getByLabel('Upload an image')
    .first()
    .setInputFiles({ name: 'mine.png', mimeType: 'image/png', buffer: pngOf('mine') });
  await expect
    .poll(() => source.locator('input:not([type=file])').inputValue())
    .toMatch(/^upload_[\w-]{20}$/);
  expect(complaints.filter((complaint) => !complaint.startsWith(`request to ${typed}/`))).toEqual([]);
  const text = { name: 'text.png', mimeType: 'image/png', buffer: Buffer.from('no picture') };
  await page.getByLabel('Upload an image').first().setInputFiles(text);
  await expect
    .poll(() => source.locator('output.problem').innerText())
    .toBe('This file was not taken. The file is not of its declared type. Send a file of that type.');
});

test('an upload goes to the store itself, if its addresses are the store’s', async (context) => {
  skipWithoutBrowser(context);
  const s3 = await startS3();
  const env = { ...s3.env, FILES_ADDRESSES: 'store', DATA_DIR: await createFolder() };
  const app = await startPlayground(env);
  onTestFinished(() => app.close());
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const { page, complaints } = await openPage(browser, `${app.url}/create/createReferenceVideo`);
  const uploads: string[] = [];
  page.on('response', (response) => {
    if (response.request().method() === 'PUT') uploads.push(new URL(response.url()).origin);
  });
  const source = page.locator('.field', { has: page.getByLabel('Upload an image') }).first();
  await source
    .getByLabel('Upload an image')
    .first()
    .setInputFiles({ name: 'mine.png', mimeType: 'image/png', buffer: pngOf('mine') });
  await expect
    .poll(() => source.locator('input:not([type=file])').inputValue())
    .toMatch(/^upload_[\w-]{20}$/);
  expect(uploads).toEqual([s3.url]);
  // A picture can be dropped in the field, and pasted in a message.
  await source.evaluate(giveImage, 'drop');
  await expect.poll(() => uploads.length).toBe(2);
  await page.getByRole('link', { name: 'Chat', exact: true }).click();
  await page.getByText('Model and parameters').waitFor();
  await page.getByLabel('Upload an image').waitFor({ state: 'attached' });
  await page.getByRole('textbox', { name: 'Message', exact: true }).evaluate(giveImage, 'paste');
  await expect.poll(() => page.getByLabel('Addresses of images').inputValue()).toMatch(/^upload_[\w-]{20}$/);
  expect(await page.getByLabel('Addresses of images').isVisible()).toBe(true);
  // The next message has no image.
  const file = page.getByLabel('Upload an image');
  await file.setInputFiles({ name: 'mine.png', mimeType: 'image/png', buffer: pngOf('mine') });
  await expect.poll(() => uploads.length).toBe(4);
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('What is in the picture?');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect.poll(() => page.getByLabel('Addresses of images').inputValue()).toBe('');
  await expect.poll(() => file.inputValue()).toBe('');
  expect(complaints).toEqual([]);
});

/** Drops or pastes a picture in an element, as a browser does. */
function giveImage(element: Element, type: string): void {
  const data = new DataTransfer();
  data.items.add(new File(['picture'], 'mine.png', { type: 'image/png' }));
  const options = { bubbles: true, cancelable: true };
  const event =
    type === 'paste'
      ? new ClipboardEvent(type, { ...options, clipboardData: data })
      : new DragEvent(type, { ...options, dataTransfer: data });
  element.dispatchEvent(event);
}

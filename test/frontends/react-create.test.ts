import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { skipWithoutBrowser } from '../support/browser.ts';
import { skipWithoutFrameworks } from './support/frameworks.ts';
import { startSite } from './support/site.ts';
import { useTabs } from './support/tabs.ts';

const open = useTabs();

beforeEach((context) => {
  skipWithoutBrowser(context);
  skipWithoutFrameworks(context);
});

async function openForm(): Promise<{ readonly tab: Page; readonly creates: readonly string[] }> {
  const site = await startSite({ page: 'pages/react-create.tsx' });
  const { page: tab } = await open('about:blank');
  const creates: string[] = [];
  tab.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      if (String(payload).includes('mutation Create(')) creates.push(String(payload));
    }),
  );
  await tab.goto(site.url);
  return { tab, creates };
}

async function send(tab: Page, text: string): Promise<void> {
  await tab.getByLabel('Text').fill(text);
  await tab.getByRole('button', { name: 'Create' }).click();
}

test('useCreate in the action of a form sends a request that is refused once', async () => {
  const { tab, creates } = await openForm();
  await send(tab, '');
  await expect.poll(() => tab.locator('output').textContent()).toBe('FAILED');
  expect(creates).toHaveLength(1);
});

test('useCreate says SUBMITTED where nothing tells the end', async () => {
  const { tab } = await openForm();
  await send(tab, 'Hello');
  await expect.poll(() => tab.locator('output').textContent()).toBe('SUBMITTED');
});

test('useCreate takes an end that only a newer server knows for no success', async () => {
  const { tab } = await openForm();
  await tab.routeWebSocket(/./, (page) => {
    const server = page.connectToServer();
    server.onMessage((message) => page.send(String(message).replace('"SUBMITTED"', '"SET_ASIDE"')));
  });
  await tab.reload();
  await send(tab, 'Hello');
  await expect.poll(() => tab.locator('output').textContent()).toBe('SUBMITTED');
});

test('useUpload shows nothing of another client', async () => {
  const { tab } = await openForm();
  const shown = () => tab.locator('p').textContent();
  // The server keeps no files.
  await tab.getByRole('button', { name: 'Upload' }).click();
  await expect.poll(shown).toMatch(/^Upload(?!UPLOADING|NONE)/);
  await tab.getByRole('button', { name: 'Sign in' }).click();
  await expect.poll(shown).toBe('UploadNONE');
});

test('useCreate shows nothing of another client', async () => {
  const { tab } = await openForm();
  await send(tab, 'Hello');
  await expect.poll(() => tab.locator('output').textContent()).toBe('SUBMITTED');
  await tab.getByRole('button', { name: 'Sign in' }).click();
  await expect.poll(() => tab.locator('output').textContent()).toBe('IDLE');
});

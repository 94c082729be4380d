import { beforeEach, expect, test } from 'vitest';
import { skipWithoutBrowser } from '../support/browser.ts';
import { skipWithoutFrameworks } from './support/frameworks.ts';
import { readRecordedChats } from './support/recorded-chats.ts';
import { startSite } from './support/site.ts';
import { useTabs } from './support/tabs.ts';

const open = useTabs();

beforeEach((context) => {
  skipWithoutBrowser(context);
  skipWithoutFrameworks(context);
});

test('a reply of useChat goes on while another conversation is shown, and while none is', async () => {
  const site = await startSite({
    page: 'pages/ai-sdk-conversations.tsx',
    sandbox: { tokensPerSecond: 60 },
  });
  const { page: tab, errors } = await open(site.url);
  const show = (name: string) => tab.getByRole('button', { name, exact: true }).click();
  const reply = tab.getByRole('article', { name: 'assistant', exact: true }).locator('p');
  await show('one');
  await tab.getByLabel('Message').fill('count to 200');
  await tab.getByRole('button', { name: 'Send' }).click();
  await reply.getByText(/\b5\b/).waitFor();
  await show('two');
  await expect.poll(() => reply.count()).toBe(0);
  await show('one');
  await reply.getByText(/\b20\b/).waitFor();
  await show('none');
  await expect.poll(() => tab.getByLabel('Message').count()).toBe(0);
  await expect
    .poll(async () => (await readRecordedChats(site)).map(({ status }) => status))
    .toEqual(['SUCCEEDED']);
  const [chat] = await readRecordedChats(site);
  await show('one');
  await expect.poll(() => reply.textContent()).toBe(chat?.content);
  expect(chat?.content).toMatch(/\b200$/);
  expect(site.chatPosts).toBe(1);
  expect(errors).toEqual([]);
});

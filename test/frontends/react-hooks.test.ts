import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { skipWithoutBrowser } from '../support/browser.ts';
import { mint, signInBySecret } from '../support/sign-in.ts';
import { frontendRuns, skipWithoutFrameworks } from './support/frameworks.ts';
import { type Site, startSite } from './support/site.ts';
import { useTabs } from './support/tabs.ts';

const open = useTabs();

beforeEach((context) => {
  skipWithoutBrowser(context);
  skipWithoutFrameworks(context);
});

async function createSong({ api }: Site, description: string): Promise<string> {
  const { data } = await api.run<{ createSong: { id: string } }, object>(
    'mutation ($description: String!) { createSong(input: { description: $description, model: SONG_V5 }) { ... on Generation { id } } }',
    { description },
  );
  if (!data?.createSong.id) throw new Error('no song');
  return data.createSong.id;
}

async function createSongs(site: Site, count: number, name: string): Promise<readonly string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const size = Math.min(count - ids.length, 20);
    const names = Array.from({ length: size }, (_none, index) => `${name} ${ids.length + index}`);
    ids.push(...(await Promise.all(names.map((each) => createSong(site, each)))));
  }
  return ids;
}

async function createChats({ api }: Site, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  const create = async (): Promise<void> => {
    const { data } = await api.run<{ createChatCompletion: { id: string } }, object>(
      'mutation { createChatCompletion(input: { model: "gpt-4o", messages: [{ role: USER, content: { text: "say exactly: yes" } }] }) { ... on Generation { id } } }',
    );
    if (!data) throw new Error('no chat');
    ids.push(data.createChatCompletion.id);
  };
  while (ids.length < count)
    await Promise.all(Array.from({ length: Math.min(count - ids.length, 50) }, create));
  return ids;
}

type Listed = readonly (readonly [id: string | null, status: string | null])[];

/** All songs, as a fresh read has them. */
async function readSongs({ api }: Site): Promise<Listed> {
  interface List {
    readonly generations: {
      readonly edges: readonly { readonly node: { readonly id: string; readonly status: string } }[];
      readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
    };
  }
  const all: (readonly [string, string])[] = [];
  for (let after: string | null = null; ;) {
    const { data }: { data?: List | null } = await api.run<List, object>(
      'query ($after: String) { generations(first: 100, after: $after) { edges { node { id status } } pageInfo { endCursor hasNextPage } } }',
      { after },
    );
    all.push(...(data?.generations.edges.map(({ node }) => [node.id, node.status] as const) ?? []));
    if (!data?.generations.pageInfo.hasNextPage) return all;
    after = data.generations.pageInfo.endCursor;
  }
}

async function shownSongs(tab: Page): Promise<Listed> {
  return tab.evaluate(
    `[...document.querySelectorAll('li')].map(({ dataset }) => [dataset.id, dataset.status])`,
  );
}

/** The places where the page differs from the list as it is read. */
async function findDifference(site: Site, tab: Page, count?: number): Promise<readonly unknown[]> {
  const [shown, all] = await Promise.all([shownSongs(tab), readSongs(site)]);
  const fresh = all.slice(0, count);
  const length = Math.max(shown.length, fresh.length);
  const places = Array.from({ length }, (_none, index) => ({ shown: shown[index], fresh: fresh[index] }));
  return places.filter((place) => JSON.stringify(place.shown) !== JSON.stringify(place.fresh));
}

describe('useGallery', () => {
  test(
    'is the list as it is read, after it was offline while generations changed and vanished',
    { timeout: 600_000 },
    async () => {
      // Everything that is newer than the pages that were read is shown.
      const [changed, vanished] = frontendRuns > 1 ? [300, 20] : [40, 5];
      const site = await startSite({
        page: 'examples/react-gallery/main.tsx',
        sandbox: { taskSeconds: 0 },
        env: { TASK_FOLLOW_HOURS: '1', TASK_POLL_SECONDS: '0.05' },
      });
      const before = await createSongs(site, 45, 'before');
      const { page: tab, errors } = await open(site.url);
      await expect.poll(async () => (await shownSongs(tab)).length).toBe(20);
      await tab.getByRole('button', { name: 'More' }).click();
      await expect.poll(async () => (await shownSongs(tab)).length).toBe(40);
      site.network.refuse();
      const offlineAt = Date.now();
      await createSongs(site, changed, 'meanwhile');
      const gone = before.slice(-vanished);
      await site.api.run('mutation ($ids: [ID!]!) { deleteGenerations(ids: $ids) { deletedIds } }', {
        ids: gone,
      });
      if (frontendRuns > 1) await tab.waitForTimeout(Math.max(0, 60_000 - (Date.now() - offlineAt)));
      site.network.accept();
      await tab.evaluate('dispatchEvent(new Event("online"))');
      await expect
        .poll(() => findDifference(site, tab, changed + 40 - vanished), { interval: 500 })
        .toEqual([]);
      await tab.getByRole('button', { name: 'More' }).click();
      await expect.poll(() => findDifference(site, tab), { interval: 500 }).toEqual([]);
      // The browser reports refused connections.
      expect(errors.filter((error) => !error.includes('net::ERR_'))).toEqual([]);
    },
  );

  test(
    'reads the list again by itself, after it was offline for more changes than the server keeps',
    { timeout: 600_000 },
    async ({ skip }) => {
      skip(frontendRuns === 1, 'takes long: `npm run test:frontends`');
      const site = await startSite({
        page: 'pages/react-chats.tsx',
        sandbox: { tokensPerSecond: Number.POSITIVE_INFINITY },
      });
      const resets: string[] = [];
      const before = await createChats(site, 30);
      const { page: tab } = await open(site.url);
      tab.on('websocket', (socket) =>
        socket.on('framereceived', ({ payload }) => {
          if (String(payload).includes('"FeedReset"')) resets.push(String(payload));
        }),
      );
      await tab.reload();
      await expect.poll(async () => (await shownSongs(tab)).length).toBe(20);
      site.network.refuse();
      // Each is created, runs and ends.
      await createChats(site, 5500);
      await site.api.run('mutation ($ids: [ID!]!) { deleteGenerations(ids: $ids) { deletedIds } }', {
        ids: before.slice(-20),
      });
      site.network.accept();
      await tab.evaluate('dispatchEvent(new Event("online"))');
      await expect.poll(() => findDifference(site, tab, 20), { interval: 1000 }).toEqual([]);
      expect(resets).toHaveLength(1);
    },
  );

  test('shows a song as it is made, with its cover, the errors of a form, and an inline picture', async () => {
    const site = await startSite({
      page: 'examples/react-gallery/main.tsx',
      env: { TASK_FOLLOW_HOURS: '1', TASK_POLL_SECONDS: '0.05' },
    });
    const input = '{ byResolution: { model: "seedream-4", prompt: "A buoy", delivery: BASE64 } }';
    await site.api.run(`mutation { createImage(input: ${input}) { __typename } }`);
    const { page: tab } = await open(site.url);
    await tab.getByRole('button', { name: 'Create' }).click();
    await tab.locator('[role=alert]:not(:empty)').waitFor();
    await tab.locator('li > img[src^="data:image/"]').waitFor();
    await tab.getByLabel('Song').fill('A waltz');
    await tab.getByRole('button', { name: 'Create' }).dblclick();
    await tab.locator('li[data-status=SUCCEEDED] figure img').first().waitFor();
    // With the picture.
    expect((await readSongs(site)).length).toBe(2);
    expect(await tab.locator('figure').count()).toBe(2);
  });
});

test('a chat outlives its token several times without an error or a gap', { timeout: 300_000 }, async () => {
  // Together: a chat of 90 seconds whose tokens live 20.
  const [lifeSeconds, tokensPerSecond, count] = frontendRuns > 1 ? [20, 0.88, 10] : [2, 14, 1];
  const site = await startSite({
    page: 'pages/react-token.tsx',
    env: { ...signInBySecret, AUTH_CLOCK_TOLERANCE_SECONDS: '0' },
    sandbox: { tokensPerSecond },
  });
  const users = Array.from({ length: count }, (_none, index) => `user-${index}`);
  await Promise.all(
    users.map(async (user) => {
      const { page: tab, errors } = await open(site.url);
      let tokens = 0;
      await tab.route('**/token', async (route) => {
        tokens += 1;
        await route.fulfill({ body: await mint(user, { lifeSeconds }) });
      });
      await tab.getByRole('button', { name: 'Start' }).click();
      await tab.locator('article[data-status=completed]').waitFor({ timeout: 200_000 });
      expect(await tab.locator('.text').textContent()).toMatch(/^1\W+2\W.*\W39\W+40\b/s);
      expect(await tab.evaluate('faults')).toEqual([]);
      expect(tokens).toBeGreaterThan(2);
      expect(errors).toEqual([]);
    }),
  );
  expect(site.chatPosts).toBe(count);
});

describe('hooks', () => {
  test('a chat without an id is one generation when its component is shown again, also after its end', async () => {
    const site = await startSite({ page: 'pages/react-hooks.tsx' });
    const { page: tab, errors } = await open(site.url);
    const shown = tab.getByLabel('Shown');
    await tab.locator('article').getByText(/\b3\b/).waitFor();
    await shown.uncheck();
    await shown.check();
    await tab.locator('article[data-status=completed]').waitFor();
    const text = await tab.locator('article').textContent();
    await shown.uncheck();
    await shown.check();
    await tab.locator('article[data-status=completed]').waitFor();
    expect(await tab.locator('article').textContent()).toBe(text);
    await tab.reload();
    await tab.locator('article[data-status=completed]').waitFor();
    expect(await tab.locator('article').textContent()).toBe(text);
    expect(site.chatPosts).toBe(1);
    expect(errors).toEqual([]);
  });

  test('useCreate has the errors by field, and useGeneration follows what it made', async () => {
    const site = await startSite({ page: 'pages/react-hooks.tsx', env: { TASK_POLL_SECONDS: '0.05' } });
    const { page: tab } = await open(site.url);
    const song = tab.locator('section');
    await tab.getByRole('button', { name: 'Create' }).click();
    await tab.locator('[role=alert]:not(:empty)').waitFor();
    expect(await song.getAttribute('data-status')).toBe('FAILED');
    expect(await song.getAttribute('data-retry')).toBe('FIX_INPUT');
    await tab.getByLabel('Song').fill('A waltz');
    await tab.getByRole('button', { name: 'Create' }).click();
    await song.locator('output[data-status=SUCCEEDED]').waitFor();
    expect(await song.getAttribute('data-status')).toBe('SUCCEEDED');
    expect(await song.getByRole('alert').textContent()).toBe('');
    expect(await song.locator('output').textContent()).not.toBe('');
  });

  test('useGeneration reads again what it could not read, when its component is shown again', async () => {
    const site = await startSite({ page: 'pages/react-hooks.tsx', sandbox: { taskSeconds: 600 } });
    const { page: tab } = await open('about:blank');
    let refuse = (): void => {};
    await tab.routeWebSocket(/./, (page) => {
      page.connectToServer();
      refuse = () => void page.close({ code: 4403 });
    });
    await tab.goto(site.url);
    await tab.getByLabel('Song').fill('A waltz');
    await tab.getByRole('button', { name: 'Create' }).click();
    const output = tab.locator('output');
    await expect.poll(() => output.getAttribute('data-status')).toBe('QUEUED');
    refuse();
    await expect.poll(() => output.getAttribute('data-error')).toBe('CONNECTION_FAILED');
    await tab.getByLabel('Shown').uncheck();
    await tab.getByLabel('Shown').check();
    await expect.poll(() => output.getAttribute('data-error')).toBe(null);
  });
});

import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { apiAt } from '../support/app.ts';
import { createDirectory } from '../support/durable-server.ts';
import { openPage, startPlayground, usePlayground } from '../support/playground.ts';
import { findPort } from '../support/find-port.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

const site = usePlayground();

const createSpeech = `mutation ($text: String!) {
  createSpeech(input: { text: $text, voice: { id: "en-us-ava" } }) {
    ... on Generation { id }
    ... on GengraphError { message }
  }
}`;

const readFailure =
  '"readFailure":{"code":"GATEWAY_ERROR","message":"Away.","retry":"LATER","retryAfterSeconds":null}';

function titles(page: Page): Promise<readonly string[]> {
  return page.locator('.card h3').allInnerTexts();
}

async function speak(url: string, text: string): Promise<string> {
  const { data } = await apiAt(url).run<{ createSpeech: { id: string } }, { text: string }>(createSpeech, {
    text,
  });
  expect(data).toMatchObject({ createSpeech: { id: expect.any(String) as string } });
  return data?.createSpeech.id ?? '';
}

test('two tabs show the same, and one that was offline meanwhile catches up', async () => {
  const proxy = await startTcpProxy(site.app.url);
  const [{ page: near, complaints }, { page: far }] = [
    await site.open('/gallery'),
    await openPage(site.browser, new URL('/gallery', proxy.url).href),
  ];
  const first = await speak(site.api.url, 'The first one.');
  await expect.poll(() => titles(near)).toEqual(['The first one.']);
  await expect.poll(() => titles(far)).toEqual(['The first one.']);
  proxy.refuse();
  await far.getByText('Reconnecting…').waitFor();
  await speak(site.api.url, 'The second one.');
  await near.goto(`${site.app.url}/g/${first}`);
  // A visitor who does not confirm keeps it.
  const answers = ['dismiss', 'accept'] as const;
  for (const answer of answers) {
    near.once('dialog', (dialog) => void dialog[answer]());
    await expect.poll(() => titles(near)).toEqual(['The first one.']);
    await near.getByRole('button', { name: 'Delete' }).click();
  }
  await expect.poll(() => titles(near)).toEqual(['The second one.']);
  expect(await titles(far)).toEqual(['The first one.']);
  proxy.accept();
  await expect.poll(() => titles(far)).toEqual(['The second one.']);
  // By kind and by collection.
  await near.getByLabel('kind').selectOption('SONG');
  await near.getByText('Nothing matches this filter.').waitFor();
  expect(complaints).toEqual([]);
});

test('after a restart of the server, the list is there and its media load', async () => {
  const env = {
    PORT: String(await findPort()),
    SANDBOX_PORT: String(await findPort()),
    DATA_DIR: await createDirectory(),
    SANDBOX_TASK_SECONDS: '2',
  };
  const first = await startPlayground(env);
  const { page, context } = await openPage(site.browser, `${first.url}/usage`);
  await context.routeWebSocket(/graphql/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => socket.send(String(message).replace('"readFailure":null', readFailure)));
  });
  await page.goto(`${first.url}/create/createImage`);
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.locator('.card img').first().waitFor();
  await page.getByRole('link', { name: 'Video', exact: true }).click();
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.locator('.card progress').waitFor();
  await page.getByRole('link', { name: 'Gallery' }).click();
  // The progress moves while the task runs.
  const shown = new Set<string>();
  // The gateway does not answer, and the state that is shown is the last one.
  const unexplained: string[] = [];
  await expect
    .poll(
      async () => {
        const text = await page.locator('.card').first().innerText();
        shown.add(/\d+ %/.exec(text)?.[0] ?? '');
        if (text.includes('%') && !text.includes('cannot be read now. Away.')) unexplained.push(text);
        return text;
      },
      { interval: 20 },
    )
    .toMatch(/succeeded/);
  expect(unexplained).toEqual([]);
  expect(await page.locator('.card').first().innerText()).not.toContain('Away.');
  expect(shown.size).toBeGreaterThan(2);
  await first.close();
  await page.getByText('Reconnecting…').waitFor();
  const second = await startPlayground(env);
  onTestFinished(() => second.close());
  await page.reload();
  const image = page.locator('.card img').first();
  await expect
    .poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth))
    .toBeGreaterThan(0);
  await speak(`${second.url}/graphql`, 'After the restart.');
  await expect.poll(() => titles(page)).toContain('After the restart.');
});

test('a song of yesterday is found by its day and its kind, and plays', async () => {
  const { page: maker } = await site.open('/create/createSong');
  const videos: string[] = [];
  maker.on('request', (request) => void (request.url().endsWith('.mp4') && videos.push(request.url())));
  await maker.getByRole('button', { name: 'Make it' }).click();
  await maker.locator('.card .SUCCEEDED').waitFor();
  await maker.getByRole('link', { name: 'Gallery' }).click();
  const today = maker.getByRole('region', { name: 'Today' });
  await today.locator('audio').first().waitFor();
  // The video of a song is loaded when it is opened. Before that, it would delay the pictures of the page.
  expect(videos).toEqual([]);
  await today.getByText('Video', { exact: true }).first().click();
  await expect.poll(() => videos.length).toBeGreaterThan(0);
  expect(await maker.getByRole('region', { name: 'Yesterday' }).count()).toBe(0);
  const { page, complaints } = await site.open('/usage');
  await page.clock.setSystemTime(Date.now() + 24 * 3_600_000);
  await page.getByRole('link', { name: 'Gallery' }).click();
  await page.getByLabel('kind').selectOption('SONG');
  const song = page
    .getByRole('region', { name: 'Yesterday' })
    .locator('.card', { has: page.locator('audio') });
  const readTime = () => song.locator('audio').first().evaluate(playAndReadTime);
  await expect.poll(readTime, { interval: 50 }).toBeGreaterThan(0.1);
  // Its card shows the player.
  const bottoms = song.locator(':is(.stage, audio)').evaluateAll(readBottoms);
  expect((await bottoms).toSorted((one, other) => one - other)).toEqual((await bottoms).toReversed());
  expect(await page.locator('section[aria-label] h2').allInnerTexts()).toEqual(['Yesterday']);
  expect(complaints).toEqual([]);
});

function readBottoms(elements: readonly Element[]): readonly number[] {
  return elements.map((element) => element.getBoundingClientRect().bottom);
}

async function playAndReadTime(medium: HTMLMediaElement): Promise<number> {
  medium.muted = true;
  await medium.play();
  return medium.currentTime;
}

test('a generation has an address of its own, with its input, its cost and its text', async () => {
  const { page, complaints } = await site.open('/create/generateContent');
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.locator('.card .markdown p').first().waitFor();
  const href = await page.locator('.card h3 a').getAttribute('href');
  const { page: other } = await site.open(String(href));
  await other.locator('.card .markdown p').first().waitFor();
  await other.getByText(/^\d+ tokens$/).waitFor();
  expect(await other.locator('dl pre').innerText()).toContain('"contents"');
  const { page: gone } = await site.open('/g/generation_unknown');
  await gone.getByText('There is no generation with this id.').first().waitFor();
  expect(complaints).toEqual([]);
});

test('a picture that the gateway sent inline is shown in the list', async () => {
  const { page } = await site.open('/usage');
  const input = '{ byResolution: { model: "seedream-4", prompt: "An inline buoy", delivery: BASE64 } }';
  await site.api.run(`mutation { createImage(input: ${input}) { __typename } }`);
  await page.goto(`${site.app.url}/gallery`);
  const image = page.getByRole('img', { name: 'An inline buoy', exact: true });
  await expect
    .poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth))
    .toBeGreaterThan(0);
  // The way back leads to the same place of the list.
  await page.setViewportSize({ width: 400, height: 300 });
  await page.evaluate('scrollTo(0, 200)');
  await page
    .locator('.card h3 a')
    .first()
    .evaluate((link: HTMLElement) => link.click());
  await page.getByText('Input, as it was sent').waitFor();
  await page.goBack();
  await expect.poll(() => page.evaluate('scrollY')).toBe(200);
});

test('an address of a file that has expired is read again, and what was started goes on', async () => {
  const { page, context } = await site.open('/usage');
  const id = await speak(site.api.url, 'The third one.');
  const readUrl = async (): Promise<string> => {
    const query = 'query ($id: ID!) { generation(by: { id: $id }) { assets { url } } }';
    const { data } = await site.api.run<{ generation: { assets: { url: string }[] } }, object>(query, { id });
    return data?.generation.assets[0]?.url ?? '';
  };
  await expect.poll(readUrl).not.toBe('');
  const url = await readUrl();
  const questions: string[] = [];
  await context.routeWebSocket(/graphql/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      if (String(message).includes('query Generation(')) questions.push(String(message));
      server.send(message);
    });
    // The list has an address that no longer works.
    server.onMessage((message) => {
      const text = String(message);
      const isList = text.includes('"generations"') || text.includes('"generationChanged"');
      socket.send(isList ? text.replaceAll(url, `${site.app.url}/playground/gone.wav`) : text);
    });
  });
  await page.goto(`${site.app.url}/gallery`);
  const audio = page.locator('.card', { hasText: 'The third one.' }).locator('audio');
  await audio.waitFor();
  expect(await audio.getAttribute('src')).toContain('gone.wav');
  expect(questions).toEqual([]);
  await audio.evaluate((element: HTMLMediaElement) => {
    element.muted = true;
    void element.play().catch(() => {});
  });
  await expect.poll(() => audio.getAttribute('src')).toBe(url);
  const readTime = () => audio.evaluate((element: HTMLMediaElement) => element.currentTime);
  await expect.poll(readTime, { interval: 50 }).toBeGreaterThan(0.1);
  expect(questions).toHaveLength(1);
});

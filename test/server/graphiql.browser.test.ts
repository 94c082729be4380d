import { resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import type { EditorTab } from '../../src/server/pages/graphiql/graphiql-storage.ts';
import { operations } from '../support/api-schema.ts';
import { startApp } from '../support/app.ts';
import {
  type Editor,
  hasBrowser,
  launchBrowser,
  openEditor,
  skipWithoutBrowser,
} from '../support/browser.ts';
import { bearer, mint, secret, signInBySecret } from '../support/sign-in.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

/** Of a server with its own sandbox. */
const settings = {
  PORT: '0',
  SANDBOX_PORT: '0',
  SANDBOX_TOKENS_PER_SECOND: '100',
  SANDBOX_TASK_SECONDS: '0.5',
  TASK_POLL_SECONDS: '0.1',
  LOG_LEVEL: 'silent',
  DATA_DIR: ':memory:',
  SHUTDOWN_SECONDS: '1',
} as const;
const artifacts = resolve(import.meta.dirname, '../artifacts');

describe('GraphiQL in a browser without internet', () => {
  const resources = new AsyncDisposableStack();
  let app: App;
  let browser: Browser;
  let editor: Editor;
  beforeAll(async () => {
    if (!hasBrowser) return;
    app = await createApp(loadConfig(settings));
    resources.defer(() => app.close());
    browser = await launchBrowser();
    resources.defer(() => browser.close());
    editor = await openEditor({ browser, url: `${app.url}/graphql`, mediaOrigin: mediaOrigin(app) });
  });
  afterAll(() => resources.disposeAsync());
  beforeEach(skipWithoutBrowser);
  afterEach(() => {
    if (hasBrowser && editor.complaints.length > 0)
      throw new Error(`In the browser: ${editor.complaints.join('; ')}`);
  });

  test('transfers at most 1.95 MB in eleven requests at a first visit, with the workers of the editor', async () => {
    // The document, three fonts, style sheet, script, schema, three workers, and the font of icons. Two workers are of one file.
    const readSizes = () =>
      editor.page.evaluate<Readonly<Record<string, number>>>(
        `Object.fromEntries(performance.getEntries().flatMap(({ name, initiatorType, encodedBodySize }) =>
          encodedBodySize ? [[initiatorType + ' ' + name, encodedBodySize]] : []))`,
      );
    await expect.poll(async () => Object.keys(await readSizes()).length, { interval: 30 }).toBe(11);
    const sizes = Object.values(await readSizes());
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_950_000);
  });

  test('opens with five tabs and their credential, and has all other operations one click away, by capability', async () => {
    expect(await editor.tabTitles()).toEqual([
      'StreamChat',
      'StreamImages',
      'Generations',
      'RefusedInput',
      'Voices',
    ]);
    expect(await editor.read('Query')).toContain('subscription StreamChat(');
    // Visible without a click.
    expect(await editor.read('Variables')).toContain('Tell me a long story');
    await editor.waitFor('Headers', /"Authorization": "Bearer sk-sandbox"/);
    await editor.openTab('CreateAccessToken');
    const headers = await editor.waitFor('Headers', /sandbox-system/);
    expect(headers).toContain('"Authorization": "sandbox-system"');
    expect(headers).toContain('"new-api-user": "1"');
    const groups = editor.page.locator('#operations section');
    const offered = await groups.locator('button b').allTextContents();
    const usual = operations.filter(({ setting }) => setting === undefined);
    expect(offered.length).toBe(usual.length + 1);
    expect(await groups.locator('h2').allTextContents()).toEqual(
      expect.arrayContaining(['Chat', 'Image queue', 'Music', 'Video', 'Generations and tasks']),
    );
  });

  test('finds an operation by keyboard, opens it once, and says what its id needs first', async () => {
    const { page } = editor;
    const menu = page.getByRole('button', { name: 'All operations' });
    for (const _time of [1, 2]) {
      await menu.press('Enter');
      await page.keyboard.type('follows image STREAM');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.locator('.graphiql-tab-active', { hasText: 'ImageEvents' }).waitFor();
      await page.locator('.graphiql-query-editor :focus').waitFor({ state: 'attached' });
    }
    expect((await editor.tabTitles()).filter((title) => title === 'ImageEvents')).toHaveLength(1);
    const hint = page.getByRole('status');
    await expect.poll(() => hint.innerText(), { interval: 30 }).toContain('First play StreamImages.');
    await menu.click();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('#operations').isVisible()).toBe(false);
    await hint.getByRole('button', { name: 'Open StreamImages' }).click();
    await page.locator('.graphiql-tab-active', { hasText: 'StreamImages' }).waitFor();
    await expect.poll(() => hint.innerText(), { interval: 30 }).toBe('');
  });

  test('shows each picture of a stream when it arrives, and then fills its id in', async () => {
    const { page } = editor;
    await editor.openTab('StreamImages');
    await editor.play();
    const completed = await editor.waitFor('Result', /"ImageCompleted"/);
    const [id = ''] = /generation_[\w-]+/.exec(completed) ?? [];
    await expect.poll(() => page.locator('#media img').count(), { interval: 30 }).toBe(4);
    const first = page.locator('#media img').first();
    const readWidth = () => first.evaluate((image: HTMLImageElement) => image.naturalWidth);
    await expect.poll(readWidth, { interval: 30 }).toBeGreaterThan(0);
    await page.screenshot({ path: `${artifacts}/graphiql-pictures.png` });
    await editor.openTab('ImageEvents');
    await editor.waitFor('Variables', new RegExp(id));
    expect(await page.getByRole('status').innerText()).toBe('');
  });

  test('follows speech from its create to its end by one click, and plays it', async () => {
    const { page } = editor;
    await editor.openTab('CreateSpeech');
    await editor.play();
    await page.getByRole('button', { name: 'Follow this task to its end' }).click();
    await editor.waitFor('Result', /"status": "SUCCEEDED"/);
    expect(await page.locator('.graphiql-tab-active').innerText()).toBe('TaskProgress');
    const audio = page.locator('#media audio').first();
    await audio.evaluate((element: HTMLAudioElement) => {
      element.muted = true;
      return element.play();
    });
    const readTime = () => audio.evaluate((element: HTMLAudioElement) => element.currentTime);
    await expect.poll(readTime, { interval: 30 }).toBeGreaterThan(0);
  });

  test('shows texts of the gateway as text, and files only from http(s) and data URIs of media', async () => {
    const { page } = editor;
    const hostile = `<img src=x onerror="document.title='owned'">`;
    const show = (songs: readonly object[]) =>
      page.evaluate(
        `monaco.editor.getModels().find(({ uri }) => uri.path.endsWith('response.json')).setValue(${JSON.stringify(JSON.stringify({ data: { songs } }))})`,
      );
    const pixel = { name: hostile, kind: 'IMAGE', base64: onePixel, contentType: 'text/html' };
    await show([
      { title: hostile, audioUrl: 'javascript:alert(1)', base64: 'AAAA', kind: 'IMAGE' },
      { name: hostile, kind: 'IMAGE', url: 'data:text/html;base64,PHNjcmlwdD4=' },
      pixel,
    ]);
    const captions = page.locator('#media figcaption > span');
    await expect.poll(() => captions.allTextContents(), { interval: 30 }).toEqual([hostile, hostile]);
    const sources = await page
      .locator('#media :is(img, audio, video, a)')
      .evaluateAll((elements) =>
        elements.map((element) => element.getAttribute('src') ?? element.getAttribute('href') ?? ''),
      );
    for (const source of sources) expect(source).toMatch(/^(http:|data:image\/png;base64,)/);
    const inline = page.locator(`#media img[src$="${onePixel}"]`);
    await expect
      .poll(() => inline.evaluate((image: HTMLImageElement) => image.naturalWidth), { interval: 30 })
      .toBe(1);
    // A file that cannot be loaded says so.
    await page.getByText('Cannot be loaded').waitFor();
    expect(await page.title()).toBe('Gengraph');
    // Files that are known stay, and others are inserted in the order of the result.
    await show([{ ...pixel, name: 'New', contentType: 'image/webp' }, pixel]);
    await expect.poll(() => captions.allTextContents(), { interval: 30 }).toEqual(['New', hostile]);
    await page.getByRole('button', { name: 'Hide the media' }).click();
    expect(await page.locator('#media').isVisible()).toBe(false);
  });

  test('fits a phone', async () => {
    await using phone = await openEditor({
      browser,
      url: `${app.url}/graphql`,
      mediaOrigin: mediaOrigin(app),
      viewport: { width: 390, height: 844 },
    });
    const { page } = phone;
    const readOverflow = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect(await readOverflow()).toBe(0);
    // The button that opens the menu closes it.
    await page.getByRole('button', { name: 'All operations' }).dblclick();
    expect(await page.locator('#operations').isVisible()).toBe(false);
    await phone.openTab('RefusedInput');
    await phone.play();
    await phone.waitFor('Result', /"INVALID_INPUT"/);
    await phone.openTab('Voices');
    await phone.play();
    await page.locator('#media audio').first().waitFor();
    expect(await readOverflow()).toBe(0);
    const boxOf = (selector: string) => page.locator(selector).first().boundingBox();
    const selectors = ['.graphiql-query-editor', '.result-window', '#media'];
    const [query, result, media] = await Promise.all(selectors.map(boxOf));
    for (const box of [query, result, media]) expect(box?.width).toBeGreaterThan(300);
    expect((query?.y ?? 0) + (query?.height ?? 0)).toBeLessThanOrEqual(result?.y ?? 0);
    expect((result?.y ?? 0) + (result?.height ?? 0)).toBeLessThanOrEqual(media?.y ?? 0);
    await page.screenshot({ path: `${artifacts}/graphiql-phone.png`, fullPage: true });
    // Nothing is below the result but its media.
    await page.getByRole('button', { name: 'Hide the media' }).click();
    const height = await page.evaluate<number>('document.documentElement.scrollHeight');
    expect(height).toBeLessThan((result?.y ?? 0) + (result?.height ?? 0) + 50);
    expect(phone.complaints).toEqual([]);
  });

  test('lists voices', async () => {
    await editor.openTab('Voices');
    await editor.play();
    expect(await editor.waitFor('Result', /"name": "Ava"/)).not.toContain('"errors"');
    await editor.page.screenshot({ path: `${artifacts}/graphiql-voices.png` });
  });

  test('shows a growing chat until it completes', async () => {
    await editor.openTab('StreamChat');
    const shown = await editor.watch('Result');
    await editor.play();
    await editor.waitFor('Result', /"content": "\w/);
    await editor.page.screenshot({ path: `${artifacts}/graphiql-chat.png` });
    await editor.waitFor('Result', /"__typename": "ChatCompleted"/);
    const deltas = (await shown()).filter((text) => text.includes('"ChatDelta"'));
    // The pane indents wrapped lines and does not render lines below its edge, so line breaks may differ.
    const contents = deltas.map((text) => {
      const [, content = '', end] = /"content":"(.*?)("|$)/.exec(text.replaceAll(/\s/g, '')) ?? [];
      return { text: content.replace(/(\\n)+$/, ''), isComplete: end === '"' };
    });
    expect(new Set(contents.map(({ text }) => text)).size).toBeGreaterThanOrEqual(5);
    for (const [index, { text, isComplete }] of contents.slice(1).entries()) {
      const before = contents[index]?.text ?? '';
      // At the edge, a word that no longer fits its line disappears with the next line.
      const shown = isComplete ? before : before.slice(0, text.length);
      expect(text.slice(0, shown.length)).toBe(shown);
    }
  });

  test('sends the typed headers with a subscription over WebSocket', async () => {
    await editor.openTab('StreamChat');
    await editor.type('Headers', '{ "Authorization": "Bearer sk-wrong" }');
    await editor.play();
    const refused = await editor.waitFor('Result', /"__typename": "ChatFailed"/);
    expect(refused).toContain('"code": "AUTHENTICATION_FAILED"');
    await editor.type('Headers', '{}');
    await editor.play();
    await editor.waitFor('Result', /"code": "UNAUTHENTICATED"/);
    await editor.type('Headers', '{ "Authorization": "Bearer sk-sandbox" }');
    await editor.play();
    await editor.waitFor('Result', /"__typename": "ChatDelta"/);
  });

  test('creates an access token', async () => {
    await editor.openTab('CreateAccessToken');
    await editor.play();
    expect(await editor.waitFor('Result', /"key": "sk-\w+"/)).toContain('"name": "front-end"');
  });

  test('starts a chat, follows it by its id and cancels it by its key', async () => {
    await editor.openTab('StartChat');
    const messages = [{ role: 'USER', content: { text: 'Count to 4000.' } }];
    // A reply so long that the cancel below always comes before its end.
    const variables = { input: { model: 'gpt-4o', messages }, idempotencyKey: 'my-first-story' };
    await editor.type('Variables', JSON.stringify(variables));
    await editor.play();
    const started = await editor.waitFor('Result', /"id": "generation_/);
    const id = /generation_[\w-]+/.exec(started)?.[0] ?? '';
    await editor.openTab('ChatEvents');
    await editor.type('Variables', JSON.stringify({ id, minIntervalMs: 100 }));
    await editor.play();
    await editor.waitFor('Result', /"__typename": "ChatDelta"/);
    await editor.openTab('CancelGeneration');
    await editor.play();
    const canceled = await editor.waitFor('Result', /"cancelGeneration"/);
    expect(canceled).toContain(id);
    expect(canceled).toContain('"CANCELED"');
    await editor.openTab('ChatEvents');
    await editor.play();
    await editor.waitFor('Result', /"__typename": "ChatCanceled"/);
  });

  test('keeps tabs, edits and the active tab over a reload', async () => {
    const titles = await editor.tabTitles();
    await editor.openTab('Voices');
    await editor.type('Variables', '{ "first": 3 }');
    await expect.poll(() => readStorage(editor)).toContain('{ "first": 3 }');
    await editor.reload();
    expect(await editor.tabTitles()).toEqual(titles);
    expect(await editor.page.locator('.graphiql-tab-active').innerText()).toBe('Voices');
    await editor.waitFor('Variables', /^\{ "first": 3 \}$/);
    await editor.play();
    await editor.waitFor('Result', /"name": "Ava"/);
  });

  test('continues a chat after a while without the server, with one gateway request', async () => {
    const proxy = await startTcpProxy(`${app.url}/graphql`);
    await using throughProxy = await openEditor({ browser, url: proxy.url });
    const countChats = (): number => app.sandbox?.activity.count('/v1/chat/completions') ?? 0;
    const before = countChats();
    await throughProxy.play();
    const [id] = /generation_[\w-]+/.exec(await throughProxy.waitFor('Result', /"ChatDelta"/)) ?? [];
    const refused = throughProxy.page.waitForEvent('console', (entry) => /WebSocket/.test(entry.text()));
    proxy.refuse();
    await refused;
    proxy.accept();
    expect(await throughProxy.waitFor('Result', /"__typename": "ChatCompleted"/)).toContain(id);
    expect(countChats() - before).toBe(1);
  });

  test('keeps a typed key of another gateway out of the browser’s storage', async () => {
    // The page's own origin is one of the allowed ones.
    const port = await findFreePort();
    const origins = `https://app.example.com, http://127.0.0.1:${port}`;
    await using gateway = await startApp({ env: { PORT: String(port), CORS_ORIGINS: origins } });
    await using stranger = await openEditor({ browser, url: gateway.url });
    await stranger.waitFor('Headers', /"Authorization": "Bearer YOUR_API_KEY"/);
    await stranger.type('Headers', '{ "Authorization": "Bearer sk-sandbox" }');
    await stranger.play();
    await stranger.waitFor('Result', /"__typename": "ChatCompleted"/);
    // GraphiQL stores edits with a delay, in order.
    await stranger.type('Variables', '{ "typed": "later" }');
    await expect.poll(() => readStorage(stranger)).toContain('later');
    expect(await readStorage(stranger)).not.toContain('sk-sandbox');
    await stranger.reload();
    await stranger.waitFor('Headers', /"Authorization": "Bearer YOUR_API_KEY"/);
  });

  test('says where the token of a user goes, keeps it out of the browser’s storage, and shows what this user owns', async () => {
    await using signedIn = await startApp({ env: signInBySecret });
    await using own = await openEditor({ browser, url: signedIn.url });
    await own.waitFor(
      'Headers',
      /Add a token of your sign-in \(a JWT\).*\/\/ "Authorization": "Bearer YOUR_TOKEN"/,
    );
    await own.page.screenshot({ path: `${artifacts}/graphiql-sign-in.png` });
    const page = await (await fetch(signedIn.url, { headers: { accept: 'text/html' } })).text();
    expect(page).toContain('YOUR_TOKEN');
    for (const hidden of [secret, 'sk-sandbox', 'sandbox-system']) expect(page).not.toContain(hidden);
    // The schema loads without a token.
    expect(own.complaints).toEqual([]);
    await own.openTab('Generations');
    await own.play();
    await own.waitFor('Result', /"code": "UNAUTHENTICATED"/);
    const { authorization } = bearer(await mint('ann'));
    // As a user edits it, with a comment left.
    await own.type('Headers', `{\n// Add a token\n"Authorization": "${authorization}"\n}`);
    await own.play();
    await own.waitFor('Result', /"edges": \[\]/);
    await own.openTab('StreamChat');
    await own.type('Headers', `{ "Authorization": "${authorization}" }`);
    await own.play();
    await own.waitFor('Result', /"__typename": "ChatCompleted"/);
    await own.type('Variables', '{ "typed": "later" }');
    await expect.poll(() => readStorage(own)).toContain('later');
    expect(await readStorage(own)).not.toContain(authorization.slice(-20));
    expect(own.complaints).toEqual([]);
  });

  test('names both credentials with AUTH=both, beside the key of the sandbox, and stores no header', async () => {
    const env = { ...settings, ...signInBySecret, AUTH: 'both', SANDBOX_TOKENS_PER_SECOND: '10000' };
    const both = await createApp(loadConfig(env));
    onTestFinished(() => both.close());
    await using own = await openEditor({ browser, url: `${both.url}/graphql` });
    const headers = await own.waitFor('Headers', /"Bearer sk-sandbox"/);
    expect(headers).toMatch(
      /A key of the gateway, or "Bearer YOUR_TOKEN".*a token of your sign-in \(a JWT\)/,
    );
    await own.play();
    await own.waitFor('Result', /"__typename": "ChatCompleted"/);
    const { authorization } = bearer(await mint('ann'));
    await own.type('Headers', `{ "Authorization": "${authorization}" }`);
    await own.type('Variables', '{ "typed": "later" }');
    await expect.poll(() => readStorage(own)).toContain('later');
    expect(await readStorage(own)).not.toContain(authorization.slice(-20));
    expect(own.complaints).toEqual([]);
  });
});

/** Where the sandbox serves its files. */
function mediaOrigin({ sandbox }: App): string {
  return sandbox?.url ?? '';
}

/** A PNG. */
const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

async function findFreePort(): Promise<number> {
  await using app = await startApp();
  return Number(new URL(app.url).port);
}

/** The variables and headers of every tab in the browser's storage. */
async function readStorage({ page }: Editor): Promise<string> {
  const state = await page.evaluate<string>(`localStorage.getItem('graphiql:tabState')`);
  const { tabs } = JSON.parse(state) as { readonly tabs: readonly EditorTab[] };
  return tabs.map(({ variables, headers }) => `${variables} ${headers}`).join('\n');
}

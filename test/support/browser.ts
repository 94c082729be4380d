import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect, inject, type TestContext } from 'vitest';

const executablePath = inject('chromium');

/** Whether browser tests can run. */
export const hasBrowser = executablePath !== undefined;

/** Skips a test that needs a browser where there is none. */
export function skipWithoutBrowser({ skip }: Pick<TestContext, 'skip'>): void {
  skip(!hasBrowser, 'no Chromium: install one, or set CHROMIUM_PATH');
}

/** This machine. Its pages have no HTTPS, so a browser keeps from them what only secure pages get. */
export const insecureHost = 'insecure.test';

/** Quiet, without network traffic of its own. No other name has an address, so a page reaches this machine only. */
const flags = [
  `--host-resolver-rules=MAP ${insecureHost} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function launchBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error('There is no Chromium.');
  return chromium.launch({ executablePath, args: flags, headless: true });
}

/** GraphiQL as its user sees it: `read` returns the text on the screen. */
export interface Editor extends AsyncDisposable {
  readonly page: Page;
  /** Requests to other hosts, console errors and warnings, page errors. */
  readonly complaints: readonly string[];
  tabTitles(): Promise<readonly string[]>;
  /** Opens a tab, from the menu if it is not open yet. */
  openTab(title: string): Promise<void>;
  /** Replaces the text of the editor below the operation and keeps that editor open. */
  type(tool: 'Variables' | 'Headers', text: string): Promise<void>;
  read(pane: Pane): Promise<string>;
  /** Presses Play, which clears the result. */
  play(): Promise<void>;
  /** Records each text of the pane, frame by frame. @returns a function that reads the record */
  watch(pane: Pane): Promise<() => Promise<readonly string[]>>;
  /** Resolves with the pane's text when it matches the pattern. */
  waitFor(pane: Pane, pattern: RegExp): Promise<string>;
  reload(): Promise<void>;
}

type Pane = keyof typeof panes;

const panes = {
  Query: '.graphiql-query-editor',
  Variables: '.graphiql-editor:has([data-uri$="variables.json"])',
  Headers: '.graphiql-editor:has([data-uri$="request-headers.json"])',
  Result: '.result-window',
} as const;

export interface EditorOptions {
  readonly browser: Browser;
  readonly url: string;
  readonly colorScheme?: 'light' | 'dark';
  /** Origin of media that the page may load. */
  readonly mediaOrigin?: string | undefined;
  /** @default a desktop's */
  readonly viewport?: { readonly width: number; readonly height: number };
}

/** Opens the editor in a browser with empty storage. */
export async function openEditor({
  browser,
  url,
  colorScheme = 'light',
  mediaOrigin,
  viewport = { width: 1400, height: 900 },
}: EditorOptions): Promise<Editor> {
  const context = await browser.newContext({
    viewport,
    colorScheme,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const complaints = listenForComplaints(context, page, [url, mediaOrigin ?? url]);
  const waitUntilReady = async (): Promise<void> => {
    await page.locator(`${panes.Query} .view-line`).first().waitFor();
    // The documentation needs the schema.
    await page.getByRole('button', { name: 'Execute query' }).waitFor();
  };
  const read = async (pane: Pane): Promise<string> => String(await page.evaluate(readScript(panes[pane])));
  const showTool = async (tool: Pane): Promise<void> => {
    await page.locator('.graphiql-editor-tools').getByRole('button', { name: tool, exact: true }).click();
    await page.locator(`${panes[tool]} .view-lines`).waitFor({ state: 'visible' });
  };
  await page.goto(url);
  await waitUntilReady();
  return {
    page,
    complaints,
    tabTitles: () => page.locator('.graphiql-tab-button').allInnerTexts(),
    async openTab(title) {
      const tab = page.locator('.graphiql-tab-button', { hasText: new RegExp(`^${title}$`) });
      if ((await tab.count()) > 0) await tab.click();
      else {
        await page.getByRole('button', { name: 'All operations' }).click();
        await page.locator('#operations button', { has: page.getByText(title, { exact: true }) }).click();
      }
      await page.locator('.graphiql-tab-active', { hasText: title }).waitFor();
      // GraphiQL reads the operation's name after it shows the operation, and stores both together.
      const operation = new RegExp(String.raw`^(query|mutation|subscription) ${title}\b`, 'm');
      const readQuery = `localStorage.getItem('graphiql:query')`;
      await expect.poll(() => page.evaluate<string>(readQuery), { interval: 20 }).toMatch(operation);
    },
    async type(tool, text) {
      await showTool(tool);
      // Not by a click: in a scrolled editor, a shadow can cover the text.
      await page.locator(`${panes[tool]} :is(textarea, .native-edit-context)`).first().focus();
      await page.keyboard.press('Control+A');
      // Pasted: the editor closes typed brackets.
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
      await page.keyboard.press('Control+V');
    },
    read,
    async play() {
      await page.getByRole('button', { name: 'Execute query' }).click();
    },
    async watch(pane) {
      // In the page itself: a driver on a busy machine misses frames.
      await page.evaluate(`(() => {
        const shown = (self.shownSoFar = []);
        const check = () => {
          const text = ${readScript(panes[pane])};
          if (text !== shown.at(-1)) shown.push(text);
          if (shown === self.shownSoFar) requestAnimationFrame(check);
        };
        check();
      })()`);
      return () => page.evaluate<readonly string[]>('self.shownSoFar');
    },
    async waitFor(pane, pattern) {
      if (pane === 'Variables' || pane === 'Headers') await showTool(pane);
      await expect.poll(() => read(pane), { interval: 30 }).toMatch(pattern);
      return read(pane);
    },
    async reload() {
      await page.reload();
      await waitUntilReady();
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}

function listenForComplaints(context: BrowserContext, page: Page, own: readonly string[]): readonly string[] {
  const complaints: string[] = [];
  const hosts = own.map((address) => new URL(address).host);
  const check = (address: string): void => {
    const { protocol, host: to } = new URL(address);
    if (protocol !== 'blob:' && protocol !== 'data:' && !hosts.includes(to))
      complaints.push(`request to ${address}`);
  };
  context.on('request', (request) => check(request.url()));
  page.on('websocket', (socket) => check(socket.url()));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`page error: ${error.message}`));
  return complaints;
}

/** Monaco renders only the lines in view, unordered, with non-breaking spaces, and wraps long lines. */
function readScript(selector: string): string {
  return `[...document.querySelectorAll('${selector} .view-line')]
    .sort((a, b) => parseFloat(a.style.top) - parseFloat(b.style.top))
    .map((line) => line.textContent)
    .join('')
    .replaceAll('\\u00a0', ' ')`;
}

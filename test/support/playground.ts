import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isUnionType } from 'graphql';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, inject, onTestFinished } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { schema } from './api-schema.ts';
import { type Api, apiAt } from './app.ts';
import { askBroker } from './broker.ts';
import { hasBrowser, launchBrowser, skipWithoutBrowser } from './browser.ts';

/** Of a server with its own sandbox, as `npm start` has. */
export const playgroundEnv = {
  PORT: '0',
  SANDBOX_PORT: '0',
  SANDBOX_TOKENS_PER_SECOND: '300',
  SANDBOX_TASK_SECONDS: '0.3',
  TASK_POLL_SECONDS: '0.1',
  LOG_LEVEL: 'silent',
  DATA_DIR: ':memory:',
  SHUTDOWN_SECONDS: '0.05',
} as const;

export interface PlaygroundPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Requests to other hosts, violations of the policy, console errors and warnings, page errors. */
  readonly complaints: readonly string[];
}

export interface Playground {
  readonly app: App;
  readonly api: Api;
  readonly browser: Browser;
  /** How many chats the gateway was asked for. */
  readonly chatPosts: number;
  /** Opens a view in a browser with empty storage. Closed when the test ends. */
  open(path: string, options?: BrowserContextOptions): Promise<PlaygroundPage>;
}

/** One server with its built page, and one browser, for the tests of a file. */
export function usePlayground(env: Readonly<Record<string, string>> = {}): Playground {
  const resources = new AsyncDisposableStack();
  let running: { readonly app: App; readonly browser: Browser } | undefined;
  const get = () => {
    if (!running) throw new Error('There is no Chromium.');
    return running;
  };
  beforeAll(async () => {
    if (!hasBrowser) return;
    const app = await startPlayground(env);
    resources.defer(() => app.close());
    const browser = await launchBrowser();
    resources.defer(() => browser.close());
    running = { app, browser };
  });
  afterAll(() => resources.disposeAsync());
  beforeEach(skipWithoutBrowser);
  return {
    get app() {
      return get().app;
    },
    get api() {
      return apiAt(`${get().app.url}/graphql`);
    },
    get browser() {
      return get().browser;
    },
    get chatPosts() {
      return get().app.sandbox?.activity.count('/v1/chat/completions') ?? 0;
    },
    open: (path, options) => openPage(get().browser, get().app.url + path, options),
  };
}

/** Starts the program with the page that these sources build. */
export async function startPlayground(env: Readonly<Record<string, string>> = {}): Promise<App> {
  const playground = await buildPlayground();
  return createApp(loadConfig({ ...playgroundEnv, ...env }), { playground });
}

/** The page's directory. */
export function buildPlayground(): Promise<string> {
  return askBroker(inject('playgroundBroker'));
}

/** Opens an address in a browser with empty storage. Closed when the test ends, which fails if the page has complained. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<PlaygroundPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  onTestFinished(() => context.close());
  const complaints: string[] = [];
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (/^https?:$/.test(protocol) && hostname !== '127.0.0.1')
      complaints.push(`request to ${request.url()}`);
  });
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(error.error().message));
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await page.goto(url);
  return { page, context, complaints };
}

/** All mutations that make a generation, except chats, which have a view of their own. */
export function findCreates(): readonly string[] {
  return Object.values(schema.getMutationType()?.getFields() ?? {})
    .filter(({ name, args, type }) => {
      const hasInput = args.some((argument) => argument.name === 'input');
      const makes = isUnionType(type) && type.getTypes().some((member) => member.name === 'Generation');
      return hasInput && makes && !/Chat/.test(name);
    })
    .map(({ name }) => name);
}

/** Sends a message in a chat. */
export async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

/** Waits until the last reply has ended, and resolves with the line that counts. */
export async function waitForCount(page: Page): Promise<string> {
  const line = page.locator('.plug output');
  await expect.poll(() => line.innerText(), { interval: 30 }).toMatch(/lost/);
  return line.innerText();
}

/** Waits until a view shows what it reads. */
export async function waitUntilRead(page: Page): Promise<void> {
  await page.locator('main').waitFor();
  await expect.poll(() => page.getByText(/^Reading/).count(), { interval: 30 }).toBe(0);
}

const axeFile = resolve('test/frontends/node_modules/axe-core/axe.min.js');

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Barriers for people with disabilities, as axe finds them. None where axe is not installed. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  if (!existsSync(axeFile)) return [];
  await page.evaluate(await readFile(axeFile, 'utf8'));
  const findings = await page.evaluate<readonly Finding[]>('axe.run().then(({ violations }) => violations)');
  return findings.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

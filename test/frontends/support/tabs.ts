import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { hasBrowser, launchBrowser } from '../../support/browser.ts';

export interface Tab {
  readonly page: Page;
  /** A second tab in the same window: the same storage of the origin, a `sessionStorage` of its own. */
  readonly context: BrowserContext;
  /** Errors that nobody caught, and errors in the console. */
  readonly errors: readonly string[];
}

/** One browser for the tests of a file. Each tab has a storage of its own and is closed when its test ends. */
export function useTabs(): (url: string) => Promise<Tab> {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (hasBrowser) browser = await launchBrowser();
  });
  afterAll(() => browser?.close());
  return async (url) => {
    if (!browser) throw new Error('There is no Chromium.');
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const errors: string[] = [];
    context.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    context.on('weberror', (error) => errors.push(error.error().message));
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(url);
    return { page, context, errors };
  };
}

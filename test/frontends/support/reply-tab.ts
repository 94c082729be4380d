import type { BrowserContext, Page } from 'playwright-core';
import type { EndStatus, Kit } from './kits.ts';

export interface ReplyTabOptions {
  readonly kit: Kit;
  readonly page: Page;
  readonly context: BrowserContext;
  readonly question: string;
}

/** A chat page with at most one reply, as its user sees it. */
export class ReplyTab {
  readonly page: Page;
  readonly #options: ReplyTabOptions;

  constructor(options: ReplyTabOptions) {
    this.page = options.page;
    this.#options = options;
  }

  async ask(click: (page: Page) => Promise<void> = clickSend): Promise<void> {
    const { kit, question } = this.#options;
    await this.page.getByLabel(kit.field).fill(question);
    await click(this.page);
  }

  /** @returns when the button was clicked, in milliseconds since 1970 */
  async stop(): Promise<number> {
    await this.page.evaluate(
      `addEventListener('click', () => { self.clickedAt = Date.now(); }, { capture: true, once: true })`,
    );
    // Growing text moves it.
    await this.page.getByRole('button', { name: 'Stop' }).dispatchEvent('click');
    return this.page.evaluate<number>('self.clickedAt');
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.page.getByLabel(this.#options.kit.field).waitFor();
  }

  async text(): Promise<string> {
    return (await this.page.locator(this.#options.kit.text).allTextContents()).join('');
  }

  async waitForText(pattern: RegExp): Promise<void> {
    await this.page.locator(this.#options.kit.text).filter({ hasText: pattern }).waitFor();
  }

  async waitForEnd(status: EndStatus): Promise<void> {
    await this.page.locator(this.#options.kit.ended[status]).waitFor();
  }

  /** Reports two replies as an error in the console, also if only a frame shows them. */
  async forbidSecondReply(): Promise<void> {
    const observe = `new MutationObserver(() => {
      if (document.querySelectorAll('${this.#options.kit.replies}').length > 1) console.error('two replies');
    }).observe(document, { subtree: true, childList: true })`;
    await this.page.addInitScript(observe);
    await this.page.evaluate(observe);
  }

  /** Opens the same chat in a second tab. */
  async openSecond(): Promise<ReplyTab> {
    const { kit, context } = this.#options;
    const url = this.page.url();
    const [page] = kit.sharesTabs
      ? [await context.newPage()]
      : await Promise.all([context.waitForEvent('page'), this.page.evaluate('void open(location.href)')]);
    if (kit.sharesTabs) await page.goto(url);
    return new ReplyTab({ ...this.#options, page });
  }
}

function clickSend(page: Page): Promise<void> {
  return page.getByRole('button', { name: 'Send' }).click();
}

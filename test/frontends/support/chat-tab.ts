import type { Page } from 'playwright-core';
import type { Site } from './site.ts';

/** The chat page of a test as its user sees it. */
export class ChatTab {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async send(text: string, click: (page: Page) => Promise<void> = clickSend): Promise<void> {
    await this.page.getByLabel('Message').fill(text);
    await click(this.page);
  }

  /** @returns when the button was clicked, in milliseconds since 1970 */
  async stop(): Promise<number> {
    await this.page.evaluate(
      `addEventListener('click', () => { self.clickedAt = Date.now(); }, { capture: true, once: true })`,
    );
    await this.page.getByRole('button', { name: 'Stop' }).click();
    return this.page.evaluate<number>('self.clickedAt');
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.page.getByRole('status').waitFor();
  }

  /** Reports two replies as an error in the console, also if only a frame shows them. */
  async forbidSecondReply(): Promise<void> {
    await this.page.addInitScript(replyObserver);
    await this.page.evaluate(replyObserver);
  }

  /** The text of the only reply. */
  async reply(): Promise<string> {
    const paragraphs = this.page.getByRole('article', { name: 'assistant', exact: true }).locator('p');
    return (await paragraphs.allTextContents()).join('');
  }

  async waitForReply(pattern: RegExp): Promise<void> {
    const replies = this.page.getByRole('article', { name: 'assistant', exact: true });
    await replies.filter({ hasText: pattern }).waitFor();
  }

  async waitForStatus(status: 'ready' | 'error'): Promise<void> {
    await this.page.getByRole('status').getByText(status, { exact: true }).waitFor();
  }
}

const replyObserver = `new MutationObserver(() => {
  if (document.querySelectorAll('[aria-label=assistant]').length > 1) console.error('two replies');
}).observe(document, { subtree: true, childList: true })`;

function clickSend(page: Page): Promise<void> {
  return page.getByRole('button', { name: 'Send' }).click();
}

export interface RecordedChat {
  readonly status: string;
  readonly text: string;
  readonly finishedAt: number;
}

interface RecordedNode {
  readonly status: string;
  readonly finishedAt: string | null;
  readonly output: {
    readonly choices: readonly { readonly message: { readonly content: string | null } }[];
  } | null;
}

/** The chats of a conversation, oldest first. */
export async function readRecord({ api }: Site, collection: string): Promise<readonly RecordedChat[]> {
  const { data } = await api.run<
    { readonly generations: { readonly edges: readonly { readonly node: RecordedNode }[] } },
    { readonly collection: string }
  >(
    'query Record($collection: ID) { generations(first: 50, filter: { collection: $collection }) { edges { node { status finishedAt output { ... on ChatCompletion { choices { message { content } } } } } } } }',
    { collection },
  );
  return (data?.generations.edges ?? [])
    .map(({ node: { status, finishedAt, output } }) => ({
      status,
      text: output?.choices[0]?.message.content ?? '',
      finishedAt: Date.parse(finishedAt ?? ''),
    }))
    .toReversed();
}

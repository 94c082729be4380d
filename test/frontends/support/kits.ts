import { bundlePage } from './bundle-page.ts';
import type { SiteFile } from './site-server.ts';

export type EndStatus = 'completed' | 'canceled' | 'failed';

/** A way to make a chat page, as its user sees it. Selectors are of Playwright. */
export interface Kit {
  readonly name: string;
  /** Runs take turns with them. */
  readonly pages: readonly string[];
  /** Whose reply is a call of a tool. */
  readonly toolPage: string | undefined;
  /** Beside each page. */
  readonly files?: () => Promise<Readonly<Record<string, SiteFile>>>;
  /** Label of the field for a message. */
  readonly field: string;
  /** What has a whole reply. There is one, or none. */
  readonly replies: string;
  /** The text in a reply, in one or several elements. */
  readonly text: string;
  /** What is on the page when a reply has ended. */
  readonly ended: Readonly<Record<EndStatus, string>>;
  /** Whether a reload shows how a reply has ended. Otherwise its text alone. */
  readonly showsOldEnds: boolean;
  /** Whether a stopped reply has ended on the page before the server knows it. */
  readonly showsStopFirst: boolean;
  /** Whether a call of a tool is in the text. */
  readonly showsCalls: boolean;
  /** Whether every tab shows the chat. Otherwise one that is a copy of the first. */
  readonly sharesTabs: boolean;
}

const question = 'Question';
const usual = { showsOldEnds: true, showsStopFirst: false, showsCalls: true, sharesTabs: false } as const;

const useChat: Kit = {
  ...usual,
  name: 'useChat of the AI SDK',
  pages: ['examples/ai-sdk-chat/page.tsx', 'pages/ai-sdk-owned.tsx'],
  toolPage: 'examples/ai-sdk-chat/page.tsx',
  field: 'Message',
  replies: 'article[aria-label=assistant]',
  text: 'article[aria-label=assistant] p',
  ended: {
    completed: '[role=status]:text-is("ready")',
    canceled: '[role=status]:text-is("ready")',
    failed: '[role=status]:text-is("error")',
  },
  showsOldEnds: false,
  showsStopFirst: true,
  showsCalls: false,
  sharesTabs: true,
};

const plainHtml: Kit = {
  ...usual,
  name: 'plain HTML',
  pages: ['examples/plain-html/index.html'],
  toolPage: 'pages/tools.ts',
  async files() {
    const body = await bundlePage('../../src/client/gengraph.ts');
    return { 'gengraph.browser.js': { type: 'text/javascript', body } };
  },
  field: question,
  replies: 'article',
  text: 'article',
  ended: {
    completed: '[role=status]:text-is("completed")',
    canceled: '[role=status]:text-is("canceled")',
    failed: '[role=status]:text("The server stopped")',
  },
};

const hooks: Kit = {
  ...usual,
  sharesTabs: true,
  name: 'the hooks of React',
  pages: ['examples/react-chat/main.tsx'],
  toolPage: 'pages/react-tools.tsx',
  field: question,
  replies: 'article',
  text: 'article .text',
  ended: {
    completed: 'article[data-status=completed]',
    canceled: 'article[data-status=canceled]',
    failed: 'article[data-status=failed]',
  },
};

const cached: Omit<Kit, 'name' | 'pages'> = {
  ...usual,
  toolPage: undefined,
  field: question,
  replies: 'article',
  text: 'article .text',
  ended: {
    completed: 'article[data-status=ChatCompleted]',
    canceled: 'article[data-status=ChatCanceled]',
    failed: 'article[data-status=ChatFailed]',
  },
};

export const kits: readonly Kit[] = [
  useChat,
  hooks,
  plainHtml,
  { ...cached, name: 'Apollo Client', pages: ['examples/apollo-chat/main.tsx'] },
  { ...cached, name: 'Apollo Client over HTTP alone', pages: ['examples/apollo-chat/http.tsx'] },
  { ...cached, name: 'urql', pages: ['examples/urql-chat/main.tsx'] },
];

import { createHash } from 'node:crypto';
import { getOperationAST, parse } from 'graphql';
import type { CapabilityOperation } from '../../../graphql/capability.ts';
import { type PageFile, toPage } from '../page-files.ts';
import { createEditors } from './browser/editors.ts';
import { createElement } from './browser/element.ts';
import { explainUnreached } from './browser/explain-unreached.ts';
import { type ExplorerOperation, startExplorer } from './browser/explorer.ts';
import { findMedia } from './browser/find-media.ts';
import { createLastIds, type IdKind } from './browser/last-ids.ts';
import { createMediaPane } from './browser/media-pane.ts';
import { createOperationBar } from './browser/operation-bar.ts';
import { reconnectSockets } from './browser/reconnect-sockets.ts';
import { findIdKinds } from './graphiql-ids.ts';
import { type OfferedTab, prepareEditor, provideStorage } from './graphiql-storage.ts';
import { ownStyle } from './graphiql-style.ts';
import {
  type GraphiQLTab,
  graphiqlTabs,
  initialNames,
  type TabCallers,
  type TabCredentials,
} from './graphiql-tabs.ts';

export interface GraphiQLPageOptions {
  /** What the page offers, by capability. */
  readonly operations: readonly CapabilityOperation[];
  /** Credentials of the embedded sandbox, filled into every tab. Undefined for any other gateway. */
  readonly credentials: TabCredentials | undefined;
  /** The editor's files, which the page names. */
  readonly index: GraphiQLIndex;
  /** Which credentials callers send. */
  readonly auth: NonNullable<TabCallers['auth']>;
  /** Whether requests without a credential use the key of the server. */
  readonly isKeyForAll: boolean;
  /** Where the files of results are, beside https addresses. @param host the Host header of the request, if it is valid */
  readonly mediaOrigins: (host: string | undefined) => readonly string[];
}

/** What the build says of the editor's files. Each name contains a hash of the content. */
export interface GraphiQLIndex {
  readonly script: string;
  readonly sheet: string;
  /** Fonts that every visit needs. */
  readonly fonts: readonly string[];
}

/** Renders the page around Yoga's build of GraphiQL. Nothing is loaded from other origins. */
export function renderGraphiQL({
  operations,
  credentials,
  index,
  auth,
  isKeyForAll,
  mediaOrigins,
}: GraphiQLPageOptions): PageFile {
  const tabs = graphiqlTabs(operations, { credentials, auth, isKeyForAll });
  const start = startScript({
    operations: tabs.map(toOffer),
    kinds: findIdKinds(tabs.map(({ query }) => query)),
    // Tokens of users stay out of the browser's storage.
    keepsHeaders: credentials !== undefined && auth === 'passthrough',
  });
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Gengraph</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(logo)}">
${index.fonts.map((name) => `<link rel="preload" as="font" href="graphiql/${name}" crossorigin>`).join('\n')}
<link rel="stylesheet" href="graphiql/${index.sheet}">
<style>${ownStyle}</style>
</head>
<body>
<noscript>GraphiQL needs JavaScript.</noscript>
<header id="bar"><a href="" aria-label="Gengraph, GraphiQL">${logo}<b>Gengraph</b></a></header>
<main id="root"></main>
<script src="graphiql/${index.script}"></script>
<script>${start}</script>
</body>
</html>
`;
  return toPage(text, {
    own: [
      `script-src 'self' 'sha256-${createHash('sha256').update(start).digest('base64')}'`,
      "style-src 'self' 'unsafe-inline'",
      "worker-src 'self'",
      "font-src 'self'",
      "base-uri 'none'",
    ],
    // A data URI cannot run code as the source of a media element.
    media: (host) => ['https:', ...mediaOrigins(host), 'data:'],
  });
}

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
<path d="M7 16 25 6M7 16h18M7 16l18 10" stroke="#8a7bd8" stroke-width="2"/>
<circle cx="7" cy="16" r="5" fill="#d60590"/>
<g fill="#5b4bc4"><circle cx="25" cy="6" r="4"/><circle cx="25" cy="16" r="4"/><circle cx="25" cy="26" r="4"/></g>
</svg>`;

/** An operation for the menu and the tabs. */
type Offer = OfferedTab & ExplorerOperation;

interface StartOptions {
  readonly operations: readonly Offer[];
  readonly kinds: readonly IdKind[];
  readonly keepsHeaders: boolean;
}

function startScript({ operations, kinds, keepsHeaders }: StartOptions): string {
  const options = {
    title: 'Gengraph',
    subscriptionsProtocol: 'WS',
    // Fallback if the storage could not be prepared.
    defaultTabs: operations.filter(({ initialAt }) => initialAt >= 0),
    defaultHeaders: operations.find(({ initialAt }) => initialAt === 0)?.headers ?? '{}',
    // Disables Yoga's handler, which writes each edit into the page's URL: a reload would show the tab edited last, and
    // operations would appear in the browser's history.
    onEditQuery: null,
  };
  const parts = {
    createElement,
    createEditors,
    findMedia,
    createLastIds,
    createMediaPane,
    createOperationBar,
  };
  const functions = Object.entries(parts).map(([name, part]) => `${name}: ${part.toString()}`);
  return `
const options = ${toScript(options)};
const { operations, kinds } = ${toScript({ operations, kinds })};
(${provideStorage.toString()})(self);
(${reconnectSockets.toString()})(WebSocket.prototype);
self.fetch = (${explainUnreached.toString()})(self.fetch.bind(self));
try {
  const address = new URL(location.href);
  // A long operation stands behind "#", which no server or proxy sees, so that none refuses its length.
  const behind = new URLSearchParams(address.hash.slice(1));
  const read = (name) => behind.get(name) ?? address.searchParams.get(name);
  const [sharedQuery, sharedVariables] = [read('query'), read('variables')];
  (${prepareEditor.toString()})({ storage: localStorage, tabs: operations, sharedQuery, sharedVariables, keepsHeaders: ${keepsHeaders} });
  // The shared operation has a tab now. A reload must not open it again.
  for (const name of ['query', 'variables']) address.searchParams.delete(name);
  if (behind.has('query')) address.hash = '';
  history.replaceState(null, '', address);
} catch (error) {
  // Storage may be full. The editor starts with its defaults.
  reportError(error);
}
YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root'), options);
(${startExplorer.toString()})({ monaco, operations, kinds, parts: {
${functions.join(',\n')}
} });
`;
}

function toScript(value: object): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}

function toOffer(tab: GraphiQLTab): Offer {
  const comment = tab.query.split('\n').filter((line) => line.startsWith('#'));
  const text = comment.map((line) => line.slice(1).trim()).join(' ');
  const [summary = text] = /^.*?\.(?= |$)/.exec(text) ?? [];
  return {
    title: getOperationAST(parse(tab.query))?.name?.value ?? '<untitled>',
    query: tab.query,
    variables: JSON.stringify(tab.variables, null, 2),
    headers: printHeaders(tab.headers, tab.headersNote),
    initialAt: initialNames.indexOf(tab.name),
    group: toHeading(tab.capability),
    summary,
  };
}

/** `image-queue` becomes `Image queue`. */
function toHeading(capability: string): string {
  if (capability === 'general') return 'Generations and tasks';
  return capability.charAt(0).toUpperCase() + capability.slice(1).replaceAll('-', ' ');
}

/** JSON with comments, which the editor accepts. */
function printHeaders(headers: GraphiQLTab['headers'], note: GraphiQLTab['headersNote']): string {
  const members = Object.entries(headers).map(([name, value]) => `${JSON.stringify(name)}: "${value}"`);
  const lines = [...note.map((line) => `// ${line}`), ...members.join(',\n').split('\n')].filter(Boolean);
  return ['{', ...lines.map((line) => `  ${line}`), '}'].join('\n');
}

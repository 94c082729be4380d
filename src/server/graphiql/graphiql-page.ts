import { createHash } from 'node:crypto';
import { getOperationAST, parse } from 'graphql';
import type { CapabilityOperation } from '../../graphql/capability.ts';
import { createEditors } from './browser/editors.ts';
import { createElement } from './browser/element.ts';
import { type ExplorerOperation, startExplorer } from './browser/explorer.ts';
import { findMedia } from './browser/find-media.ts';
import { createLastIds, type IdKind } from './browser/last-ids.ts';
import { createMediaPane } from './browser/media-pane.ts';
import { createOperationBar } from './browser/operation-bar.ts';
import { findIdKinds } from './graphiql-ids.ts';
import { type OfferedTab, prepareEditor } from './graphiql-storage.ts';
import { ownStyle } from './graphiql-style.ts';
import {
  type GraphiQLTab,
  graphiqlTabs,
  initialNames,
  type TabCallers,
  type TabCredentials,
} from './graphiql-tabs.ts';

export interface GraphiQLOptions {
  /** What the page offers, by capability. */
  readonly operations: readonly CapabilityOperation[];
  /** Credentials of the embedded sandbox, filled into every tab. Undefined for any other gateway. */
  readonly credentials: TabCredentials | undefined;
  /** Which credentials callers send. */
  readonly auth: NonNullable<TabCallers['auth']>;
  /** Where the files of results are, beside https addresses. @param host the Host header of the request, if it is valid */
  readonly mediaOrigins: (host: string | undefined) => readonly string[];
}

/** A file of the editor, as served to the browser. */
export interface EditorFile {
  readonly path: string;
  readonly type: string;
  readonly text: string;
}

export interface EditorFiles {
  readonly page: EditorFile;
  /** Immutable: each path contains a hash of the content. */
  readonly assets: readonly EditorFile[];
  /** Header for the page. @param host the Host header of the request */
  contentSecurityPolicy(host: string | undefined): string;
}

/**
 * Renders the GraphiQL page (Yoga's build) and its assets. Nothing is loaded from other origins. Yoga itself renders one page
 * of 9 MB with everything inline, and browsers drop the cached copy of a URL at each POST to it: that page would be
 * downloaded in full at every visit. Separate assets stay cached, and the workers are loaded when the page is shown already.
 */
export async function renderGraphiQL({
  operations,
  credentials,
  auth,
  mediaOrigins,
}: GraphiQLOptions): Promise<EditorFiles> {
  // Imported on first use only.
  const yoga = await import('@graphql-yoga/render-graphiql/graphiql');
  const workers = {
    editorWorkerService: createScript(yoga.editorWorkerService),
    json: createScript(yoga.jsonWorker),
    graphql: createScript(yoga.graphqlWorker),
  };
  const script = createScript(`${workerScript(workers)}\n${yoga.js}`);
  const sheet = createAsset('css', 'text/css', yoga.css + ownStyle);
  const tabs = graphiqlTabs(operations, { credentials, auth });
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
<link rel="stylesheet" href="${toRelative(sheet.path)}">
</head>
<body>
<noscript>GraphiQL needs JavaScript.</noscript>
<header id="bar"><a href="" aria-label="Gengraph, GraphiQL">${logo}<b>Gengraph</b></a></header>
<main id="root"></main>
<script src="${toRelative(script.path)}"></script>
<script>${start}</script>
</body>
</html>
`;
  return {
    page: { path: '/graphql', type: 'text/html; charset=utf-8', text },
    assets: [...Object.values(workers), script, sheet],
    contentSecurityPolicy: createPolicy(start, mediaOrigins),
  };
}

/** Addresses are relative to the page, so that it also works below a path prefix of a proxy. */
function toRelative(path: string): string {
  return path.slice(1);
}

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
<path d="M7 16 25 6M7 16h18M7 16l18 10" stroke="#8a7bd8" stroke-width="2"/>
<circle cx="7" cy="16" r="5" fill="#d60590"/>
<g fill="#5b4bc4"><circle cx="25" cy="6" r="4"/><circle cx="25" cy="16" r="4"/><circle cx="25" cy="26" r="4"/></g>
</svg>`;

function createAsset(ending: string, type: string, text: string): EditorFile {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 16);
  return { path: `/graphiql/${hash}.${ending}`, type: `${type}; charset=utf-8`, text };
}

function createScript(text: string): EditorFile {
  return createAsset('js', 'text/javascript', text);
}

/**
 * The page holds credentials, so it may connect to this server only. Media come from any https address, and from the origins of
 * the gateway. A data URI cannot run code as the source of a media element.
 */
function createPolicy(
  inlineScript: string,
  mediaOrigins: GraphiQLOptions['mediaOrigins'],
): EditorFiles['contentSecurityPolicy'] {
  const hash = createHash('sha256').update(inlineScript).digest('base64');
  return (host = '') => {
    // Ignore a Host header that is not a plain host.
    const isPlain = /^[\w.:[\]-]+$/.test(host);
    // In some browsers 'self' does not cover WebSockets.
    const sockets = isPlain ? ` ws://${host} wss://${host}` : '';
    const media = ['https:', ...mediaOrigins(isPlain ? host : undefined), 'data:'].join(' ');
    return [
      "default-src 'none'",
      `script-src 'self' 'sha256-${hash}'`,
      "style-src 'self' 'unsafe-inline'",
      "worker-src 'self'",
      `connect-src 'self'${sockets}`,
      'font-src data:',
      `img-src ${media}`,
      `media-src ${media}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; ');
  };
}

/** Monaco requests its workers by label. With the setting, it sets the global `monaco`. */
function workerScript(workers: Readonly<Record<string, EditorFile>>): string {
  const paths = Object.entries(workers).map(([label, { path }]) => [label, toRelative(path)]);
  return `self.MonacoEnvironment = {
  globalAPI: true,
  getWorkerUrl: (_moduleId, label) => (${JSON.stringify(Object.fromEntries(paths))})[label],
};`;
}

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
try {
  const address = new URL(location.href);
  const sharedQuery = address.searchParams.get('query');
  const sharedVariables = address.searchParams.get('variables');
  (${prepareEditor.toString()})({ storage: localStorage, tabs: operations, sharedQuery, sharedVariables, keepsHeaders: ${keepsHeaders} });
  // The shared operation has a tab now. A reload must not open it again.
  for (const name of ['query', 'variables']) address.searchParams.delete(name);
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

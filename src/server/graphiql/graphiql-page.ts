import { createHash } from 'node:crypto';
import { getOperationAST, parse } from 'graphql';
import type { ExampleOperation } from '../../graphql/capability.ts';
import { type EditorTab, prepareEditor } from './graphiql-storage.ts';
import { type GraphiQLTab, graphiqlTabs, type TabCallers, type TabCredentials } from './graphiql-tabs.ts';

export interface GraphiQLOptions {
  /** One tab each, in this order. */
  readonly operations: readonly ExampleOperation[];
  /** Credentials of the embedded sandbox, filled into every tab. Undefined for any other gateway. */
  readonly credentials: TabCredentials | undefined;
  /** Which credentials callers send. */
  readonly auth: NonNullable<TabCallers['auth']>;
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
 * downloaded in full at every visit. Separate assets stay cached.
 */
export async function renderGraphiQL({
  operations,
  credentials,
  auth,
}: GraphiQLOptions): Promise<EditorFiles> {
  // Imported on first use only.
  const yoga = await import('@graphql-yoga/render-graphiql/graphiql');
  const workers = {
    editorWorkerService: yoga.editorWorkerService,
    json: yoga.jsonWorker,
    graphql: yoga.graphqlWorker,
  };
  const script = createAsset('js', 'text/javascript', `${workerScript(workers)}\n${yoga.js}`);
  const sheet = createAsset('css', 'text/css', yoga.css + ownStyle);
  const start = startScript(
    graphiqlTabs(operations, { credentials, auth }).map(toEditorTab),
    // Tokens of users stay out of the browser's storage.
    credentials !== undefined && auth === 'passthrough',
  );
  // Relative addresses, so that the page also works below a path prefix of a proxy.
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Gengraph</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(logo)}">
<link rel="stylesheet" href="${sheet.path.slice(1)}">
</head>
<body class="no-focus-outline">
<noscript>GraphiQL needs JavaScript.</noscript>
<div id="root"></div>
<script src="${script.path.slice(1)}"></script>
<script>${start}</script>
</body>
</html>
`;
  return {
    page: { path: '/graphql', type: 'text/html; charset=utf-8', text },
    assets: [script, sheet],
    contentSecurityPolicy: createPolicy(start),
  };
}

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="28" height="28">
<path d="M7 16 25 6M7 16h18M7 16l18 10" stroke="#8a7bd8" stroke-width="2"/>
<circle cx="7" cy="16" r="5" fill="#d60590"/>
<g fill="#5b4bc4"><circle cx="25" cy="6" r="4"/><circle cx="25" cy="16" r="4"/><circle cx="25" cy="26" r="4"/></g>
</svg>`;

function createAsset(ending: string, type: string, text: string): EditorFile {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 16);
  return { path: `/graphiql/${hash}.${ending}`, type: `${type}; charset=utf-8`, text };
}

/** The page holds credentials, so it may connect to this server only. Results may show images of any origin. */
function createPolicy(inlineScript: string): EditorFiles['contentSecurityPolicy'] {
  const hash = createHash('sha256').update(inlineScript).digest('base64');
  return (host = '') => {
    // In some browsers 'self' does not cover WebSockets. Ignore a Host header that is not a plain host.
    const sockets = /^[\w.:[\]-]+$/.test(host) ? ` ws://${host} wss://${host}` : '';
    return [
      "default-src 'none'",
      `script-src 'self' 'sha256-${hash}'`,
      "style-src 'self' 'unsafe-inline'",
      'worker-src blob:',
      `connect-src 'self'${sockets}`,
      'font-src data:',
      'img-src * data: blob:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; ');
  };
}

/** Monaco requests its workers by label. */
function workerScript(workers: Readonly<Record<string, string>>): string {
  return `self.MonacoEnvironment = {
  globalAPI: false,
  getWorkerUrl: (_moduleId, label) => workerUrls[label],
};
const workerUrls = Object.fromEntries(
  Object.entries(${JSON.stringify(workers)}).map(([label, text]) => [
    label,
    URL.createObjectURL(new Blob([text], { type: 'application/javascript' })),
  ]),
);`;
}

function startScript(tabs: readonly EditorTab[], keepsHeaders: boolean): string {
  const options = {
    title: 'Gengraph',
    logo,
    subscriptionsProtocol: 'WS',
    // Fallback if the storage could not be prepared.
    defaultTabs: tabs,
    defaultHeaders: tabs[0]?.headers ?? '{}',
    // Disables Yoga's handler, which writes each edit into the page's URL: a reload would show the tab edited last, and
    // operations would appear in the browser's history.
    onEditQuery: null,
  };
  return `
const options = ${toScript(options)};
try {
  const address = new URL(location.href);
  const sharedQuery = address.searchParams.get('query');
  (${prepareEditor.toString()})({
    storage: localStorage,
    tabs: options.defaultTabs,
    sharedQuery,
    keepsHeaders: ${keepsHeaders},
  });
  // The shared operation has a tab now. A reload must not open it again.
  address.searchParams.delete('query');
  history.replaceState(null, '', address);
} catch (error) {
  // Storage may be full. The editor starts with its defaults.
  reportError(error);
}
YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root'), options);
`;
}

function toScript(value: object): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}

/**
 * Wraps the tabs, which GraphiQL otherwise keeps in one scrolling line without a scroll bar. Disables the tab transform: when
 * a tab gets the focus, GraphiQL applies a leftover transform, and a quick click misses the tab.
 */
const ownStyle = `
body { margin: 0; }
.graphiql-container .graphiql-session-header { height: auto; align-items: flex-end; }
.graphiql-container .graphiql-tabs { flex-wrap: wrap; gap: 3px 4px; overflow: visible; padding-bottom: 0; }
.graphiql-container .graphiql-tab { transform: none !important; }
.graphiql-container .graphiql-tab .graphiql-tab-button { padding: 3px 22px 3px 8px; font-size: 0.8125rem; }
.graphiql-container .graphiql-tab .graphiql-tab-close { right: 1px; }
.graphiql-container .graphiql-logo { align-self: flex-start; }
.graphiql-container #graphiql-session { min-height: 0; }
`;

function toEditorTab({ query, variables, headers, headersNote }: GraphiQLTab): EditorTab {
  return {
    title: getOperationAST(parse(query))?.name?.value ?? '<untitled>',
    query,
    variables: JSON.stringify(variables, null, 2),
    headers: printHeaders(headers, headersNote),
  };
}

/** JSON with comments, which the editor accepts. */
function printHeaders(headers: GraphiQLTab['headers'], note: GraphiQLTab['headersNote']): string {
  const members = Object.entries(headers).map(([name, value]) => `${JSON.stringify(name)}: "${value}"`);
  const lines = [...note.map((line) => `// ${line}`), ...members.join(',\n').split('\n')].filter(Boolean);
  return ['{', ...lines.map((line) => `  ${line}`), '}'].join('\n');
}

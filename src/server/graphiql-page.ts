import { createHash } from 'node:crypto';
import { getOperationAST, parse } from 'graphql';
import { type EditorTab, prepareEditor } from './graphiql-storage.ts';
import { type GraphiQLTab, graphiqlTabs, type TabCredentials } from './graphiql-tabs.ts';

/** What a browser loads to show the editor. */
export interface EditorFile {
  readonly path: string;
  readonly type: string;
  readonly text: string;
}

export interface EditorFiles {
  readonly page: EditorFile;
  /** Never change: their paths hold a hash of what they are. */
  readonly assets: readonly EditorFile[];
  /** Sent with the page. @param host the request's, as the browser knows this server */
  contentSecurityPolicy(host: string | undefined): string;
}

/**
 * Makes the page that shows GraphiQL, in Yoga's build, and the files that it needs; from nowhere else comes anything.
 * They are apart because browsers drop what they keep of an address at each POST to it: a page in one piece, as Yoga
 * makes it, would come in full, 9 MB, at every visit.
 */
export async function renderGraphiQL(credentials: TabCredentials | undefined): Promise<EditorFiles> {
  // Only a server whose editor is opened pays for it.
  const yoga = await import('@graphql-yoga/render-graphiql/graphiql');
  const workers = {
    editorWorkerService: yoga.editorWorkerService,
    json: yoga.jsonWorker,
    graphql: yoga.graphqlWorker,
  };
  const script = createAsset('js', 'text/javascript', `${workerScript(workers)}\n${yoga.js}`);
  const sheet = createAsset('css', 'text/css', yoga.css + ownStyle);
  const start = startScript(graphiqlTabs(credentials).map(toEditorTab), credentials !== undefined);
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Gengraph</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(sign)}">
<link rel="stylesheet" href="${sheet.path}">
</head>
<body class="no-focus-outline">
<noscript>GraphiQL needs JavaScript.</noscript>
<div id="root"></div>
<script src="${script.path}"></script>
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

/** One input, many families, one graph. */
const sign = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="28" height="28">
<path d="M7 16 25 6M7 16h18M7 16l18 10" stroke="#8a7bd8" stroke-width="2"/>
<circle cx="7" cy="16" r="5" fill="#d60590"/>
<g fill="#5b4bc4"><circle cx="25" cy="6" r="4"/><circle cx="25" cy="16" r="4"/><circle cx="25" cy="26" r="4"/></g>
</svg>`;

function createAsset(ending: string, type: string, text: string): EditorFile {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 16);
  return { path: `/graphiql/${hash}.${ending}`, type: `${type}; charset=utf-8`, text };
}

/** The page holds typed credentials: it talks to this server and to nobody else. Results may show images of anywhere. */
function createPolicy(inlineScript: string): EditorFiles['contentSecurityPolicy'] {
  const hash = createHash('sha256').update(inlineScript).digest('base64');
  return (host = '') => {
    // For some browsers 'self' leaves out WebSockets. What is no plain host cannot be the browser's.
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

/** Monaco asks for its workers by label. */
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
    logo: sign,
    endpoint: '/graphql',
    subscriptionsProtocol: 'WS',
    // Taken only where the storage could not be laid out.
    defaultTabs: tabs,
    defaultHeaders: tabs[0]?.headers ?? '{}',
    // In place of Yoga's, which puts each edit into the page's address: a reload would then show whichever tab was last
    // edited, and what is asked would stand in the browser's history.
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
  // It has a tab now, which a reload must not open again.
  address.searchParams.delete('query');
  history.replaceState(null, '', address);
} catch (error) {
  // Storage may be full: the editor starts as well as it can by itself.
  reportError(error);
}
YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root'), options);
`;
}

function toScript(value: object): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}

/**
 * All tabs are in sight: GraphiQL keeps them in one line and scrolls it without a bar. And none moves under the pointer:
 * when a tab gets the focus, GraphiQL lets what is left of an earlier movement take effect, so that a quick click misses.
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

function toEditorTab({ query, variables, headers }: GraphiQLTab): EditorTab {
  return {
    title: getOperationAST(parse(query))?.name?.value ?? '<untitled>',
    query,
    variables: JSON.stringify(variables, null, 2),
    headers: JSON.stringify(headers, null, 2),
  };
}

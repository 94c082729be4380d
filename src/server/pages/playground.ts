import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { ExampleOperation } from '../../graphql/capability.ts';
import { toCamelCase } from '../../lib/text.ts';
import { createPageFiles, type PageFile, readAssets, toPage } from './page-files.ts';

/** What the page has to know of this server. */
export interface PlaygroundSettings {
  readonly auth: 'passthrough' | 'jwt' | 'both';
  /** Of the sandbox, which anybody may use. Empty if requests need none. */
  readonly apiKey?: string | undefined;
  readonly hasSandbox: boolean;
  readonly hasGraphiQL: boolean;
  /** Variables of a complete operation, by its root field. */
  readonly examples: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface PlaygroundOptions {
  readonly settings: PlaygroundSettings;
  /** Where the files of results are, beside https addresses. @param host the Host header of the request, if it is valid */
  readonly mediaOrigins: (host: string | undefined) => readonly string[];
  /** Where files are uploaded, beside this server. */
  readonly uploadOrigins: readonly string[];
}

const assetsPath = '/playground/';

/** The variables of the operations, such as of `create-image` for the field `createImage`. */
export function toExamples(operations: readonly ExampleOperation[]): PlaygroundSettings['examples'] {
  return Object.fromEntries(operations.map(({ name, variables }) => [toCamelCase(name), variables]));
}

/** Serves the built page at `/`, its views at addresses of their own, and its assets under `/playground/`. */
export function createPlayground(directory: string, options: PlaygroundOptions) {
  const serve = createPageFiles({
    load: () => readFiles(directory, options),
    advice: 'Reload the page.',
  });
  return (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url?.split('?')[0] ?? '/';
    // All views of one depth are one page.
    return serve(path.startsWith(assetsPath) ? path : depthOf(path), request, response);
  };
}

async function readFiles(
  directory: string,
  { settings, mediaOrigins, uploadOrigins }: PlaygroundOptions,
): Promise<ReadonlyMap<string, PageFile>> {
  const text = await readFile(join(directory, 'index.html'), 'utf8');
  // A closing tag inside the text would end it.
  const json = JSON.stringify(settings).replaceAll('<', String.raw`\u003c`);
  const page = text.replace(
    '</head>',
    () => `<script type="application/json" id="settings">${json}</script></head>`,
  );
  const policy = {
    own: ["script-src 'self'", "style-src 'self'", "base-uri 'self'"],
    media: (host: string | undefined) => ["'self'", 'https:', 'data:', 'blob:', ...mediaOrigins(host)],
    connect: uploadOrigins,
  };
  const folder = join(directory, 'playground');
  const assets = await readAssets({ folder, path: assetsPath, areCompressed: false });
  // Addresses in the page are relative, because a proxy may serve this server below a path.
  const pages = ['./', '../', '../..'].map((base): readonly [string, PageFile] => [
    base,
    toPage(page.replace('<head>', `<head><base href="${base}">`), policy),
  ]);
  return new Map([...pages, ...assets]);
}

/** The way from a view to the root. A deeper path has no view. */
function depthOf(path: string): string {
  return ['./', './', '../', '../..'][path.split('/').length - 1] ?? path;
}

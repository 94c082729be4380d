import { createHash } from 'node:crypto';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import {
  editorWorkerService,
  graphqlWorker,
  css,
  js,
  jsonWorker,
} from '@graphql-yoga/render-graphiql/graphiql';
import type { GraphiQLIndex } from './src/server/pages/graphiql/graphiql-page.ts';

if (process.argv[1] === fileURLToPath(import.meta.url))
  await buildGraphiQL(process.argv[2] ?? 'dist/graphiql');

/**
 * Writes GraphiQL (Yoga's build) as files with names that change with their content, compressed. Yoga itself renders one page of
 * 9 MB. Separate files stay in the browser's cache, a browser loads only the fonts that it shows, and the first visit waits for
 * no compression.
 */
export async function buildGraphiQL(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const write = async (ending: string, content: string | Buffer): Promise<string> => {
    const hash = createHash('sha256').update(content).digest('base64url').slice(0, 16);
    const name = `${hash}.${ending}`;
    // Other fonts are compressed already.
    if (ending.startsWith('woff')) await writeFile(join(directory, name), content);
    else await writeFile(join(directory, `${name}.br`), await compress(Buffer.from(content)));
    return name;
  };
  const workers = await Promise.all(
    Object.entries({ editorWorkerService, json: jsonWorker, graphql: graphqlWorker }).map(
      async ([label, text]) => [label, `graphiql/${await write('js', text)}`] as const,
    ),
  );
  const script = await write('js', `${workerScript(Object.fromEntries(workers))}\n${js}`);
  const { text, fonts } = await extractFonts(css, write);
  const index: GraphiQLIndex = { script, sheet: await write('css', text), fonts };
  await writeFile(join(directory, 'index.json'), JSON.stringify(index));
  const entry = createRequire(import.meta.url).resolve('@graphql-yoga/render-graphiql');
  await copyFile(join(dirname(dirname(entry)), 'LICENSE'), join(directory, 'LICENSE'));
}

/** The best level takes ten times as long, for 8 % fewer bytes. */
function compress(content: Buffer): Promise<Buffer> {
  return promisify(brotliCompress)(content, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
  });
}

/** Monaco requests its workers by label, relative to the page. With the setting, it sets the global `monaco`. */
function workerScript(paths: Readonly<Record<string, string>>): string {
  return `self.MonacoEnvironment = {
  globalAPI: true,
  getWorkerUrl: (_moduleId, label) => (${JSON.stringify(paths)})[label],
};`;
}

/** Most of the style sheet is fonts as data URIs, most of them for other scripts and in italics. */
async function extractFonts(
  sheet: string,
  write: (ending: string, content: Buffer) => Promise<string>,
): Promise<{ readonly text: string; readonly fonts: readonly string[] }> {
  const pieces: string[] = [];
  const fonts: string[] = [];
  let end = 0;
  for (const match of sheet.matchAll(/url\(data:font\/(woff2?|ttf);base64,([^)]+)\)/g)) {
    const [all, ending = '', content = ''] = match;
    const name = await write(ending, Buffer.from(content, 'base64'));
    pieces.push(sheet.slice(end, match.index), `url(${name})`);
    end = match.index + all.length;
    const face = sheet.slice(sheet.lastIndexOf('@font-face', match.index), sheet.indexOf('}', end));
    if (isShown(face)) fonts.push(name);
  }
  if (fonts.length === 0) throw new Error('The style sheet of GraphiQL has no fonts that the page shows.');
  return { text: [...pieces, sheet.slice(end)].join(''), fonts };
}

/** Whether GraphiQL shows Latin letters in this font at once. */
function isShown(face: string): boolean {
  return (
    /font-family:(Roboto|Fira Code)/.test(face) &&
    /unicode-range:U\+0000-00FF/i.test(face) &&
    !/font-style:italic/.test(face)
  );
}

import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createContext, Script } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startApp } from '../support/app.ts';
import { readClientManifest, useClientProject } from '../support/packed-client.ts';

/** A project with nothing but the packed client and what it depends on. */
const project = useClientProject(['graphql', 'graphql-ws']);

test('it depends on graphql-ws alone, its other packages are optional, and it imports nothing of the server', () => {
  const { dependencies, peerDependencies, peerDependenciesMeta = {} } = readClientManifest(project.installed);
  expect(Object.keys(dependencies)).toEqual(['graphql-ws']);
  expect(peerDependencies).toMatchObject({ graphql: '^16.0.0 || ^17.0.0' });
  const optional = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional);
  expect(optional).toEqual(Object.keys(peerDependencies).filter((name) => name !== 'graphql'));
  const programs = project.files.filter((name) => /\.(js|d\.ts)$/.test(name));
  expect(programs).toContain('gengraph.js');
  // One file for pages without a build.
  const inPages = 'gengraph.browser.js';
  expect(project.read(`dist/${inPages}`)).not.toMatch(/\bimport\s*[{*('"]/);
  const others = programs.filter((name) => name !== inPages);
  const imported = others.flatMap((name) =>
    [
      ...project.read(`dist/${name}`).matchAll(/(?:\bfrom |\bimport\(|<reference types=)["']([^"']+)["']/g),
    ].map(([, target = '']) => target),
  );
  const known = ['graphql-ws', ...Object.keys(peerDependencies)];
  const foreign = imported.filter((target) => !/^\.{1,2}\/[\w./-]+\.js$/.test(target));
  expect(foreign.filter((target) => !known.some((name) => `${target}/`.startsWith(`${name}/`)))).toEqual([]);
});

test('its README and its guides link to files of the package alone', () => {
  const pages = readdirSync(project.installed, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  expect(pages).toContain('guides/ai-sdk.md');
  const links = pages.flatMap((page) =>
    [...project.read(page).matchAll(/\]\(([^)#]+)/g)].map(([, target = '']) => join(dirname(page), target)),
  );
  expect(links).toContain('guides/ai-sdk.md');
  expect(links.filter((path) => !existsSync(join(project.installed, path)))).toEqual([]);
});

test('the frameworks of the tests, the bundler of its pages and its exports name the same entries', () => {
  const { compilerOptions } = JSON.parse(readFileSync('test/frontends/tsconfig.json', 'utf8')) as {
    readonly compilerOptions: { readonly paths: Readonly<Record<string, readonly [string]>> };
  };
  const sources = Object.entries(readClientManifest().exports).flatMap(([entry, target]) =>
    typeof target === 'string' || entry === './browser'
      ? []
      : [[`@gengraph/client${entry.slice(1)}`, target.default.replace('./dist/', '../../src/client/')]],
  );
  const paths = Object.entries(compilerOptions.paths).filter(([entry]) => entry.startsWith('@gengraph/'));
  expect(paths.map(([entry, [file]]) => [entry, file.replace(/\.ts$/, '.js')])).toEqual(
    sources.toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1)),
  );
});

test('the core and chats have at most 5 KB of compressed code; other kinds and feeds are loaded when they are used', async () => {
  const page = `import { createGengraph } from '@gengraph/client'; globalThis.g = createGengraph({ url: '/graphql' });`;
  const loadedLater = ['feed', 'follow-generation', 'generate', 'running'].map((name) => `./${name}.js`);
  const { code, imports } = await project.bundle(page, loadedLater);
  // None of them at once.
  expect(imports).toEqual(['graphql-ws']);
  expect(gzipSync(code).length).toBeLessThanOrEqual(5 * 1024);
});

test('a bundle has nothing of what its page does not use', async () => {
  const { code } = await project.bundle(
    `import { applyChatEvent } from '@gengraph/client'; import { VoiceDocument } from '@gengraph/client/documents'; globalThis.a = [applyChatEvent, VoiceDocument];`,
  );
  expect(code).not.toMatch(/graphql-ws|StreamChat|sessionStorage/);
});

test('the types are clean without skipLibCheck, also with the DOM', async () => {
  project.write(
    'page.ts',
    `import { createGengraph, type ChatView } from '@gengraph/client';
import { StreamChatDocument } from '@gengraph/client/documents';
import { createReconnectingClient } from '@gengraph/client/reconnecting';
import { upload } from '@gengraph/client/upload';
import { print } from 'graphql';
const gengraph = createGengraph({ url: '/graphql', credential: async () => null, storage: sessionStorage });
const chat = gengraph.chat({ model: 'm', messages: [{ role: 'USER', content: { text: 'Hello' } }] }, { id: 'a' });
export async function show(render: (view: ChatView) => void): Promise<void> {
  for await (const view of chat) render(view);
  for await (const { assets } of gengraph.generate('queueImage', { prompt: 'a fox' })) console.log(assets[0]?.url);
  // @ts-expect-error A prompt is a text.
  gengraph.generate('queueImage', { prompt: 1 });
}
export async function send(file: File, signal: AbortSignal | undefined): Promise<string | undefined> {
  return (await upload(gengraph, file, { signal })).value?.id;
}
createReconnectingClient({ url: 'ws://localhost' }).subscribe(
  { query: print(StreamChatDocument) },
  { next: console.log, error: console.error, complete() {} },
);
`,
  );
  const flags =
    '--strict --exactOptionalPropertyTypes --noEmit --module nodenext --target es2024 --lib es2024,dom';
  const check = promisify(execFile)(
    resolve('node_modules/.bin/tsc'),
    [...flags.split(' '), '--types', '', 'page.ts'],
    {
      cwd: project.directory,
    },
  );
  // What a program that fails has printed.
  expect((await check.catch((error: unknown) => error as { stdout: string })).stdout).toBe('');
});

function runNode(script: string): Promise<{ readonly stdout: string }> {
  return promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: project.directory,
  });
}

test('it can be imported where there is no page, and touches none of its globals', async () => {
  const names = [
    'window',
    'document',
    'location',
    'sessionStorage',
    'localStorage',
    'crypto',
    'WebSocket',
    'addEventListener',
  ];
  const entries = ['', '/documents', '/reconnecting', '/upload'].map((name) => `@gengraph/client${name}`);
  const script = `
    for (const name of ${JSON.stringify(names)})
      Object.defineProperty(globalThis, name, { configurable: true, get() { throw new Error('touched ' + name); } });
    for (const entry of ${JSON.stringify(entries)}) await import(entry);`;
  expect((await runNode(script)).stdout).toBe('');
});

/** What React Native's engine and its runtime lack, beside everything that belongs to pages. */
const absentInHermes = `
  delete Promise.withResolvers; delete Promise.try; delete Array.fromAsync; delete Object.groupBy; delete Map.groupBy;
  delete globalThis.Iterator; delete globalThis.WeakRef; delete globalThis.FinalizationRegistry; delete globalThis.Intl;
  for (const name of ['union', 'difference', 'intersection']) delete Set.prototype[name];`;

test('it runs in an engine without crypto, atob, TextDecoder, streams and storage, with the URL of React Native', async () => {
  await using app = await startApp();
  const code = project
    .read('dist/gengraph.browser.js')
    .replace(/export\{([^}]*)\};?/, (_text, names: string) => {
      const [, local = ''] = /(\w+) as createGengraph/.exec(names) ?? [];
      return `globalThis.createGengraph = ${local};`;
    });
  const { promise, resolve: end } = Promise.withResolvers<unknown>();
  const runtime = createContext({
    WebSocket,
    setTimeout,
    clearTimeout,
    console,
    end,
    url: app.url,
    // React Native's own adds a slash to every address.
    URL: class {
      readonly href: string;
      constructor(url: string) {
        this.href = url.endsWith('/') ? url : `${url}/`;
      }
    },
  });
  new Script(`${absentInHermes}\n{${code}}`).runInContext(runtime);
  new Script(`(async () => {
    const gengraph = createGengraph({ url, credential: 'sk-sandbox' });
    const input = { model: 'gpt-4o', messages: [{ role: 'USER', content: { text: 'Hello' } }] };
    let last;
    for await (const view of gengraph.chat(input)) last = view;
    for await (const view of gengraph.follow(last.id)) last = view;
    await gengraph.dispose();
    return [last.status, last.error, last.text.length > 0];
  })().then(end, end)`).runInContext(runtime);
  expect(await promise).toEqual(['completed', null, true]);
});

test('the example for Node prints a reply', async () => {
  await using app = await startApp();
  project.write('chat.mjs', readFileSync('test/frontends/examples/node/chat.mjs', 'utf8'));
  const { stdout } = await promisify(execFile)(process.execPath, ['chat.mjs', app.url], {
    cwd: project.directory,
  });
  const { data } = await app.run(
    '{ generations { edges { node { output { ... on ChatCompletion { choices { message { content } } } } } } } }',
  );
  expect(data).toEqual({
    generations: { edges: [{ node: { output: { choices: [{ message: { content: stdout } }] } } }] },
  });
});

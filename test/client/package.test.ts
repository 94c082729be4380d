import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type OutputAsset, type OutputChunk, rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';

/** A project with nothing but the packed client and what it depends on. */
const project = mkdtempSync(join(tmpdir(), 'gengraph-client-test-'));
const modules = join(project, 'node_modules');
const installed = join(modules, '@gengraph/client');

beforeAll(() => {
  execFileSync('npm', ['run', 'pack:client', '--', project], { stdio: 'pipe' });
  const [file = ''] = readdirSync(project).filter((name) => name.endsWith('.tgz'));
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(project, file), '-C', installed, '--strip-components=1']);
  for (const name of ['graphql', 'graphql-ws'])
    symlinkSync(resolve('node_modules', name), join(modules, name));
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

function runNode(script: string, ...parameters: readonly string[]): string {
  return execFileSync(process.execPath, ['--input-type=module', '--eval', script, ...parameters], {
    cwd: project,
    encoding: 'utf8',
  });
}

async function bundle(code: string, external: readonly string[] = []): Promise<OutputChunk> {
  writeFileSync(join(project, 'entry.js'), code);
  const build = await rolldown({
    input: join(project, 'entry.js'),
    platform: 'browser',
    external: ['graphql-ws', ...external],
  });
  const { output } = await build.generate({ minify: true });
  await build.close();
  // The others are loaded when they are needed.
  const [chunk]: readonly (OutputAsset | OutputChunk)[] = output;
  if (chunk?.type !== 'chunk') throw new Error('a chunk expected');
  return chunk;
}

describe('the package @gengraph/client', () => {
  test('depends on graphql-ws alone and imports nothing of the server', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as object;
    expect(manifest).toMatchObject({
      dependencies: { 'graphql-ws': expect.any(String) },
      peerDependencies: { graphql: '^16.0.0 || ^17.0.0' },
    });
    const files = readdirSync(join(installed, 'dist')).filter((name) => /\.(js|d\.ts)$/.test(name));
    expect(files).toContain('gengraph.js');
    const imported = files.flatMap((name) =>
      [
        ...readFileSync(join(installed, 'dist', name), 'utf8').matchAll(
          /(?:\bfrom |\bimport\(|<reference types=)["']([^"']+)["']/g,
        ),
      ].map(([, target = '']) => target),
    );
    const foreign = imported.filter((target) => !/^\.\/[\w.-]+\.js$/.test(target));
    expect(foreign.filter((target) => target !== 'graphql-ws' && target !== 'graphql')).toEqual([]);
  });

  test('has at most 5 KB of compressed code for the core and chats, and 5.5 KB with all other kinds', async () => {
    const page = `import { createGengraph } from '@gengraph/client'; globalThis.g = createGengraph({ url: '/graphql' });`;
    const sizeOf = async (external: readonly string[]): Promise<number> =>
      gzipSync((await bundle(page, external)).code).length;
    expect(await sizeOf(['./generate.js'])).toBeLessThanOrEqual(5 * 1024);
    expect(await sizeOf([])).toBeLessThanOrEqual(5.5 * 1024);
  });

  test('leaves nothing of what a page does not use', async () => {
    const { code } = await bundle(
      `import { applyChatEvent } from '@gengraph/client'; import { VoiceDocument } from '@gengraph/client/documents'; globalThis.a = [applyChatEvent, VoiceDocument];`,
    );
    expect(code).not.toMatch(/graphql-ws|StreamChat|sessionStorage/);
  });

  test('has types that are clean without skipLibCheck, also with the DOM', () => {
    writeFileSync(
      join(project, 'page.ts'),
      `import { createGengraph, type ChatView } from '@gengraph/client';
import { StreamChatDocument } from '@gengraph/client/documents';
import { createReconnectingClient } from '@gengraph/client/reconnecting';
import { print } from 'graphql';
const gengraph = createGengraph({ url: '/graphql', credential: async () => null, storage: sessionStorage });
const chat = gengraph.chat({ model: 'm', messages: [{ role: 'USER', content: { text: 'Hello' } }] }, { id: 'a' });
export async function show(render: (view: ChatView) => void): Promise<void> {
  for await (const view of chat) render(view);
  for await (const { assets } of gengraph.generate('queueImage', { prompt: 'a fox' })) console.log(assets[0]?.url);
  // @ts-expect-error A prompt is a text.
  gengraph.generate('queueImage', { prompt: 1 });
}
createReconnectingClient({ url: 'ws://localhost' }).subscribe(
  { query: print(StreamChatDocument) },
  { next: console.log, error: console.error, complete() {} },
);
`,
    );
    for (const extra of [
      ['--lib', 'es2024,dom,dom.asynciterable', '--types', ''],
      ['--exactOptionalPropertyTypes', '--lib', 'es2024,dom', '--types', ''],
    ]) {
      const parameters = [
        '--strict',
        '--noEmit',
        '--module',
        'nodenext',
        '--target',
        'es2024',
        ...extra,
        'page.ts',
      ];
      let output = '';
      try {
        execFileSync(resolve('node_modules/.bin/tsc'), parameters, { cwd: project, encoding: 'utf8' });
      } catch (error) {
        output = String((error as { readonly stdout?: unknown }).stdout); // What execFileSync throws.
      }
      expect(output).toBe('');
    }
  });

  test('can be imported where there is no page, and touches none of its globals', () => {
    const touching = `
      for (const name of ['window', 'document', 'location', 'sessionStorage', 'localStorage', 'crypto', 'WebSocket', 'addEventListener'])
        Object.defineProperty(globalThis, name, { configurable: true, get() { throw new Error('touched ' + name); } });
      await import('@gengraph/client');
      await import('@gengraph/client/documents');
      await import('@gengraph/client/reconnecting');`;
    expect(runNode(touching)).toBe('');
  });

  test('runs without crypto, atob, sessionStorage and TextDecoderStream, as in React Native', async () => {
    await using app = await startApp();
    const script = `
      for (const name of ['crypto', 'atob', 'sessionStorage', 'TextDecoderStream'])
        Object.defineProperty(globalThis, name, { value: undefined });
      const { createGengraph } = await import('@gengraph/client');
      const gengraph = createGengraph({ url: process.argv[1], credential: 'sk-sandbox' });
      let last;
      for await (const view of gengraph.chat({ model: 'gpt-4o', messages: [{ role: 'USER', content: { text: 'Hello' } }] })) last = view;
      console.log(last.status, last.text.length > 0);
      await gengraph.dispose();`;
    const { promise, resolve: end } = Promise.withResolvers<string>();
    const { execFile } = await import('node:child_process');
    execFile(
      process.execPath,
      ['--input-type=module', '--eval', script, app.url],
      { cwd: project, encoding: 'utf8' },
      (error, stdout, stderr) => end(error ? stderr : stdout),
    );
    expect(await promise).toBe('completed true\n');
  });
});

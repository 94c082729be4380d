import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { linkedPaths, readPage } from './support/markdown.ts';
import { startProgram } from './support/programs.ts';

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly files: readonly string[];
  readonly scripts: Readonly<Record<string, string>>;
}

const root = resolve(import.meta.dirname, '..');
// The file is ours; the fields that are read here are the ones that are checked.
const manifest = JSON.parse(readPage('package.json')) as Manifest;

/** The source of a built file, or the file itself where it is not built. */
function sourcesOf(target: string): readonly string[] {
  if (!target.startsWith('./dist/')) return [target];
  const source = target.replace('./dist/', './src/').replace(/(\.d\.ts|\.js)$/, '');
  return [source, `${source}.ts`, `${source}.js`];
}

test('the package exports only what the sources have, and packs what it exports', () => {
  const exported = Object.values(manifest.exports).flatMap((entry) =>
    typeof entry === 'string' ? [entry] : Object.values(entry),
  );
  const targets = [...exported, ...Object.values(manifest.bin)];
  expect(targets.length).toBeGreaterThan(4);
  const isThere = (target: string): boolean =>
    sourcesOf(target).some((source) => existsSync(resolve(root, source)));
  const isPacked = (target: string): boolean =>
    manifest.files.some((file) => `${target}/`.startsWith(`./${file}/`));
  expect(targets.filter((target) => !isThere(target))).toEqual([]);
  expect(targets.filter((target) => !isPacked(target))).toEqual([]);
});

test('the package never has settings with secrets', () => {
  expect(manifest.files).toEqual(expect.arrayContaining(['!**/.env', '!**/*.env']));
});

test('the package has no code for front ends: that is the package @gengraph/client', () => {
  expect(Object.keys(manifest.exports).filter((entry) => !/\.(json|graphql)$/.test(entry))).toEqual([]);
});

test('the package is built before it is packed, with its pages in a directory that is packed', () => {
  expect(manifest.scripts['prepack']).toBe('npm run build');
  expect(manifest.scripts['build']).toMatch(/&& npm run build:playground && npm run build:graphiql$/);
  expect(manifest.scripts['build:playground']).toBe('vite build src/playground');
  expect(manifest.scripts['build:graphiql']).toMatch(/&& node build-graphiql.ts$/);
  expect(readPage('build-graphiql.ts')).toContain("'dist/graphiql'");
  expect(readPage('src/playground/vite.config.ts')).toContain("'../../dist/playground'");
  expect(manifest.files).toContain('dist');
});

test('an installation builds the pages only where their sources are', () => {
  // In an image, packages are installed before the sources are copied.
  expect(manifest.scripts['prepare']).toContain('[ -d src/playground ]');
});

/** The paths of all files that `npm pack` packs, without those that the build makes. */
async function listPacked(): Promise<readonly string[]> {
  const packing = startProgram(['npm', 'pack', '--dry-run', '--json', '--ignore-scripts']);
  expect((await packing.exited).code).toBe(0);
  // What npm prints.
  const [packed] = JSON.parse(packing.output) as readonly { files: readonly { path: string }[] }[];
  return (packed?.files ?? []).map(({ path }) => path).filter((path) => !path.startsWith('dist/'));
}

describe('the packed pages', () => {
  test('link only to files that are packed too', async () => {
    const packed = await listPacked();
    const pages = packed.filter((path) => path.endsWith('.md'));
    expect(pages.length).toBeGreaterThan(25);
    const isPacked = (target: string): boolean =>
      packed.some((path) => path === target || path.startsWith(`${target}/`));
    const dead = pages.flatMap((page) =>
      linkedPaths(page)
        .filter((target) => !isPacked(target))
        .map((target) => `${page}: ${target}`),
    );
    expect(dead).toEqual([]);
  });

  test('come with the files of an operator', async () => {
    expect(await listPacked()).toEqual(
      expect.arrayContaining([
        'deploy/gengraph.service',
        'deploy/grafana/gengraph.json',
        'deploy/nginx.conf',
        'deploy/prometheus/alerts.yaml',
        'deploy/prometheus/prometheus.yaml',
      ]),
    );
  });
});

import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findAssertions } from './support/assertions.ts';
import { measureFunctions } from './support/function-lengths.ts';
import { findCircles, findRuntimeImports } from './support/import-circles.ts';
import { findModuleState } from './support/module-state.ts';
import { findUnusedExports } from './support/unused-exports.ts';

const root = resolve(import.meta.dirname, '../src');

/** Each layer may import itself and what stands before it. */
const layers = [
  ['lib'],
  [
    'error-codes.ts',
    'errors.ts',
    'config.ts',
    'exploration.ts',
    'check-settings.ts',
    'printable-setting.ts',
    'setting-types.ts',
    'auth-settings.ts',
    'caller-limits.ts',
    'webhook-settings.ts',
    'file-settings.ts',
  ],
  ['tracing', 'metrics'],
  ['gateway', 'store', 'bus', 'outgoing'],
  ['generations', 'streams', 'tasks', 'files', 'webhooks'],
  ['wrap-records.ts'],
  ['create-engine.ts'],
  ['graphql'],
  ['capabilities'],
  ['schema.ts'],
  ['server'],
  [
    'open-records.ts',
    'open-files.ts',
    'server-keys.ts',
    'changed-settings.ts',
    'env-files.ts',
    'serve-figures.ts',
    'create-log.ts',
    'end-by-signal.ts',
    'exit-when-idle.ts',
    'explain-start.ts',
  ],
  ['find-owner.ts', 'retry-files.ts', 'shut-down.ts', 'open-webhooks.ts'],
  ['app.ts', 'command-line.ts'],
  ['announce.ts', 'processes'],
  ['main.ts'],
];

/**
 * The rooms of a folder: each may import itself and what stands before it. Only the file at the end joins them all. An arrow is
 * a pair of rooms of which one imports the other.
 */
const roomsByFolder = {
  server: {
    maxArrows: 24,
    rooms: [
      'admission',
      'callers',
      'sending',
      'operation',
      'websocket',
      'callbacks',
      'http',
      'pages',
      'server.ts',
    ],
  },
  'store/sql': {
    maxArrows: 45,
    rooms: [
      'basics',
      'contents',
      'owners',
      'instances',
      'generations',
      'tasks',
      'creations',
      'files',
      'maintenance',
      'outgoing',
      'migrations',
      'sql-store.ts',
    ],
  },
};

/** Groups of files whose types name each other. There may be fewer, but not more. */
const maxTypeCircles = 4;

/** There may be fewer, but not more. */
const maxLongFunctions = 5;

/** There may be fewer, but not more. */
const maxAssertions = 70;

const moduleStateExceptions = [
  // Caches keyed weakly by an argument: an entry lives no longer than its key.
  /^server\/operation\/event-execution\.ts: (schemas|documents) holds a new WeakMap/,
  /^server\/operation\/event-execution\.ts: writes to (schemas|documents),/,
  /^streams\/follow-stream\.ts: sharedByStream holds a new WeakMap/,
  /^streams\/follow-stream\.ts: writes to sharedByStream,/,
  /^client\/ai-sdk\/memory\.ts: memories holds a new WeakMap/,
  /^client\/ai-sdk\/memory\.ts: writes to memories,/,
  /^sandbox\/http\/cut-connection\.ts: cutHere holds a new WeakSet/,
  /^sandbox\/http\/cut-connection\.ts: writes to cutHere,/,
  // A task family of the sandbox keys its state weakly by the running sandbox.
  /^sandbox\/[\w-]+\/[\w-]+\.ts: createTaskFamily runs at import/,
  /^sandbox\/video-queries\/video-queries\.ts: createRead runs at import/,
  // A context of React has the identity of its module.
  /^client\/react\/context\.ts: createContext runs at import/,
  // A process has one event loop, whose iterations all large work shares.
  /^lib\/fairness\/large-work\.ts: createLargeWork runs at import/,
  // Where a process or a thread begins.
  /^sandbox\/main\.ts: runs at import/,
  /^sandbox\/media\/render-thread\.ts: runs at import/,
  /^store\/sqlite\/checkpoint-thread\.ts: runs at import/,
];

interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** Of this project, as paths below src. */
  readonly imports: readonly string[];
  /** Those that are not of types alone. */
  readonly runtimeImports: readonly string[];
}

function readSources({ isPlayground = false } = {}): readonly SourceFile[] {
  return (
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      // The playground is a page with a build of its own.
      .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.generated.ts'))
      .filter((path) => path.startsWith('playground/') === isPlayground)
      .map((path) => {
        const text = readFileSync(join(root, path), 'utf8');
        const toPath = (target: string): string => relative(root, resolve(root, path, '..', target));
        const targets = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)];
        return {
          path,
          text,
          imports: targets.map(([, target = '']) => toPath(target)),
          runtimeImports: findRuntimeImports(text).map(toPath),
        };
      })
  );
}

const sources = readSources();

function topOf(path: string): string {
  return path.split('/')[0] ?? '';
}

function layerOf(path: string): number {
  return layers.findIndex((names) => names.includes(topOf(path)));
}

/** `path -> import` of every import that breaks a rule. */
function breaches(isAllowed: (from: string, to: string) => boolean): readonly string[] {
  return sources.flatMap(({ path, imports }) =>
    imports.filter((to) => !isAllowed(path, to)).map((to) => `${path} -> ${to}`),
  );
}

describe('the source', () => {
  test('is found', () => {
    expect(sources.length).toBeGreaterThan(50);
  });

  test('imports in one direction, so that each layer can be understood without those above it', () => {
    const isOutside = (path: string): boolean => ['sandbox', 'client', 'contract'].includes(topOf(path));
    expect(breaches((from, to) => isOutside(from) || isOutside(to) || layerOf(to) <= layerOf(from))).toEqual(
      [],
    );
    const unplaced = sources
      .filter(({ path }) => !isOutside(path) && layerOf(path) === -1)
      .map(({ path }) => path);
    expect(unplaced).toEqual([]);
  });

  test.each(Object.entries(roomsByFolder))(
    'imports in one direction among the rooms of %s, with few arrows',
    (folder, { rooms, maxArrows }) => {
      const isIn = (path: string): boolean => path.startsWith(`${folder}/`);
      const roomOf = (path: string): number => rooms.indexOf(topOf(path.slice(folder.length + 1)));
      const unplaced = sources.filter(({ path }) => isIn(path) && roomOf(path) === -1);
      expect(unplaced.map(({ path }) => path)).toEqual([]);
      expect(breaches((from, to) => !isIn(from) || !isIn(to) || roomOf(to) <= roomOf(from))).toEqual([]);
      const arrows = sources
        .filter(({ path }) => isIn(path))
        .flatMap(({ path, imports }) =>
          imports
            .filter(isIn)
            .flatMap((to) => (roomOf(to) === roomOf(path) ? [] : `${roomOf(path)} ${roomOf(to)}`)),
        );
      expect(new Set(arrows).size).toBeLessThanOrEqual(maxArrows);
    },
  );

  test('loads no files in a circle, and has few circles of types', () => {
    const circlesOf = (member: 'imports' | 'runtimeImports') =>
      findCircles(new Map(sources.map((source) => [source.path, source[member]])));
    expect(circlesOf('runtimeImports')).toEqual([]);
    const circles = circlesOf('imports');
    expect(circles.length, JSON.stringify(circles, undefined, 2)).toBeLessThanOrEqual(maxTypeCircles);
    const example = findCircles(new Map(Object.entries({ a: ['b'], b: ['c'], c: ['b', 'd'], d: [] })));
    expect(example).toEqual([['b', 'c']]);
  });

  test('keeps capabilities apart, so that one can be added or taken away alone', () => {
    const capabilityOf = (path: string): string | undefined => /^capabilities\/([^/]+)\//.exec(path)?.[1];
    const isApart = (from: string, to: string): boolean =>
      capabilityOf(from) === undefined ||
      topOf(to) !== 'capabilities' ||
      capabilityOf(from) === capabilityOf(to);
    expect(breaches(isApart)).toEqual([]);
  });

  test('keeps the requests, replies and limits of capabilities below the graph', () => {
    const isBelow = (path: string): boolean => /^capabilities\/.*\/(wire|client|limits)\.ts$/.test(path);
    expect(breaches((from, to) => !isBelow(from) || topOf(to) !== 'graphql')).toEqual([]);
    expect(sources.filter(({ path }) => isBelow(path)).length).toBeGreaterThan(20);
  });

  test('shares no shapes with the sandbox: a wrong member name must not be wrong on both sides', () => {
    const isIn = (folder: string, path: string): boolean => topOf(path) === folder;
    expect(breaches((from, to) => !isIn('sandbox', from) || isIn('sandbox', to) || isIn('lib', to))).toEqual(
      [],
    );
    expect(
      breaches((from, to) => !isIn('sandbox', to) || isIn('sandbox', from) || from === 'app.ts'),
    ).toEqual([]);
  });

  test('does nothing at import and holds no state in modules, but for the exceptions named here', () => {
    const found = findModuleState(Object.fromEntries(sources.map(({ path, text }) => [path, text])));
    const places = found.map((finding) => finding.replace(/:\d+:/, ':'));
    const isException = (place: string): boolean =>
      moduleStateExceptions.some((exception) => exception.test(place));
    expect(found.filter((_finding, index) => !isException(places[index] ?? ''))).toEqual([]);
    const isUsed = (exception: RegExp): boolean => places.some((place) => exception.test(place));
    expect(moduleStateExceptions.filter((exception) => !isUsed(exception))).toEqual([]);
  });

  test('leaves the client free of the server, since front ends bundle it', () => {
    expect(breaches((from, to) => topOf(from) !== 'client' || topOf(to) === 'client')).toEqual([]);
  });

  test('leaves the contract free of what it tests: it knows only addresses', () => {
    const isIn = (path: string): boolean => topOf(path) === 'contract';
    expect(breaches((from, to) => isIn(from) === isIn(to))).toEqual([]);
  });

  test('leaves the playground with the packages of the client alone, as any page of a user', () => {
    const imported = readSources({ isPlayground: true }).flatMap(({ path, imports }) => [path, ...imports]);
    expect(imported.length).toBeGreaterThan(3);
    expect(imported.filter((path) => !path.startsWith('playground/'))).toEqual([]);
  });

  test('reads the environment and prints only where a process begins', () => {
    const mayRead = new Set(['config.ts', 'sandbox/main.ts']);
    const reading = sources.filter(({ path, text }) => !mayRead.has(path) && text.includes('process.env'));
    expect(reading.map(({ path }) => path)).toEqual([]);
    const mayPrint = new Set([
      'main.ts',
      'announce.ts',
      'end-by-signal.ts',
      'exit-when-idle.ts',
      'processes/primary.ts',
      'processes/serve-in-process.ts',
      'sandbox/main.ts',
      'contract/main.ts',
    ]);
    const printing = sources.filter(
      ({ path, text }) => !mayPrint.has(path) && /^\s*(console\.\w+\(|process\.std(out|err)\b)/m.test(text),
    );
    expect(printing.map(({ path }) => path)).toEqual([]);
  });

  test('uses of its packages what they export', () => {
    // The standard printer of descriptions, which graphql exports only with a whole document.
    const exceptions = new Set(['graphql/language/blockString.js']);
    const hasExports = (name: string): boolean => {
      const manifest: object = JSON.parse(
        readFileSync(`node_modules/${name}/package.json`, 'utf8'),
      ) as object;
      return 'exports' in manifest;
    };
    const subpaths = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/(?:from |import\()'((?:@[^/']+\/)?[^./'@][^/':]*)\/([^']+)'/g)]
        .map(([, name = '', subpath = '']) => ({ path, name, subpath }))
        .filter(({ path: from }) => !from.startsWith('playground/')),
    );
    expect(subpaths.length).toBeGreaterThan(5);
    // Node refuses a subpath that `exports` does not name.
    const isPrivate = ({ name, subpath }: { name: string; subpath: string }): boolean =>
      !hasExports(name) && !exceptions.has(`${name}/${subpath}`);
    expect(subpaths.filter(isPrivate)).toEqual([]);
  });

  test('loads OpenTelemetry only where it is configured', () => {
    const importing = sources.filter(({ text }) => text.includes("from '@opentelemetry/"));
    expect(importing.map(({ path }) => path).toSorted()).toEqual([
      'metrics/otel-metrics.ts',
      'tracing/otlp-tracing.ts',
    ]);
    for (const [module, loader] of [
      ['otlp-tracing', 'tracing/start-tracing.ts'],
      ['otel-metrics', 'metrics/start-metrics.ts'],
    ] as const) {
      const loading = sources.filter(({ text }) =>
        new RegExp(`^(?!import type).*/${module}\\.ts'`, 'm').test(text),
      );
      expect(loading.map(({ path }) => path)).toEqual([loader]);
      expect(loading[0]?.text).toContain(`await import('./${module}.ts')`);
    }
  });

  test('switches no type check off', () => {
    const off = /: any\b|<any>|\bas any\b|@ts-(ignore|expect-error|nocheck)|\w!\.|\benum \w+ \{/;
    const offending = sources.flatMap(({ path, text }) =>
      text
        .split('\n')
        .filter((line) => off.test(line) && !/^\s*(\/\/|\*|\/\*)|'.*'|`.*`/.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );
    expect(offending).toEqual([]);
  });

  test('uses nothing that the oldest supported Node cannot read', () => {
    const tooNew = /^\s*(await )?using \w|Promise\.try\(|RegExp\.escape\(|Error\.isError\(|new URLPattern\(/m;
    expect(sources.filter(({ text }) => tooNew.test(text)).map(({ path }) => path)).toEqual([]);
  });

  test('imports packages by what they export, not by paths inside of them', () => {
    // A scope, a name, and at most what the package itself names: a folder of its build is private.
    const inside = /from '(?!\.)(?:@[\w.-]+\/)?[\w.-]+\/(?:lib|dist|src|build|esm|cjs)\//;
    expect(inside.test("import Pool from 'undici/lib/dispatcher/pool.js';")).toBe(true);
    expect(sources.filter(({ text }) => inside.test(text)).map(({ path }) => path)).toEqual([]);
  });

  test('holds one idea a file: none is over 400 lines', () => {
    const long = sources.filter(({ text }) => text.split('\n').length > 401).map(({ path }) => path);
    expect(long).toEqual([]);
  });

  test(`holds at most ${maxLongFunctions} functions of more than 100 lines`, () => {
    // A factory of that length with state in its closure is a class, or two modules.
    const functions = sources.flatMap(({ path, text }) => measureFunctions(path, text));
    expect(functions.length).toBeGreaterThan(5000);
    const long = functions.filter(({ lines }) => lines > 100);
    expect(long.length, long.map((found) => JSON.stringify(found)).join('\n')).toBeLessThanOrEqual(
      maxLongFunctions,
    );
  });

  test(`asserts the type of a value at most ${maxAssertions} times`, () => {
    // A type guard, a generic or an overload says it where it can be checked.
    const isProduct = (path: string): boolean => topOf(path) !== 'sandbox';
    const assertions = [...sources, ...readSources({ isPlayground: true })]
      .filter(({ path }) => isProduct(path))
      .flatMap(({ path, text }) => findAssertions(path, text));
    expect(findAssertions('a.ts', 'const a = [b as unknown as C, <D>e, f] as const;')).toHaveLength(3);
    expect(assertions.length, assertions.join('\n')).toBeLessThanOrEqual(maxAssertions);
  });

  test('exports no value that nothing imports', () => {
    const top = resolve(root, '..');
    const paths = globSync(['{src,test,deploy}/**/*.{ts,tsx}', '*.ts'], {
      cwd: top,
      exclude: ['**/node_modules', 'test/artifacts'],
    });
    const unused = findUnusedExports(
      Object.fromEntries(paths.map((path) => [path, readFileSync(join(top, path), 'utf8')])),
    );
    // Where programs begin, and what users import.
    const isEntry =
      /^src\/(main\.ts|contract\/main\.ts|client\/(.+\/)?index\.ts|playground\/vite\.config\.ts):/;
    const isChecked = (name: string): boolean =>
      name.startsWith('src/') && !isEntry.test(name) && !name.includes('.generated.ts:');
    expect(unused.filter(isChecked)).toEqual([]);
  });
});

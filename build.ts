import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { copyFile, cp, mkdir } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { basename, join } from 'node:path';
import { type OutputChunk, type Plugin, rolldown } from 'rolldown';

/**
 * Bundles the server, the sandbox and the contract into `dist`, or the directory of the first argument. A start that loads a few files takes half
 * the time of one that loads 1,300, and the server has exactly one instance of graphql, whatever is installed beside the package.
 */
const [, , target = 'dist'] = process.argv;
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly optionalDependencies: Readonly<Record<string, string>>;
};

/** Packages that stay outside: not always installed, or loaded only where they are used. */
const external = [
  ...Object.keys(manifest.optionalDependencies),
  '@opentelemetry',
  'pg',
  // Optional native parts of ws.
  'bufferutil',
  'utf-8-validate',
];

/**
 * Loads the modules of Node without a namespace of their exports. An `import` reads every export and so calls every getter, which
 * loads parts that nobody uses: `node:http` with its getter of `WebSocket` loads Node's own copy of undici.
 */
const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  resolveId: (id, _importer, { kind }) =>
    // The runtime of the bundle itself imports `node:module`.
    kind === 'import-statement' && isBuiltin(id) && id !== 'node:module'
      ? `\0${id.replace(/^(node:)?/, 'node:')}.cjs`
      : undefined,
  load(id) {
    const [, name] = /^\0(node:.*)\.cjs$/.exec(id) ?? [];
    return name === undefined ? undefined : `module.exports = process.getBuiltinModule('${name}');`;
  },
};

/** Always true in Node, where reading the global `Request` loads Node's own copy of undici, a tenth of the start. */
const comparison = 'fetchAPI.Request !== globalThis.Request';
const withoutGlobalRequest: Plugin = {
  name: 'without-global-request',
  transform(code, id) {
    if (!id.endsWith('/@whatwg-node/server/esm/createServerAdapter.js')) return undefined;
    if (!code.includes(comparison)) throw new Error(`${id} no longer contains "${comparison}"`);
    return code.replace(comparison, 'true');
  },
};

/** The parts of undici that the program uses. Its main module also loads those of `fetch`, of mocks and of caches, a twentieth of the start. */
const undiciParts: Plugin = {
  name: 'undici-parts',
  resolveId: (id) => (id === 'undici' ? '\0undici' : undefined),
  load: (id) =>
    id === '\0undici'
      ? [
          "import api from 'undici/lib/api/index.js';",
          "import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';",
          "export { default as Agent } from 'undici/lib/dispatcher/agent.js';",
          "export { default as Pool } from 'undici/lib/dispatcher/pool.js';",
          "export { default as buildConnector } from 'undici/lib/core/connect.js';",
          "export { default as errors } from 'undici/lib/core/errors.js';",
          'Object.assign(Dispatcher.prototype, api);',
        ].join('\n')
      : undefined,
};

const bundle = await rolldown({
  input: {
    main: 'src/main.ts',
    'sandbox/main': 'src/sandbox/main.ts',
    'contract/main': 'src/contract/main.ts',
    'render-thread': 'src/sandbox/media/render-thread.ts',
    'checkpoint-thread': 'src/store/sqlite/checkpoint-thread.ts',
  },
  platform: 'node',
  plugins: [lazyBuiltins, withoutGlobalRequest, undiciParts],
  external: (id) => external.some((name) => id === name || id.startsWith(`${name}/`)),
});
const { output } = await bundle.write({
  dir: target,
  comments: { legal: false, jsdoc: false },
  // Chunks lie beside each other, because two of them find a file by its path relative to themselves: the version of the
  // package, and the programs of threads.
  chunkFileNames: '[name]-[hash].js',
});
await bundle.close();
const chunks = output.filter((file) => file.type === 'chunk');
const graphqlChunks = chunks.filter(({ moduleIds }) =>
  moduleIds.some((id) => id.endsWith('/graphql/version.mjs') || id.endsWith('/graphql/version.js')),
);
if (graphqlChunks.length !== 1) throw new Error(`graphql is in ${graphqlChunks.length} chunks, expected 1`);

const operations = join(target, 'client/operations');
await mkdir(operations, { recursive: true });
for (const name of ['start.js', 'require-node.js', 'client/trusted-documents.json'])
  await copyFile(join('src', name), join(target, name));
for (const file of globSync('src/{graphql,capabilities/*}/operations/*.graphql'))
  await cp(file, join(operations, basename(file)));
writeFileSync(join(target, 'THIRD-PARTY.txt'), printNotices(chunks));

/** The licenses of all packages in the bundle. */
function printNotices(all: readonly OutputChunk[]): string {
  const directories = new Set(
    all.flatMap(({ moduleIds }) =>
      moduleIds.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []),
    ),
  );
  const notices = new Map([...directories].map(readNotice));
  const texts = [...notices].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text);
  const rule = `\n\n${'-'.repeat(72)}\n\n`;
  return `The program contains the following packages.${rule}${texts.join(rule)}\n`;
}

/** Name and version of a package, and its notice. @throws Error if it names no license */
function readNotice(directory: string): readonly [string, string] {
  const { name, version, license } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
    readonly license?: string;
  };
  const files = readdirSync(directory).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  if (license === undefined && files.length === 0) throw new Error(`${name} names no license`);
  const title = `${name} ${version}`;
  const texts = files.map((file) => readFileSync(join(directory, file), 'utf8').trim());
  return [title, [`${title} (${license ?? 'see below'})`, ...texts].join('\n\n')];
}

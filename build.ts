import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { copyFile, cp, mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type OutputChunk, rolldown } from 'rolldown';

/**
 * Bundles the server and the sandbox into `dist`. The client is compiled file by file beforehand, with its types, because front
 * ends bundle it themselves. A start that loads a few files takes half the time of one that loads 1,300, and the server has
 * exactly one instance of graphql, whatever is installed beside the package.
 */
const target = 'dist';
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly optionalDependencies: Readonly<Record<string, string>>;
};

/** Packages that stay outside: not always installed, or loaded only where they are used. */
const external = [
  ...Object.keys(manifest.optionalDependencies),
  '@graphql-yoga/render-graphiql',
  '@opentelemetry',
  // Optional native parts of ws.
  'bufferutil',
  'utf-8-validate',
];

const bundle = await rolldown({
  input: {
    main: 'src/main.ts',
    'sandbox/main': 'src/sandbox/main.ts',
    'render-thread': 'src/sandbox/media/render-thread.ts',
  },
  platform: 'node',
  external: (id) => external.some((name) => id === name || id.startsWith(`${name}/`)),
});
const { output } = await bundle.write({
  dir: target,
  // Chunks lie beside each other, because two of them find a file by its path relative to themselves: the version of the
  // package, and the program of the render thread.
  chunkFileNames: '[name]-[hash].js',
});
await bundle.close();
const chunks = output.filter((file) => file.type === 'chunk');
const graphqlChunks = chunks.filter(({ moduleIds }) =>
  moduleIds.some((id) => id.endsWith('/graphql/version.mjs') || id.endsWith('/graphql/version.js')),
);
if (graphqlChunks.length !== 1) throw new Error(`graphql is in ${graphqlChunks.length} chunks, expected 1`);

for (const name of ['start.js', 'require-node.js']) await copyFile(join('src', name), join(target, name));
const operations = join(target, 'client/operations');
await mkdir(operations, { recursive: true });
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

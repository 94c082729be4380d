import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { codeBlocks, readPage } from '../support/markdown.ts';
import { type ClientProject, useClientProject } from '../support/packed-client.ts';
import {
  frameworkModules,
  frontendRuns,
  hasFrameworks,
  skipWithoutFrameworks,
} from './support/frameworks.ts';

const peers = [
  'graphql',
  'graphql-ws',
  'react',
  '@types/react',
  'react-dom',
  '@types/react-dom',
  'ai',
  '@apollo/client',
  '@urql/core',
  '@urql/exchange-graphcache',
];

/** The package tools are installed for these tests only, so this program has no types of theirs. */
function importTool(file: string): Promise<unknown> {
  return import(pathToFileURL(join(frameworkModules, file)).href);
}

beforeEach(skipWithoutFrameworks);

// Without the frameworks there is nothing to pack for.
describe.runIf(hasFrameworks)('the packed client', () => {
  const project = useClientProject(peers, [frameworkModules, 'node_modules']);

  test('has nothing that publint complains about', async () => {
    const { publint } = (await importTool('publint/src/index-node.js')) as {
      publint(options: object): Promise<{ readonly messages: readonly object[] }>;
    };
    const { messages } = await publint({ pkgDir: project.installed, strict: true, pack: false });
    expect(messages).toEqual([]);
  });

  test('has types that agree with its programs, for bundlers and for modules of Node', async () => {
    const { checkPackage, createPackageFromTarballData } = (await importTool(
      '@arethetypeswrong/core/dist/index.js',
    )) as PackageTool;
    const { problems } = await checkPackage(createPackageFromTarballData(readFileSync(project.tarball)), {
      excludeEntrypoints: [/\.json$/],
    });
    // The package is for ES modules alone: the old resolution and `require` of it are no use.
    const ofModules = problems.filter(
      ({ resolutionKind }) => resolutionKind !== 'node10' && resolutionKind !== 'node16-cjs',
    );
    expect(ofModules).toEqual([]);
  });

  const [old, current] = [
    join(frameworkModules, 'typescript/lib/tsc.js'),
    resolve('node_modules/typescript/bin/tsc'),
  ];
  const pairs = [
    ['5.9', 'bundler', old],
    ['7', 'nodenext', current],
    ['5.9', 'nodenext', old],
    ['7', 'bundler', current],
  ] as const;
  // The first two cover each compiler and each resolution.
  test.each(frontendRuns > 1 ? pairs : pairs.slice(0, 2))(
    'has clean types without skipLibCheck with TypeScript %s for %s',
    { timeout: 300_000 },
    async (_version, resolution, compiler) => {
      const page = project.entries.map((entry, index) => `export * as e${index} from '${entry}';\n`);
      project.write('all.ts', page.join(''));
      expect(await checkTypes(project, { compiler, resolution, file: 'all.ts' })).toEqual([]);
    },
  );

  test.each([old, current])('is found by editors with the configuration of the guides', async (compiler) => {
    for (const file of ['chat.tsx', 'http.tsx', 'main.tsx'])
      project.write(file, readFileSync(`test/frontends/examples/apollo-chat/${file}`, 'utf8'));
    const [config = ''] = codeBlocks(readPage('docs/guides/README.md'), 'json');
    project.write('tsconfig.json', JSON.stringify({ ...JSON.parse(config), include: ['*.tsx'] }));
    expect(await compile(project, compiler)).toBe('');
  });
});

test('the pages and the examples of the guides have clean types', async () => {
  const compiler = resolve('node_modules/typescript/bin/tsc');
  const run = promisify(execFile)(process.execPath, [compiler, '-p', 'test/frontends']);
  // What a program that fails has printed.
  expect((await run.catch((error: unknown) => error as { readonly stdout: string })).stdout).toBe('');
});

interface TypeCheck {
  readonly compiler: string;
  readonly resolution: string;
  readonly file: string;
}

/** The complaints about the file and the client; the libraries of others have some of their own. */
async function checkTypes(
  project: ClientProject,
  { compiler, resolution, file }: TypeCheck,
): Promise<readonly string[]> {
  const options = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    // The libraries of TypeScript itself are not checked.
    skipDefaultLibCheck: true,
    target: 'es2022',
    module: resolution === 'bundler' ? 'esnext' : resolution,
    moduleResolution: resolution,
    jsx: 'react-jsx',
    lib: ['es2023', 'esnext.disposable', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: [],
  };
  const config = JSON.stringify({ compilerOptions: options, files: [file] });
  project.write('tsconfig.json', config);
  const lines = (await compile(project, compiler)).split('\n');
  return lines.filter((line) => /^(error|\w+\.ts|.*@gengraph\/client\/)/.test(line));
}

/** What the compiler prints about the project. */
async function compile({ directory }: ClientProject, compiler: string): Promise<string> {
  const run = promisify(execFile)(process.execPath, [compiler, '-p', '.'], {
    cwd: directory,
    maxBuffer: 2 ** 26,
  });
  // What a program that fails has printed.
  return (await run.catch((error: unknown) => error as { readonly stdout: string })).stdout;
}

interface PackageTool {
  createPackageFromTarballData(tarball: Uint8Array): object;
  checkPackage(
    packed: object,
    options: object,
  ): Promise<{ readonly problems: readonly { readonly resolutionKind?: string }[] }>;
}

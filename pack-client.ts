import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';

/**
 * Compiles the client and packs it as `@gengraph/client`, without the server. Writes a `.tgz` file into the directory that is
 * given, by default the current one.
 */
const [destination = '.'] = process.argv.slice(2);
const root = import.meta.dirname;
const source = join(root, 'packages/client');
const stage = mkdtempSync(join(tmpdir(), 'gengraph-client-'));
const dist = join(stage, 'dist');
try {
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', source, '--outDir', dist], { stdio: 'inherit' });
  // The compiler rewrites the extensions of imports in programs, not in their types.
  for (const name of globSync(join(dist, '**/*.d.ts')))
    writeFileSync(
      name,
      readFileSync(name, 'utf8').replaceAll(/((?:from |import\()(['"])\.[\w./-]+)\.ts\2/g, '$1.js$2'),
    );
  await bundleForPages();
  copyFileSync(join(root, 'src/client/trusted-documents.json'), join(dist, 'trusted-documents.json'));
  for (const name of ['package.json', 'README.md']) copyFileSync(join(source, name), join(stage, name));
  cpSync(join(root, 'LICENSE'), join(stage, 'LICENSE'));
  execFileSync('npm', ['pack', '--pack-destination', resolve(destination)], {
    cwd: stage,
    stdio: 'inherit',
  });
} finally {
  rmSync(stage, { recursive: true, force: true });
}

/** One file with all that `createGengraph` needs, for pages without a build. */
async function bundleForPages(): Promise<void> {
  const bundle = await rolldown({
    input: join(root, 'src/client/gengraph.ts'),
    platform: 'browser',
    cwd: root,
  });
  const license = readFileSync(join(root, 'node_modules/graphql-ws/LICENSE.md'), 'utf8').trim();
  await bundle.write({
    file: join(dist, 'gengraph.browser.js'),
    codeSplitting: false,
    minify: true,
    comments: false,
    postBanner: `/*! Contains graphql-ws.\n\n${license}\n*/`,
  });
  await bundle.close();
}

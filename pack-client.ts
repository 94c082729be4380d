import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
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
  copyFileSync(join(source, 'package.json'), join(stage, 'package.json'));
  copyPages();
  cpSync(join(root, 'LICENSE'), join(stage, 'LICENSE'));
  execFileSync('npm', ['pack', '--pack-destination', resolve(destination)], {
    cwd: stage,
    stdio: 'inherit',
  });
} finally {
  rmSync(stage, { recursive: true, force: true });
}

/** Links to pages outside of the package become text. */
function copyPages(): void {
  const readme = readFileSync(join(source, 'README.md'), 'utf8').replaceAll('../../docs/guides/', 'guides/');
  writeFileSync(join(stage, 'README.md'), withoutForeignLinks(readme));
  const guides = join(root, 'docs/guides');
  for (const name of readdirSync(guides)) {
    const guide = readFileSync(join(guides, name), 'utf8').replaceAll(
      '../../packages/client/README.md',
      './../README.md',
    );
    mkdirSync(join(stage, 'guides'), { recursive: true });
    writeFileSync(join(stage, 'guides', name), withoutForeignLinks(guide));
  }
}

function withoutForeignLinks(page: string): string {
  return page.replaceAll(/\[([^\]]+)\]\(\.\.\/[^)]*\)/g, '$1');
}

/** One file with all that `createGengraph` and `upload` need, for pages without a build. */
async function bundleForPages(): Promise<void> {
  const bundle = await rolldown({
    input: join(root, 'src/client/browser.ts'),
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

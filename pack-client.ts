import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Compiles the client and packs it as `@gengraph/client`, without the server. Writes a `.tgz` file into the directory that is
 * given, by default the current one.
 */
const [destination = '.'] = process.argv.slice(2);
const root = import.meta.dirname;
const source = join(root, 'packages/client');
const stage = mkdtempSync(join(tmpdir(), 'gengraph-client-'));
try {
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', source, '--outDir', join(stage, 'dist')], {
    stdio: 'inherit',
  });
  // The compiler rewrites the extensions of imports in programs, not in their types.
  for (const name of globSync(join(stage, 'dist/*.d.ts')))
    writeFileSync(name, readFileSync(name, 'utf8').replaceAll(/(from '\.\/[\w.-]+)\.ts'/g, "$1.js'"));
  for (const name of ['package.json', 'README.md']) copyFileSync(join(source, name), join(stage, name));
  cpSync(join(root, 'LICENSE'), join(stage, 'LICENSE'));
  execFileSync('npm', ['pack', '--pack-destination', resolve(destination)], {
    cwd: stage,
    stdio: 'inherit',
  });
} finally {
  rmSync(stage, { recursive: true, force: true });
}

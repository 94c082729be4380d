import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OutputAsset, type OutputChunk, type Plugin, rolldown } from 'rolldown';
import { frontends } from './frameworks.ts';

/** The source of each entry of the package, as the types of the pages have them. */
const sources = readPaths();

function readPaths(): ReadonlyMap<string, string> {
  const { compilerOptions } = JSON.parse(readFileSync(join(frontends, 'tsconfig.json'), 'utf8')) as {
    readonly compilerOptions: { readonly paths: Readonly<Record<string, readonly [string]>> };
  };
  const own = Object.entries(compilerOptions.paths).filter(([id]) => id.startsWith('@gengraph/'));
  return new Map(own.map(([id, [file]]) => [id, join(frontends, file)]));
}

/** Entries of the package are their sources. Frameworks are those of the folder of the tests, also for the sources. */
const resolvePackages: Plugin = {
  name: 'resolve-packages',
  async resolveId(id, importer) {
    const source = sources.get(id);
    if (source !== undefined) return source;
    if (!/^[@\w]/.test(id) || importer?.includes('/node_modules/')) return undefined;
    return this.resolve(id, join(frontends, 'page.js'), { skipSelf: true });
  },
};

const bundles = new Map<string, Promise<string>>();

/** Bundles a page's program, once per run. `entry` is relative to the folder of the tests. */
export function bundlePage(entry: string): Promise<string> {
  const known = bundles.get(entry);
  if (known) return known;
  const bundle = build(entry);
  bundles.set(entry, bundle);
  return bundle;
}

async function build(entry: string): Promise<string> {
  const bundle = await rolldown({
    input: join(frontends, entry),
    platform: 'browser',
    // The machine may be busy.
    checks: { pluginTimings: false },
    plugins: [resolvePackages],
    transform: { jsx: 'react-jsx', define: { 'process.env.NODE_ENV': '"development"' } },
    // Comments of frameworks for other bundlers.
    onLog(level, log, handle) {
      if (level === 'warn' && log.id?.includes('/node_modules/')) return;
      handle(level, log);
    },
  });
  const { output } = await bundle.generate({ codeSplitting: false });
  await bundle.close();
  const [chunk]: readonly (OutputAsset | OutputChunk)[] = output;
  if (chunk?.type !== 'chunk') throw new Error(`${entry} has no program`);
  return chunk.code;
}

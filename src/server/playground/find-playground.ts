import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The directory with the built page: below `dist`, seen from the sources or from the bundle. Undefined if it is not built. */
export function findPlayground(): string | undefined {
  return ['../../../dist/playground', './playground']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((directory) => existsSync(join(directory, 'index.html')));
}

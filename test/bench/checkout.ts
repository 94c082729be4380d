import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The reason why Gengraph cannot start from a directory. Undefined if it can. */
export function findCheckoutFlaw(directory: string): string | undefined {
  const has = (path: string): boolean => existsSync(join(directory, path));
  if (directory === '') return '--before requires a directory';
  if (packageName(directory) !== 'gengraph' || !has('src/app.ts') || !has('src/config.ts'))
    return `${directory} is not a checkout of Gengraph`;
  if (!has('node_modules')) return `${directory} has no node_modules: run npm ci there`;
  return undefined;
}

function packageName(directory: string): unknown {
  try {
    const content: unknown = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
    return typeof content === 'object' && content !== null && 'name' in content ? content.name : undefined;
  } catch {
    return undefined;
  }
}

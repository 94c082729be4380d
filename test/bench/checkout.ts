import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asRecord, asString } from '../../src/lib/json.ts';

/** The reason why Gengraph cannot start from a directory. Undefined if it can. */
export function findCheckoutFlaw(directory: string): string | undefined {
  const has = (path: string): boolean => existsSync(join(directory, path));
  if (directory === '') return '--before requires a directory';
  if (packageName(directory) !== 'gengraph' || !has('src/app.ts') || !has('src/config.ts'))
    return `${directory} is not a checkout of Gengraph`;
  if (!has('node_modules')) return `${directory} has no node_modules: run npm ci there`;
  return undefined;
}

/** The options of Node in the `start` script of a checkout. */
export function findNodeOptions(directory: string): readonly string[] {
  const scripts = asRecord(readPackage(directory)?.['scripts']);
  const [, options = ''] = /\bnode((?: --\S+)*) /.exec(asString(scripts?.['start']) ?? '') ?? [];
  return options.split(' ').filter((option) => option !== '');
}

function packageName(directory: string): unknown {
  return readPackage(directory)?.['name'];
}

function readPackage(directory: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return asRecord(JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')));
  } catch {
    return undefined;
  }
}

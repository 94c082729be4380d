import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { addMutants, findMutants, type Mutant } from './find-mutants.ts';

/** Within the repository, since its files load packages from `node_modules`. */
export const copy = resolve('test/artifacts/mutation');

const notCopied = new Set(['.git', '.data', 'dist', 'node_modules', 'artifacts']);

/** Copies the repository. The sources of the copy have all these mutants; none is active. */
export function writeCopy(mutants: readonly Mutant[]): void {
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  for (const entry of globSync('*').filter((name) => !notCopied.has(name)))
    cpSync(entry, join(copy, entry), {
      recursive: true,
      filter: (path) => !notCopied.has(basename(path)),
    });
  // Tests that build the program read it.
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  for (const [path, own] of Map.groupBy(mutants, ({ path }) => path)) {
    const text = addMutants(readFileSync(path, 'utf8'), own);
    const [error] = parseSync(path, text).errors;
    if (error) throw new Error(`${path}: ${error.message}`);
    writeFileSync(join(copy, path), text);
  }
}

/**
 * Mutants of the files below these folders. No two overlap. A larger sample with the same seed has those of a smaller one, and
 * an edit changes only the mutants of the edited lines.
 */
export function sampleMutants(folders: readonly string[], count: number, seed: number): readonly Mutant[] {
  const paths = folders.flatMap((folder) => globSync(`src/${folder}/**/*.ts`)).toSorted();
  const all = paths.flatMap((path) => findMutants(path, readFileSync(path, 'utf8')));
  const placeOf = ({ id }: Mutant): string => createHash('sha256').update(`${seed} ${id}`).digest('hex');
  const shuffled = all
    .map((mutant) => ({ mutant, place: placeOf(mutant) }))
    .toSorted((one, other) => (one.place < other.place ? -1 : 1));
  const chosen: Mutant[] = [];
  for (const { mutant } of shuffled) {
    if (chosen.length >= count) break;
    const overlaps = chosen.some(
      ({ path, start, end }) => path === mutant.path && start < mutant.end && mutant.start < end,
    );
    if (!overlaps) chosen.push(mutant);
  }
  return chosen;
}

/** Lines of JSON that a run adds to, so that a stopped one goes on where it was. */
export function readLines(file: string): readonly unknown[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
}

export function addLine(file: string, line: object): void {
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}

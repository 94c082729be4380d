import { dirname, join } from 'node:path';
import type { Mutant } from './find-mutants.ts';
import { findRuntimeImports } from '../import-circles.ts';

/** What one test file reached, as a line of the file named by MUTANT_COVERAGE. */
export interface Coverage {
  readonly path: string;
  /** Of the content. */
  readonly hash: string;
  readonly elapsedMs: number;
  readonly hasPassed: boolean;
  readonly mutants: readonly string[];
  /** The mutants of the copy that it ran in, as the name of a file with their ids. */
  readonly sample: string;
}

/** All files that a file imports, directly or through others, with the number of imports on the way. */
export type ImportsOf = (path: string) => ReadonlyMap<string, number>;

export function createImports(read: (path: string) => string): ImportsOf {
  const direct = new Map<string, readonly string[]>();
  const directOf = (path: string): readonly string[] => {
    const known = direct.get(path) ?? findRuntimeImports(read(path)).map((to) => join(dirname(path), to));
    direct.set(path, known);
    return known.filter((target) => target.endsWith('.ts'));
  };
  return (path) => {
    const found = new Map([[path, 0]]);
    // A map visits what is added meanwhile.
    for (const [file, distance] of found)
      for (const target of directOf(file)) if (!found.has(target)) found.set(target, distance + 1);
    return found;
  };
}

export interface Choice {
  readonly coverage: readonly Coverage[];
  /** Whether the copy that a test ran in had the mutant. */
  readonly isIn: (sample: string, id: string) => boolean;
  readonly importsOf: ImportsOf;
  /** Most time that the tests of a mutant take without it. */
  readonly budgetMs: number;
}

/**
 * The test files that reach a mutant, those first that are named like its file, then the quick ones, within the budget. Where
 * that is unknown, also those that import its file, in the same order, the nearest before the quick ones: code that runs while
 * a module loads is reached by the first file that loads it.
 */
export function chooseTests(
  mutant: Mutant,
  { coverage, isIn, importsOf, budgetMs }: Choice,
): readonly Coverage[] {
  const distanceOf = ({ path, mutants, sample }: Coverage): number | undefined => {
    if (mutants.includes(mutant.id)) return 0;
    return mutant.isStatic || !isIn(sample, mutant.id) ? importsOf(path).get(mutant.path) : undefined;
  };
  const words = wordsOf(mutant.path);
  const able = coverage.flatMap((file) => {
    const distance = distanceOf(file);
    const likeness = wordsOf(file.path).intersection(words).size;
    return distance === undefined ? [] : { file, distance, likeness };
  });
  const ordered = able.toSorted(
    (one, other) =>
      Number(one.distance > 0) - Number(other.distance > 0) ||
      other.likeness - one.likeness ||
      one.distance - other.distance ||
      one.file.elapsedMs - other.file.elapsedMs,
  );
  let elapsedMs = 0;
  return ordered.flatMap(({ file }, index) => {
    if (index > 0 && elapsedMs + file.elapsedMs > budgetMs) return [];
    elapsedMs += file.elapsedMs;
    return file;
  });
}

function wordsOf(path: string): ReadonlySet<string> {
  return new Set(
    path
      .replace(/(\.test)?\.ts$/, '')
      .split(/[/-]/)
      .slice(1),
  );
}

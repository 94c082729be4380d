/** Another first seed of random tests repeats a failure, or makes a long run try other cases. */
export const firstSeed = Number(process.env['FIRST_SEED'] ?? 1);

/** Seeds of a random test: few in each run of the suite, and all in `npm run test:long`. */
export function seeds(count: number, all = 50): readonly number[] {
  return Array.from(
    { length: process.env['SEEDS'] === 'all' ? all : count },
    (_, index) => firstSeed + index,
  );
}

/** Seeds of a random test: few in each run of the suite, and all in `npm run test:long`. */
export function seeds(first: number, count: number): readonly number[] {
  return Array.from({ length: process.env['SEEDS'] === 'all' ? 50 : count }, (_, index) => first + index);
}

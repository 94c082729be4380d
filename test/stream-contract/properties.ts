import { expect } from 'vitest';
import type { Section } from './contract.ts';
import { createRandom } from '../support/random.ts';
import { firstSeed } from '../support/seeds.ts';
import { properties } from './support/properties.ts';
import type { World } from './support/world.ts';

/** `npm run test:long` sets a larger number. */
const seeds = Number(process.env['CONTRACT_SEEDS'] ?? 2);

/** Random numbers of one run. */
export interface Random {
  /** A whole number from 0 to below the limit. */
  below(limit: number): number;
  /** One of these. */
  pick<Value>(values: readonly [Value, ...Value[]]): Value;
}

export type Property = (world: World, random: Random) => Promise<void>;

export const propertySection: Section = {
  name: 'properties',
  register(check) {
    for (const [name, property] of Object.entries(properties))
      check(
        `${name}, for ${seeds} seeds`,
        async (world) => {
          for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
            const next = createRandom(seed);
            const below = (limit: number): number => Math.floor(next() * limit);
            const pick: Random['pick'] = (values) => values[below(values.length)] ?? values[0];
            try {
              await property(world, { below, pick });
            } catch (cause) {
              throw new Error(`seed ${seed}: ${String(cause)}`, { cause });
            }
          }
          expect(seeds).toBeGreaterThan(0);
        },
        { timeoutMs: 60_000 + seeds * 6000 },
      );
  },
};

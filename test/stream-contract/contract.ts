import { afterAll, describe, expect, test } from 'vitest';
import type { FaultName, SetUp } from './set-up.ts';
import { createWorld, type World } from './support/world.ts';

export interface CheckOptions {
  /** The fault that the case causes. */
  readonly needs?: FaultName;
  /** @default the runner's */
  readonly timeoutMs?: number;
}

/** Registers a case of the contract. */
export type Check = (name: string, run: (world: World) => Promise<void>, options?: CheckOptions) => void;

/** A section of the contract: a name, and the cases of it. */
export interface Section {
  readonly name: string;
  register(check: Check): void;
}

/** Runs every section on one set-up. A case that the set-up cannot run is reported as skipped, with the reason. */
export function runContract(setUp: SetUp, sections: readonly Section[]): void {
  describe(`stream contract, ${setUp.name}`, () => {
    const world = createWorld(setUp);
    afterAll(() => world.close());
    for (const { name: section, register } of sections)
      register((name, run, { needs, timeoutMs } = {}) => {
        const reason = reasonToSkip(setUp, `${section}: ${name}`, needs);
        test(
          `${section}: ${name}`,
          timeoutMs === undefined ? {} : { timeout: timeoutMs },
          async ({ skip }) => {
            if (reason !== undefined) skip(reason);
            expect.hasAssertions();
            await run(world);
          },
        );
      });
  });
}

/** Like `runContract`, only in `npm run test:contract`. Otherwise the set-up is reported as one skipped case. */
export function runLongContract(setUp: SetUp, sections: readonly Section[]): void {
  const isRun = process.env['CONTRACT_SET_UPS'] === 'all';
  const skipped: SetUp = {
    ...setUp,
    exclusions: [{ pattern: /^/, reason: 'this set-up runs in npm run test:contract' }],
  };
  runContract(isRun ? setUp : skipped, isRun ? sections : [wholeSuite]);
}

const wholeSuite: Section = {
  name: 'every section',
  register: (check) => check('every case', async () => {}),
};

function reasonToSkip(setUp: SetUp, title: string, needs: FaultName | undefined): string | undefined {
  if (needs && !setUp.faults.includes(needs)) return `not run here: this set-up cannot cause "${needs}"`;
  return setUp.exclusions?.find(({ pattern }) => pattern.test(title))?.reason;
}

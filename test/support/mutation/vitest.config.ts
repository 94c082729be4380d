import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Keeps the order of the list: the files that are most likely to fail come first. */
class AsListed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const listed = (process.env['MUTANT_TESTS'] ?? '').split(' ');
    const rank = ({ moduleId }: TestSpecification): number =>
      listed.findIndex((path) => moduleId.endsWith(`/${path}`));
    return files.toSorted((one, other) => rank(one) - rank(other));
  }
}

/** Of the copy with the mutants. */
export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/mutation/set-up.ts'],
    experimental: { viteModuleRunner: false },
    include: ['test/**/*.test.ts'],
    isolate: false,
    // A fault may make a test wait for something that does not come.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 10_000, interval: 5 } },
    sequence: { sequencer: AsListed },
  },
});

import { defineConfig } from 'vitest/config';

/** They measure what their own process holds: memory, sockets, timers. */
const ownProcess = ['test/leak.test.ts', 'test/server/pressure.test.ts', 'test/server/unsent.test.ts'];

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', './test/support/summary-reporter.ts'],
    // Node's own type stripping: with Vite's module runner graphql is loaded twice ("another module or realm").
    experimental: { viteModuleRunner: false },
    // One for each processor; the default leaves one processor to the runner, which is idle.
    maxWorkers: '100%',
    // A machine may be busy with other things: only what never comes fails by these.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000, interval: 5 } },
    projects: [
      {
        extends: true,
        // Files of one worker share its process, so that the program is imported once a worker.
        test: { name: 'shared', include: ['test/**/*.test.ts'], exclude: ownProcess, isolate: false },
      },
      { extends: true, test: { name: 'own process', include: ownProcess } },
    ],
  },
});

import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { SpreadLong } from './test/support/spread-long.ts';

/**
 * These files measure memory, sockets and timers of their process, so each has its own process. They collect garbage often, which
 * takes several times as long in a process with the modules and the garbage of other files.
 */
const ownProcess = [
  'test/leak.test.ts',
  'test/server/operation/document-cache.test.ts',
  'test/server/held-messages.test.ts',
  'test/server/pressure.test.ts',
  'test/server/unsent.test.ts',
];

/** Most pages in browsers take long. `npm run test:frontends` runs all of them, the suite those that cover the most. */
const longPages =
  process.env['FRONTEND_RUNS'] === undefined
    ? [
        'test/frontends/{next,package,react-hooks}.test.ts',
        'test/playground/{chat,conversations,files,gallery,make,misuse,page}.browser.test.ts',
      ]
    : [];

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', './test/support/summary-reporter.ts'],
    // Node's own type stripping: with Vite's module runner graphql is loaded twice ("another module or realm").
    // Without module mocks, which no test uses, each file is parsed once.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Node strips types with WebAssembly, in each thread that loads TypeScript. V8 can abort while it frees code that threads share.
    execArgv: ['--no-wasm-code-gc'],
    // Three more than processors: tests wait for databases and timers, and start processes of their own.
    maxWorkers: availableParallelism() + 3,
    // Generous, because the machine may be busy. Only a test that hangs reaches these timeouts.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000, interval: 5 } },
    sequence: { sequencer: SpreadLong },
    projects: [
      {
        extends: true,
        // Files of one worker share its process, so that the program is imported once a worker.
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...ownProcess, ...longPages, '**/node_modules/**', 'test/artifacts/**'],
          isolate: false,
          // Tests leave garbage soon. A large young generation collects it an order of magnitude less often, and helper threads
          // have no processor to themselves: together they save a sixth of the processor time.
          // The first collection of all memory waits until the heap has a size that a worker reaches anyway.
          execArgv: [
            '--min-semi-space-size=32',
            '--max-semi-space-size=64',
            '--initial-old-space-size=512',
            '--single-threaded-gc',
          ],
        },
      },
      { extends: true, test: { name: 'own process', include: ownProcess } },
    ],
  },
});

import type { Reporter, TestModule } from 'vitest/node';

/** Ends the run's output with the reasons of skipped tests and one line of counts: `123 passed, 0 failed, 1 skipped`. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    const skippedBy = new Map<string, number>();
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === 'pending') continue;
        counts[result.state] += 1;
        if (result.state !== 'skipped') continue;
        const reason = `${result.note ?? 'no reason given'} (${module.relativeModuleId})`;
        skippedBy.set(reason, (skippedBy.get(reason) ?? 0) + 1);
      }
      // A file that does not load has no tests, and must not look green.
      if (module.state() === 'failed' && module.errors().length > 0) counts.failed += 1;
    }
    const lines = [...skippedBy].map(([reason, count]) => `${count} skipped: ${reason}\n`);
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
    lines.push(`${counts.passed} passed, ${counts.failed} failed${skipped}\n`);
    // The default reporter prints its own summary later in this tick.
    process.once('exit', () => process.stdout.write(lines.join('')));
  }
}

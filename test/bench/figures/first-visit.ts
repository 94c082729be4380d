import { type Browser, chromium as engine } from 'playwright-core';
import { chromium } from '../../support/test-tools.ts';
import { familyOf } from '../database.ts';
import { type Bench, type Figure, interleave, type Row, startBefore } from '../harness.ts';
import { median, spreadOfPairs } from '../statistics.ts';

/** Time from the navigation to a built page until it can be used, in a browser with an empty cache. */
export const firstVisit: Figure = { name: 'first-visit', isPinned: false, run };

/** A page can be used when the element of `selector` exists. */
const pages = {
  playground: { path: '/', selector: '.welcome button.primary', must: 1500 },
  GraphiQL: { path: '/graphql', selector: '.graphiql-query-editor .view-line', must: 2000 },
} as const;

/** With its own sandbox, as `npm start` has. */
const settings = { GATEWAY_URL: '', SANDBOX_PORT: '0' };

async function run(bench: Bench): Promise<readonly Row[]> {
  const executablePath = chromium.find() ?? chromium.findSubstitute?.();
  if (executablePath === undefined) {
    console.error('first-visit: skipped, because there is no Chromium here');
    return [];
  }
  const own = await bench.start('gengraph', { settings });
  const before = await startBefore(bench, { settings });
  const program = await engine.launchServer({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const browser = await engine.connect(program.wsEndpoint());
    const processIds = () => [...bench.processIds(), ...familyOf(program.process().pid ?? 0)];
    const rows: Row[] = [];
    for (const page of ['playground', 'GraphiQL'] as const)
      rows.push(
        await measurePage({ ...bench, processIds }, { page, browser, own: own.url, before: before?.url }),
      );
    return rows;
  } finally {
    await program.close();
  }
}

interface Visited {
  readonly page: keyof typeof pages;
  readonly browser: Browser;
  /** Addresses for operations. */
  readonly own: string;
  readonly before: string | undefined;
}

async function measurePage(bench: Bench, { page, browser, own, before }: Visited): Promise<Row> {
  const { path, selector, must } = pages[page];
  const visit = (url: string) => () => measureVisit(browser, { url: new URL(path, url).href, selector });
  const { samples, rounds } = await interleave(bench, {
    quietRounds: bench.isQuick ? 4 : 12,
    maxMs: bench.isQuick ? 15_000 : 40_000,
    work: { own: visit(own), before: before === undefined ? undefined : visit(before) },
  });
  const value = median(samples.own);
  return {
    work: `first visit, ${page}`,
    unit: 'ms',
    gengraph: value,
    before:
      samples.before.length > 0
        ? { value: median(samples.before), change: spreadOfPairs(samples.own, samples.before) }
        : undefined,
    goal: { value, must, measure: 'value' },
    rounds,
    note: 'wall clock: compare on a quiet machine only',
  };
}

async function measureVisit(
  browser: Browser,
  { url, selector }: { readonly url: string; readonly selector: string },
): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  try {
    const page = await context.newPage();
    await page.goto(url);
    await page.locator(selector).first().waitFor();
    return await page.evaluate<number>('performance.now()');
  } finally {
    // A page that stays open has work to do during the next visit.
    await context.close();
  }
}

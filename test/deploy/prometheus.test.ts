import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { startApp } from '../support/app.ts';
import { createDirectory } from '../support/durable-server.ts';
import { startCallbackRouter, subscribeByCallback } from '../support/callback-router.ts';
import { createInbox } from '../support/inbox.ts';
import { runPromtool, skipWithoutPrometheus, startPrometheus } from '../support/prometheus.ts';
import { liveShortLife, shortLifeEnv } from '../support/short-life.ts';
import { createThrowingStore } from '../support/throwing-store.ts';
import { startReceiver, webhookEnv } from '../support/webhook-receiver.ts';

beforeEach(skipWithoutPrometheus);

/** The rules, and the timelines that `promtool test rules` runs against them. */
const { groups } = parse(readFileSync('deploy/prometheus/alerts.yaml', 'utf8')) as {
  readonly groups: readonly {
    readonly interval: string;
    readonly rules: readonly { readonly alert?: string }[];
  }[];
};
const timelines = parse(readFileSync('test/deploy/alerts.yaml', 'utf8')) as {
  readonly evaluation_interval: string;
  readonly tests: readonly {
    readonly name: string;
    readonly interval: string;
    readonly alert_rule_test: readonly {
      readonly eval_time: string;
      readonly alertname: string;
      readonly exp_alerts?: readonly object[];
    }[];
  }[];
};
const alertNames = groups.flatMap(({ rules }) => rules.flatMap(({ alert }) => alert ?? []));

/** Writes the timelines with only the rules that each tests: with all rules, the hours of each take ten times as long. */
async function splitTimelines(): Promise<readonly string[]> {
  const directory = await createDirectory();
  const byAlerts = Map.groupBy(timelines.tests, ({ alert_rule_test: checks }) =>
    [...new Set(checks.map(({ alertname }) => alertname))].toSorted().join('-'),
  );
  return Promise.all(
    Array.from(byAlerts, async ([key, tests]) => {
      const names = key.split('-');
      const isUsed = ({ alert }: { readonly alert?: string }): boolean =>
        alert === undefined || names.includes(alert);
      const own = groups.map((group) => ({ ...group, rules: group.rules.filter(isUsed) }));
      const [rules, file] = [join(directory, `rules-${key}.yaml`), join(directory, `${key}.yaml`)];
      await writeFile(rules, JSON.stringify({ groups: own }));
      await writeFile(file, JSON.stringify({ ...timelines, rule_files: [rules], tests }));
      return file;
    }),
  );
}

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

test('the configurations are valid, and the timelines of all alerts hold', async () => {
  for (const file of ['prometheus.yaml', 'compose.yaml']) {
    expect(await runPromtool(['check', 'config', `deploy/prometheus/${file}`])).toContain('SUCCESS');
    const { global } = parse(readFileSync(`deploy/prometheus/${file}`, 'utf8')) as {
      readonly global: object;
    };
    expect(global).toEqual({ scrape_interval: '15s', evaluation_interval: '15s' });
  }
  expect(await runPromtool(['test', 'rules', ...(await splitTimelines())])).toContain('SUCCESS');
  const intervals = [timelines.evaluation_interval, ...timelines.tests.map(({ interval }) => interval)];
  expect(
    [...groups.map(({ interval }) => interval), ...intervals].filter((interval) => interval !== '15s'),
  ).toEqual([]);
}, 120_000);

describe('each alert has a timeline:', () => {
  test.each(alertNames)('%s fires and resolves, and stays quiet when it should', (name) => {
    const stories = timelines.tests.map(({ alert_rule_test: checks }) =>
      checks
        .filter(({ alertname }) => alertname === name)
        .map(({ exp_alerts: alerts = [] }) => (alerts.length > 0 ? 'firing' : 'quiet'))
        .join(' '),
    );
    expect(stories).toContainEqual(expect.stringMatching(/^(quiet )+(firing )+quiet/));
    const quiet = timelines.tests.filter((_, index) => /^quiet( quiet)*$/.test(stories[index] ?? ''));
    expect(quiet.map((story) => story.name)).toContainEqual(expect.stringContaining(`${name} stays quiet: `));
  });

  test('none is of a rule that does not exist', () => {
    const tested = timelines.tests.flatMap(({ alert_rule_test: checks }) =>
      checks.map(({ alertname }) => alertname),
    );
    expect(tested.filter((name) => !alertNames.includes(name))).toEqual([]);
  });
});

test('every query of the dashboard has data after a short life of a server, and alerts fire', async () => {
  const lines = createInbox<Readonly<Record<string, unknown>>>();
  const throwing = createThrowingStore('deleteGenerations');
  const router = await startCallbackRouter();
  await using app = await startApp({
    env: {
      ...shortLifeEnv,
      ...webhookEnv([await startReceiver()]),
      METRICS_PORT: '0',
      DATA_DIR: await createDirectory(),
      FILES: 'folder',
      CALLBACK_URLS: router.url,
    },
    sandbox: { taskSeconds: 1 },
    onLog: (line) => lines.push(line),
    overrides: { wrapStore: throwing.wrapStore },
  });
  const prometheus = await startPrometheus(app.app.metricsUrl ?? '');
  await prometheus.waitForScrapes();
  // Twice, because a rate needs series that have grown.
  await liveShortLife(app, { round: 'one', lines });
  await prometheus.waitForScrapes();
  await liveShortLife(app, { round: 'two', lines });
  const query = 'subscription { generationChanged { cursor } }';
  await subscribeByCallback(app, router, { query });
  throwing.throwNow();
  await app.run('mutation Forget { deleteGenerations(ids: ["x"]) { deletedIds } }');
  await prometheus.waitForScrapes();

  const dashboard = JSON.parse(readFileSync('deploy/grafana/gengraph.json', 'utf8')) as Dashboard;
  const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  expect(queries.length).toBeGreaterThan(30);
  // A scrape that a busy machine answers too late hides the gauges until the next one.
  const at = await prometheus.findLastScrape();
  const answers = await Promise.all(queries.map((expr) => prometheus.query(expr, at)));
  const empty = queries.filter(
    (_, index) => !answers[index]?.some(({ value }) => Number.isFinite(Number(value[1]))),
  );
  expect(empty).toEqual([]);
  const [unknown] = await prometheus.query('sum(gengraph_generations_unknown_total)', at);
  expect(unknown?.value[1]).toBe('2');

  const statesOf = async (): Promise<Readonly<Record<string, string>>> =>
    Object.fromEntries(
      (await prometheus.alerts()).map(({ labels, state }) => [labels['alertname'] ?? '', state]),
    );
  await expect.poll(statesOf, { interval: 100 }).toMatchObject({
    GengraphUnknownOutcomes: 'firing',
    GengraphBrokenGenerations: 'firing',
    GengraphDefects: 'firing',
  });
}, 180_000);

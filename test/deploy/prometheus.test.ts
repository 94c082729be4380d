import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { createInbox } from '../support/inbox.ts';
import { runPromtool, skipWithoutPrometheus, startPrometheus } from '../support/prometheus.ts';
import { liveShortLife, shortLifeEnv } from '../support/short-life.ts';
import { createThrowingStore } from '../support/throwing-store.ts';

beforeEach(skipWithoutPrometheus);

const alertNames = [
  ...readFileSync('deploy/prometheus/alerts.yaml', 'utf8').matchAll(/- alert: (\w+)/g),
].flatMap(([, name = '']) => name);

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

test('the configurations are valid, and each alert fires when it should and not on a healthy server', async () => {
  for (const file of ['prometheus.yaml', 'compose.yaml'])
    expect(await runPromtool(['check', 'config', `deploy/prometheus/${file}`])).toContain('SUCCESS');
  expect(await runPromtool(['test', 'rules', 'test/deploy/alerts.yaml'])).toContain('SUCCESS');
  const tested = readFileSync('test/deploy/alerts.yaml', 'utf8');
  const healthy = tested.slice(tested.lastIndexOf('alert_rule_test:'));
  for (const name of alertNames) {
    expect(healthy).toContain(`alertname: ${name} }`);
    expect(tested).toMatch(new RegExp(`alertname: ${name}\\n        exp_alerts:\\n          - exp_labels`));
  }
});

test('every query of the dashboard has data after a short life of a server, and alerts fire', async () => {
  const lines = createInbox<Readonly<Record<string, unknown>>>();
  const throwing = createThrowingStore('forgetGenerations');
  await using app = await startApp({
    env: { ...shortLifeEnv, METRICS_PORT: '0' },
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
  throwing.throwNow();
  await app.run('mutation Forget { forgetGenerations(ids: ["x"]) }');
  await prometheus.waitForScrapes();

  const dashboard = JSON.parse(readFileSync('deploy/grafana/gengraph.json', 'utf8')) as Dashboard;
  const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  expect(queries.length).toBeGreaterThan(30);
  const answers = await Promise.all(queries.map((expr) => prometheus.query(expr)));
  const empty = queries.filter(
    (_, index) => !answers[index]?.some(({ value }) => Number.isFinite(Number(value[1]))),
  );
  expect(empty).toEqual([]);
  const [unknown] = await prometheus.query('sum(gengraph_generations_unknown_total)');
  expect(unknown?.value[1]).toBe('2');

  // Those that wait for minutes before they fire are pending.
  const statesOf = async (): Promise<Readonly<Record<string, string>>> =>
    Object.fromEntries(
      (await prometheus.alerts()).map(({ labels, state }) => [labels['alertname'] ?? '', state]),
    );
  await expect.poll(statesOf, { interval: 100 }).toMatchObject({
    GengraphUnknownOutcomes: 'firing',
    GengraphBrokenGenerations: 'firing',
    GengraphDefects: 'firing',
    GengraphGatewayFailures: 'pending',
  });
}, 180_000);

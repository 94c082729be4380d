import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, type TestContext } from 'vitest';
import { createDirectory } from './durable-server.ts';
import { findPort } from './find-port.ts';
import { startProgram } from './programs.ts';

const { prometheus, promtool } = inject('prometheus');

/** Skips a test that needs Prometheus where there is none. */
export function skipWithoutPrometheus({ skip }: Pick<TestContext, 'skip'>): void {
  skip(
    prometheus === undefined || promtool === undefined,
    'no prometheus and promtool on PATH: install the Debian package prometheus',
  );
}

/** Runs promtool. @returns its output @throws if it fails */
export async function runPromtool(args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(promtool ?? '', [...args]);
  return stdout + stderr;
}

/** One series of an answer. */
export interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [time: number, value: string];
}

export interface Alert {
  readonly labels: Readonly<Record<string, string>>;
  readonly state: 'pending' | 'firing';
}

export interface RunningPrometheus {
  /** @param at of a sample @default now */
  query(expression: string, at?: string): Promise<readonly Series[]>;
  /** The time of the last sample, if the last scrape did not fail. Waits for one that does not fail. */
  findLastScrape(): Promise<string | undefined>;
  alerts(): Promise<readonly Alert[]>;
  /** Resolves when it has read the metrics at least twice from now on. */
  waitForScrapes(): Promise<void>;
}

/** Starts Prometheus with the configuration of the repository, which reads this server twice a second. */
export async function startPrometheus(metricsUrl: string): Promise<RunningPrometheus> {
  const directory = await createDirectory();
  const configuration = await readFile('deploy/prometheus/prometheus.yaml', 'utf8');
  const file = join(directory, 'prometheus.yaml');
  await writeFile(
    file,
    configuration
      .replaceAll(/^( +\w+_interval): 15s$/gm, '$1: 500ms')
      .replace('127.0.0.1:9464', new URL(metricsUrl).host),
  );
  const alerts = await readFile('deploy/prometheus/alerts.yaml', 'utf8');
  await writeFile(join(directory, 'alerts.yaml'), alerts.replace('interval: 15s', 'interval: 500ms'));
  const address = `127.0.0.1:${await findPort()}`;
  const program = startProgram([
    prometheus ?? '',
    `--config.file=${file}`,
    `--storage.tsdb.path=${join(directory, 'data')}`,
    `--web.listen-address=${address}`,
  ]);
  await program.waitForOutput(/Server is ready to receive web requests/);
  const get = async <Data>(path: string): Promise<Data> => {
    const reply = await fetch(`http://${address}/api/v1/${path}`);
    const { status, data, error } = (await reply.json()) as { status: string; data: Data; error?: string };
    if (status !== 'success') throw new Error(`${path}: ${error}`);
    return data;
  };
  const query = async (expression: string, at?: string): Promise<readonly Series[]> => {
    const parameters = new URLSearchParams({ query: expression, ...(at !== undefined && { time: at }) });
    return (await get<{ result: readonly Series[] }>(`query?${parameters.toString()}`)).result;
  };
  const scrapes = async (): Promise<number> => {
    const [series] = await query('count_over_time(up{job="gengraph"}[1h]) and up{job="gengraph"} == 1');
    return Number(series?.value[1] ?? 0);
  };
  return {
    query,
    alerts: async () => (await get<{ alerts: readonly Alert[] }>('alerts')).alerts,
    async findLastScrape() {
      const find = async () => (await query('timestamp(up{job="gengraph"} == 1)'))[0]?.value[1];
      let at: string | undefined;
      await expect.poll(async () => (at = await find()), { interval: 100 }).toBeDefined();
      return at;
    },
    async waitForScrapes() {
      const before = await scrapes();
      await expect.poll(scrapes, { interval: 100, timeout: 30_000 }).toBeGreaterThanOrEqual(before + 2);
    },
  };
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfig, settingNames } from '../../src/config.ts';
import { startApp } from '../support/app.ts';
import { codeBlocks, readPage } from '../support/markdown.ts';
import { startProgram } from '../support/programs.ts';

const defaults = loadConfig({});
/** Longest drain: the running streams, and the parts that close after them. */
const drainSeconds = defaults.SHUTDOWN_SECONDS + 15;
const { scripts } = JSON.parse(readPage('package.json')) as { scripts: Readonly<Record<string, string>> };
const nodeOptions = scripts['start']?.match(/--max-\S+/g) ?? [];

describe('the Dockerfile', () => {
  const text = readPage('deploy/Dockerfile').replaceAll(/\\\n\s*/g, '');
  const stages = text.split(/^FROM /m).slice(1);
  const final = stages.at(-1) ?? '';
  const argumentsOf = (instruction: string, stage = final): readonly string[] =>
    [...stage.matchAll(new RegExp(`^${instruction} (.+)$`, 'gm'))].map(([, value = '']) => value);

  test('builds with all packages and runs with those of production, as another user than root', () => {
    expect(stages.map((stage) => stage.split(/\s/)[0])).toEqual(stages.map(() => 'node:24-slim'));
    expect(argumentsOf('RUN', stages[0])).toEqual(['npm ci', 'npm run build']);
    expect(argumentsOf('RUN', stages[1])).toEqual([
      'npm ci --omit=dev --$OPTIONAL=optional --ignore-scripts',
    ]);
    expect(argumentsOf('ARG', stages[1])).toEqual(['OPTIONAL=omit']);
    expect(readPage('docs/operating.md')).toContain('`--build-arg OPTIONAL=include`');
    expect(argumentsOf('USER')).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]);
    expect(argumentsOf('STOPSIGNAL')).toEqual(['SIGTERM']);
    expect(argumentsOf('VOLUME')).toEqual([/DATA_DIR=(\S+)/.exec(final)?.[1]]);
    expect(final).toContain('NODE_ENV=production');
    const command = JSON.parse(argumentsOf('ENTRYPOINT')[0] ?? '') as readonly string[];
    expect(command).toEqual(['node', ...nodeOptions, 'dist/start.js']);
    expect(nodeOptions.length).toBeGreaterThan(0);
  });

  test('copies only files that exist and that .dockerignore admits', () => {
    const copied = stages
      .flatMap((stage) => argumentsOf('COPY', stage))
      .filter((list) => !list.startsWith('--from='))
      .flatMap((list) => list.split(' ').slice(0, -1));
    const lines = readPage('.dockerignore').split('\n');
    const admitted = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    expect(lines).toContain('*');
    expect([...new Set(copied)].toSorted()).toEqual(admitted.toSorted());
    expect(copied.filter((file) => !existsSync(file))).toEqual([]);
  });

  test('has a health check that succeeds only while the server runs', async () => {
    const [check = ''] = argumentsOf('HEALTHCHECK');
    const [command = '', ...args] = JSON.parse(/\[.*\]$/.exec(check)?.[0] ?? '[]') as readonly string[];
    const run = async (port: string): Promise<number | null> =>
      (await startProgram([command, ...args], { env: { PORT: port } }).exited).code;
    const app = await startApp();
    const { port } = new URL(app.url);
    expect(await run(port)).toBe(0);
    await app[Symbol.asyncDispose]();
    expect(await run(port)).toBe(1);
  });
});

interface Service {
  readonly environment?: Readonly<Record<string, string>>;
  readonly networks?: { readonly default: { readonly ipv4_address: string } };
  readonly volumes?: readonly string[];
  readonly extra_hosts?: readonly string[];
  readonly stop_grace_period?: string;
  readonly mem_limit?: string;
  readonly logging?: { readonly driver: string; readonly options: Readonly<Record<string, string>> };
  readonly build?: { readonly context: string; readonly dockerfile: string };
}

describe('compose.yaml', () => {
  const text = readPage('deploy/compose.yaml');
  const { services, volumes } = parse(text, { merge: true }) as {
    readonly services: Readonly<Record<string, Service>>;
    readonly volumes: Readonly<Record<string, null>>;
  };
  const instances = Object.entries(services).filter(([name]) => name.startsWith('gengraph-'));
  const addressOf = (name: string): string | undefined => services[name]?.networks?.default.ipv4_address;

  test('starts two instances with settings that exist and are valid', () => {
    expect(instances.map(([name]) => name)).toEqual(['gengraph-1', 'gengraph-2']);
    const known = new Set([...settingNames(), 'NODE_OPTIONS']);
    for (const [, { environment = {}, stop_grace_period: grace = '', build }] of instances) {
      expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
      const config = loadConfig({
        ...environment,
        GATEWAY_URL: 'https://gateway.example',
        DATABASE_URL: environment['DATABASE_URL']?.replace(/\$\{[^}]+\}/, 'word'),
      });
      expect(config.DATABASE_URL).toBe('postgres://gengraph:word@postgres:5432/gengraph');
      expect(environment['TRUST_PROXY']).toBe(addressOf('nginx'));
      expect(Number.parseInt(grace, 10)).toBeGreaterThanOrEqual(drainSeconds);
      expect(existsSync(join('deploy', build?.context ?? '', build?.dockerfile ?? ''))).toBe(true);
    }
  });

  test('limits the log and the memory of every service', () => {
    for (const { logging, mem_limit: limit = '' } of Object.values(services)) {
      expect(logging).toEqual({ driver: 'json-file', options: { 'max-size': '20m', 'max-file': '5' } });
      expect(limit).toMatch(/^\d+[mg]$/);
    }
  });

  test('limits the memory of an instance to no less than its heap, its buffers and 512 MB', () => {
    for (const [, { environment = {}, mem_limit: limit = '' }] of instances) {
      const heapMegabytes = Number(/--max-old-space-size=(\d+)/.exec(environment['NODE_OPTIONS'] ?? '')?.[1]);
      const bufferBytes = defaults.MAX_RECEIVED_BYTES + defaults.MAX_UNSENT_BYTES;
      expect(Number(/^(\d+)m$/.exec(limit)?.[1])).toBe(heapMegabytes + bufferBytes / 1_048_576 + 512);
    }
  });

  test('has no password, and refuses to start without those of the operator', () => {
    const secrets = Object.values(services)
      .flatMap(({ environment = {} }) => Object.entries(environment))
      .filter(([name]) => /PASSWORD|TOKEN|SECRET|KEY$/.test(name));
    expect(secrets.length).toBeGreaterThan(1);
    for (const [, value] of secrets) expect(value).toMatch(/^\$\{\w+:\?[^}]+\}$/);
  });

  test('mounts files that exist', () => {
    const mounted = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.map((volume) => volume.split(':')[0] ?? ''),
    );
    expect(mounted.length).toBeGreaterThan(5);
    const isThere = (source: string): boolean =>
      source.startsWith('./') ? existsSync(join('deploy', source)) : Object.hasOwn(volumes, source);
    expect(mounted.filter((source) => !isThere(source))).toEqual([]);
  });

  test('lets nginx and Prometheus reach both instances, and Grafana reach Prometheus', () => {
    expect(services['nginx']?.extra_hosts).toEqual(
      instances.map(([name]) => `${name}:${addressOf(name) ?? ''}`),
    );
    const prometheus = parse(readPage('deploy/prometheus/compose.yaml')) as {
      readonly scrape_configs: readonly {
        readonly static_configs: readonly { readonly targets: readonly string[] }[];
      }[];
    };
    const targets = prometheus.scrape_configs.flatMap(({ static_configs: groups }) =>
      groups.flatMap(({ targets }) => targets),
    );
    expect(targets).toEqual(
      instances.map(([name, { environment = {} }]) => `${name}:${environment['METRICS_PORT'] ?? ''}`),
    );
    const provisioning = 'deploy/grafana/provisioning';
    const { datasources } = parse(readPage(`${provisioning}/datasources/prometheus.yaml`)) as {
      readonly datasources: readonly { readonly url: string }[];
    };
    expect(datasources.map(({ url }) => url)).toEqual(['http://prometheus:9090']);
    const { providers } = parse(readPage(`${provisioning}/dashboards/gengraph.yaml`)) as {
      readonly providers: readonly { readonly options: { readonly path: string } }[];
    };
    const dashboards = services['grafana']?.volumes?.find((volume) => volume.includes('gengraph.json'));
    expect(dashboards).toContain(`:${providers[0]?.options.path ?? 'none'}/`);
  });
});

test('kubernetes.yaml has settings that exist, probes that are served, and time for a drain', () => {
  const documents = parseAllDocuments(readPage('deploy/kubernetes.yaml'));
  expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
  const [deployment, service, budget] = documents.map((document) => document.toJS() as KubernetesObject);
  const { metadata, spec: pod } = deployment?.spec.template ?? {};
  const [container] = pod?.containers ?? [];
  const known = new Set([...settingNames(), 'NODE_OPTIONS']);
  const { env = [], ports = [], lifecycle, resources } = container ?? {};
  expect(env.filter(({ name }) => !known.has(name))).toEqual([]);
  const secrets = env.filter(({ value }) => value === undefined).map(({ name }) => name);
  expect(secrets).toEqual(['DATABASE_URL']);
  const config = loadConfig({
    ...Object.fromEntries(env.map(({ name, value }) => [name, value])),
    DATABASE_URL: 'postgres://a.example/a',
  });
  expect(ports.map(({ containerPort }) => containerPort)).toEqual([config.PORT, config.METRICS_PORT]);
  const { startupProbe, livenessProbe, readinessProbe } = container ?? {};
  expect([startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet)).toEqual(
    ['live', 'live', 'ready'].map((name) => ({ path: `/health/${name}`, port: 'http' })),
  );
  expect(pod?.terminationGracePeriodSeconds).toBe(drainSeconds + (lifecycle?.preStop.sleep.seconds ?? 0));
  const heapMegabytes = Number(
    /=(\d+)/.exec(env.find(({ name }) => name === 'NODE_OPTIONS')?.value ?? '')?.[1],
  );
  const bufferMegabytes = (defaults.MAX_RECEIVED_BYTES + defaults.MAX_UNSENT_BYTES) / 1_048_576;
  expect(resources?.limits.memory).toBe(`${heapMegabytes + bufferMegabytes + 512}Mi`);
  const { labels } = metadata ?? {};
  expect(service?.spec.selector).toEqual(labels);
  for (const object of [deployment, budget]) expect(object?.spec.selector).toEqual({ matchLabels: labels });
});

/** What the test reads of a Deployment, a Service and a PodDisruptionBudget. */
interface KubernetesObject {
  readonly spec: {
    readonly selector: object;
    readonly template?: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly containers: readonly KubernetesContainer[];
      };
    };
  };
}

interface KubernetesContainer {
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly ports: readonly { readonly containerPort: number }[];
  readonly resources: { readonly limits: { readonly memory: string } };
  readonly lifecycle: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
  readonly startupProbe: KubernetesProbe;
  readonly livenessProbe: KubernetesProbe;
  readonly readinessProbe: KubernetesProbe;
}

interface KubernetesProbe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

test('Prometheus reads the metrics where the settings of the installation serve them', () => {
  const [block = ''] = codeBlocks(readPage('docs/operating.md'), 'ini');
  const config = loadConfig(
    Object.fromEntries(
      block
        .trim()
        .split('\n')
        .map((line) => line.split(/=(.*)/)),
    ),
  );
  const address = `${config.METRICS_HOST ?? config.HOST}:${config.METRICS_PORT}`;
  expect(readPage('deploy/prometheus/prometheus.yaml')).toContain(`targets: ['${address}']`);
});

describe('the nginx site', () => {
  const site = readPage('deploy/nginx.conf');
  const valueOf = (directive: string): string =>
    new RegExp(`^\\s*${directive} (.+?);$`, 'm').exec(site)?.[1] ?? '';
  const secondsOf = (directive: string): number => Number(/^(\d+)s$/.exec(valueOf(directive))?.[1]);

  test('has the limits and timeouts that fit the default settings', () => {
    expect(Number(valueOf('client_max_body_size'))).toBe(defaults.MAX_BODY_BYTES);
    expect(secondsOf('keepalive_timeout')).toBeLessThan(defaults.KEEP_ALIVE_SECONDS);
    expect(secondsOf('proxy_read_timeout')).toBeGreaterThan(defaults.GATEWAY_TIMEOUT_SECONDS);
    expect(secondsOf('proxy_read_timeout')).toBeGreaterThan(2 * defaults.WEBSOCKET_PING_SECONDS);
    expect(valueOf('proxy_next_upstream')).not.toContain('non_idempotent');
  });
});

describe('the systemd unit', () => {
  const unit = readPage('deploy/gengraph.service');
  const valueOf = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';

  test('restarts after SIGHUP, and not after a second signal of the operator', () => {
    expect(valueOf('Restart')).toBe('on-failure');
    // The second signal ends the program itself. systemd counts SIGINT and SIGTERM as clean.
    expect(valueOf('RestartForceExitStatus')).toBe('SIGHUP');
  });

  test('has the directories that the commands of the pages name', () => {
    const [, directory = ''] = /^Environment=DATA_DIR=(.+)$/m.exec(unit) ?? [];
    const file = valueOf('EnvironmentFile');
    const program = `DATA_DIR=${directory} node ${valueOf('WorkingDirectory')}/dist/start.js`;
    const commands = codeBlocks(readPage('docs/monitoring.md'), 'sh');
    expect(commands).toContain(`${program} owner --env-file ${file} --sub ann\n`);
    expect(readPage('docs/operating.md')).toContain(
      `DATA_DIR=${directory} node dist/start.js --check-config`,
    );
  });

  test('starts the program as npm start does, and waits for its drain', () => {
    // A relative path would be that of the version at the start, also for the processes of a rolling restart.
    const program = `${valueOf('WorkingDirectory')}/dist/start.js`;
    expect(valueOf('ExecStart')).toBe(`/usr/bin/node ${nodeOptions.join(' ')} ${program}`);
    expect(Number.parseInt(valueOf('TimeoutStopSec'), 10)).toBeGreaterThanOrEqual(drainSeconds);
    expect(Number(valueOf('LimitNOFILE'))).toBeGreaterThan(
      defaults.MAX_SOCKETS + defaults.GATEWAY_CONNECTIONS,
    );
  });
});

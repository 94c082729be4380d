import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startPostgresBroker } from './postgres-broker.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the Chromium for browser tests; undefined skips them. */
    chromium: string | undefined;
    /** Path of nginx for the tests of its site; undefined skips them. */
    nginx: string | undefined;
    /** Paths of Prometheus and its tool; undefined skips the tests of the dashboard and the alerts. */
    prometheus: { readonly prometheus: string | undefined; readonly promtool: string | undefined };
    /** URL that answers with the URL of the test database, which it starts at the first request. */
    postgresBroker: string;
  }
}

interface Tool {
  /** Debian package. */
  readonly name: string;
  readonly use: string;
  readonly find: () => string | undefined;
  /** Not installed where the package would leave a service running. @default false */
  readonly startsService?: boolean;
}

const chromium: Tool = {
  name: 'chromium',
  use: 'the browser tests',
  find: () =>
    process.env['CHROMIUM_PATH'] ??
    findProgram(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']),
};
const prometheus: Tool = {
  name: 'prometheus',
  use: 'the tests of the dashboard and the alerts',
  find: () => findProgram(['prometheus']) && findProgram(['promtool']),
  startsService: true,
};
const nginx: Tool = { name: 'nginx-light', use: 'the tests of its site', find: () => findProgram(['nginx']) };

/**
 * Finds a Chromium for the browser tests, nginx and Prometheus. Installs them only with INSTALL_TEST_TOOLS=1, as root, on Debian. Provides
 * a database server. Returns the teardown.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  mkdirSync('test/artifacts', { recursive: true });
  install([chromium, nginx, prometheus].filter(({ find }) => find() === undefined));
  project.provide('chromium', chromium.find());
  project.provide('nginx', nginx.find());
  project.provide('prometheus', {
    prometheus: findProgram(['prometheus']),
    promtool: findProgram(['promtool']),
  });
  const broker = await startPostgresBroker();
  project.provide('postgresBroker', broker.url);
  return () => broker.close();
}

function findProgram(names: readonly string[]): string | undefined {
  // Debian's nginx is in a folder that only root has on its PATH.
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether packages start no services, as in most containers (https://people.debian.org/~hmh/invokerc.d-policyrc.d-specification.txt). */
function deniesServices(): boolean {
  return isExecutable('/usr/sbin/policy-rc.d') && !existsSync('/run/systemd/system');
}

function install(missing: readonly Tool[]): void {
  const isAllowed = process.env['INSTALL_TEST_TOOLS'] === '1';
  if (missing.length === 0 || !isAllowed || process.getuid?.() !== 0 || !isExecutable('/usr/bin/apt-get'))
    return;
  const options: ExecFileSyncOptions = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  const run = (...args: readonly string[]): boolean => {
    try {
      execFileSync('apt-get', args, options);
      return true;
    } catch {
      return false;
    }
  };
  run('update', '-q');
  for (const { name, use, startsService = false } of missing) {
    if (startsService && !deniesServices()) {
      console.warn(`The Debian package ${name} would start a service here: ${use} are skipped.`);
      continue;
    }
    console.warn(`INSTALL_TEST_TOOLS=1: installing the Debian package ${name} for ${use}`);
    if (!run('install', '-y', '-q', '--no-install-recommends', name))
      console.warn(`The Debian package ${name} could not be installed: ${use} are skipped.`);
  }
}

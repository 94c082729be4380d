import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startPostgresBroker } from './postgres-broker.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the Chromium for browser tests; undefined skips them. */
    chromium: string | undefined;
    /** URL that answers with the URL of the test database, which it starts at the first request. */
    postgresBroker: string;
  }
}

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * Finds a Chromium for the browser tests. Installs one only with INSTALL_TEST_TOOLS=1, as root, on Debian. Provides a database
 * server. Returns the teardown.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  mkdirSync('test/artifacts', { recursive: true });
  project.provide('chromium', process.env['CHROMIUM_PATH'] ?? findChromium() ?? installChromium());
  const broker = await startPostgresBroker();
  project.provide('postgresBroker', broker.url);
  return () => broker.close();
}

function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
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

function installChromium(): string | undefined {
  const isAllowed = process.env['INSTALL_TEST_TOOLS'] === '1';
  if (!isAllowed || process.getuid?.() !== 0 || !isExecutable('/usr/bin/apt-get')) return undefined;
  console.warn('INSTALL_TEST_TOOLS=1: installing the Debian package chromium for the browser tests');
  const options: ExecFileSyncOptions = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  try {
    execFileSync('apt-get', ['update', '-q'], options);
    execFileSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], options);
  } catch {
    console.warn('The Debian package chromium could not be installed: the browser tests are skipped.');
    return undefined;
  }
  return findChromium();
}

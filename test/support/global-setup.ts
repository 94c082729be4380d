import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of a Chromium for browser tests. Undefined when none was found or installed. */
    chromium: string | undefined;
  }
}

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Finds the programs that tests need beyond Node. Installs them if possible, otherwise warns. */
export default function setup(project: TestProject): void {
  mkdirSync('test/artifacts', { recursive: true });
  const chromium = process.env['CHROMIUM_PATH'] ?? findProgram() ?? installChromium();
  if (chromium === undefined) {
    console.warn(
      'Browser tests are skipped: no Chromium. Install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.',
    );
  }
  project.provide('chromium', chromium);
}

function findProgram(): string | undefined {
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
  if (process.getuid?.() !== 0 || process.platform !== 'linux' || !isExecutable('/usr/bin/apt-get'))
    return undefined;
  console.warn("Installing Debian's chromium for the browser tests …");
  const options: ExecFileSyncOptions = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  try {
    execFileSync('apt-get', ['update', '-q'], options);
    execFileSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], options);
  } catch {
    return undefined;
  }
  return findProgram();
}

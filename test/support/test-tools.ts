import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program that some tests need and npm does not install. */
export interface TestTool {
  /** Debian package. */
  readonly name: string;
  readonly use: string;
  readonly find: () => string | undefined;
  /** Finds a slower program, for a machine where the package cannot be installed. */
  readonly findSubstitute?: () => string | undefined;
  /** Not installed where the package would leave a service running. @default false */
  readonly startsService?: boolean;
}

/** Without the windows of the full browser, of which each page of a test has one: the pages take a third of the time. */
export const chromium: TestTool = {
  name: 'chromium-headless-shell',
  use: 'the browser tests',
  find: () => process.env['CHROMIUM_PATH'] ?? findProgram(['chromium-headless-shell']),
  findSubstitute: () =>
    findProgram(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']),
};
export const prometheus: TestTool = {
  name: 'prometheus',
  use: 'the tests of the dashboard and the alerts',
  find: () => findProgram(['prometheus']) && findProgram(['promtool']),
  startsService: true,
};
export const nginx: TestTool = {
  name: 'nginx-light',
  use: 'the tests behind nginx',
  find: () => findProgram(['nginx']),
  startsService: true,
};
export const pgbouncer: TestTool = {
  name: 'pgbouncer',
  use: 'the tests behind a pooler',
  find: () => findProgram(['pgbouncer']),
  startsService: true,
};

export interface Machine {
  /** INSTALL_TEST_TOOLS. `0` installs nothing. */
  readonly setting: string | undefined;
  readonly isRoot: boolean;
  readonly hasApt: boolean;
  /** Whether packages start no services, as in most containers. */
  readonly deniesServices: boolean;
}

/** Why a missing tool is not installed. Undefined if it is. */
export function whyNotInstalled(
  { startsService = false }: Pick<TestTool, 'startsService'>,
  { setting, isRoot, hasApt, deniesServices }: Machine,
): string | undefined {
  if (setting === '0') return 'INSTALL_TEST_TOOLS is 0';
  if (!hasApt) return 'this machine has no apt-get';
  if (!isRoot) return 'only root can install it';
  return startsService && !deniesServices ? 'the package would start a service here' : undefined;
}

/** Installs the missing tools as root on Debian. Prints what it installs, and which tests are skipped. */
export function installMissing(tools: readonly TestTool[]): void {
  const missing = tools.filter(({ find }) => find() === undefined);
  const machine = inspectMachine();
  const skip = ({ name, use, findSubstitute }: TestTool, reason: string): void => {
    const effect = findSubstitute?.() === undefined ? 'are skipped' : 'run slowly';
    console.warn(`${use} ${effect}: install the Debian package ${name} (${reason})`);
  };
  const reasons = missing.map((tool) => whyNotInstalled(tool, machine));
  if (reasons.includes(undefined)) runApt('update', '-q');
  for (const [index, tool] of missing.entries()) {
    const reason = reasons[index];
    if (reason !== undefined) {
      skip(tool, reason);
      continue;
    }
    console.warn(
      `installing the Debian package ${tool.name} for ${tool.use}; INSTALL_TEST_TOOLS=0 skips them`,
    );
    if (!runApt('install', '-y', '-q', '--no-install-recommends', tool.name)) skip(tool, 'apt-get failed');
  }
}

export function findProgram(names: readonly string[]): string | undefined {
  // Debian's nginx and PgBouncer are in a folder that only root has on its PATH.
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function inspectMachine(): Machine {
  return {
    setting: process.env['INSTALL_TEST_TOOLS'],
    isRoot: process.getuid?.() === 0,
    hasApt: isExecutable('/usr/bin/apt-get'),
    // https://people.debian.org/~hmh/invokerc.d-policyrc.d-specification.txt
    deniesServices: isExecutable('/usr/sbin/policy-rc.d') && !existsSync('/run/systemd/system'),
  };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function runApt(...args: readonly string[]): boolean {
  const options: ExecFileSyncOptions = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  try {
    execFileSync('apt-get', args, options);
    return true;
  } catch {
    return false;
  }
}

import { describe, expect, test } from 'vitest';
import { readPage } from './support/markdown.ts';
import { type Machine, whyNotInstalled } from './support/test-tools.ts';

const container: Machine = { setting: undefined, isRoot: true, hasApt: true, deniesServices: true };

describe('npm test', () => {
  test('installs its tools on a fresh machine, as root on Debian', () => {
    expect(whyNotInstalled({}, container)).toBeUndefined();
    expect(whyNotInstalled({ startsService: true }, container)).toBeUndefined();
    expect(whyNotInstalled({}, { ...container, deniesServices: false })).toBeUndefined();
  });

  test.each([
    [{ isRoot: false }, 'only root can install it'],
    [{ hasApt: false }, 'this machine has no apt-get'],
    [{ setting: '0' }, 'INSTALL_TEST_TOOLS is 0'],
    [{ deniesServices: false }, 'the package would start a service here'],
  ])('elsewhere says why not: %o', (machine, reason) => {
    expect(whyNotInstalled({ startsService: true }, { ...container, ...machine })).toBe(reason);
  });

  test('is named by the README, with the command that runs the program', () => {
    const readme = readPage('README.md');
    expect(readme).toContain('npm ci && npm start\n');
    expect(readme).toContain('npm ci && npm test\n');
    expect(readPage('.ci/run')).toMatch(/^npm run .*check$/m);
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { explainMissingPackages, sandboxPackages } from '../../src/sandbox/packages.ts';
import { startBuilt } from '../support/built-program.ts';
import { waitForStart, type Program, type ProgramOptions } from '../support/programs.ts';

/** Node options under which the optional packages cannot be found, as after `npm ci --omit=optional`. */
const withoutPackages = `--import=data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  const names = ${JSON.stringify(sandboxPackages)};
  registerHooks({
    resolve(specifier, context, next) {
      if (!names.some((name) => specifier === name || specifier.startsWith(name + '/'))) return next(specifier, context);
      throw Object.assign(new Error('Cannot find package ' + specifier), { code: 'ERR_MODULE_NOT_FOUND' });
    },
  });
`)}`;

function start(args: readonly string[], env: ProgramOptions['env'] = {}): Program {
  return startBuilt(args, { env: { NODE_OPTIONS: withoutPackages, ...env } });
}

const why =
  'the sandbox needs packages that are not installed (@breezystack/lamejs, @cfworker/json-schema, @eslint-community/regexpp, @hono/node-server, h264-mp4-encoder, hono, mediabunny, sharp): run "npm ci --include=optional"';

describe('without its optional packages', () => {
  test.each([
    ['the server with its embedded sandbox', [], `Cannot start: ${why}, or set GATEWAY_URL\n`],
    ['the sandbox alone', ['sandbox'], `The sandbox did not start: ${why}\n`],
  ])('%s exits with one line that names the command', async (_name, args, line) => {
    const program = start(args);
    expect(await program.exited).toEqual({ code: 1, signal: null });
    expect(program.output).toBe(line);
  });

  test('a server with another gateway starts', async () => {
    const program = start([], { GATEWAY_URL: 'http://127.0.0.1:9', LOG_LEVEL: 'warn' });
    const url = await waitForStart(program);
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
  });
});

test('only absent packages are named', () => {
  const resolve = (name: string): string => {
    if (name === 'sharp') throw new Error('Cannot find package');
    return name;
  };
  expect(explainMissingPackages(resolve)).toContain('not installed (sharp)');
  expect(explainMissingPackages()).toBeUndefined();
});

test('the command fits the place of the installation', () => {
  const resolve = (name: string): string => {
    if (name === 'sharp') throw new Error('Cannot find package');
    return name;
  };
  const explain = (location: string): string => explainMissingPackages(resolve, location) ?? '';
  expect(explain('file:///home/me/gengraph/src/sandbox/packages.ts')).toContain(
    '"npm ci --include=optional"',
  );
  expect(explain('file:///home/me/shop/node_modules/gengraph/dist/sandbox.js')).toContain(
    '"npm install --include=optional"',
  );
});

test('an installation without any dependency is not explained as one without optional packages', () => {
  const resolve = (): never => {
    throw new Error("Cannot find package 'zod'");
  };
  expect(() => explainMissingPackages(resolve)).toThrow('zod');
});

test('the optional dependencies are what the sandbox needs, and the client of S3', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
    optionalDependencies: Readonly<Record<string, string>>;
  };
  const needed = Object.keys(manifest.optionalDependencies).filter((name) => !name.startsWith('@aws-sdk/'));
  expect(needed).toEqual(sandboxPackages);
});

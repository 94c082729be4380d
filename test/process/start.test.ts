import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { settingNames } from '../../src/config.ts';
import { startBuilt } from '../support/built-program.ts';
import { postJson, sendRequest } from '../support/http.ts';
import {
  type Program,
  type ProgramOptions,
  startProgram,
  takePort,
  waitForStart,
} from '../support/programs.ts';

describe('npm start', () => {
  test('prints the URL, the embedded sandbox and its credentials within seconds', async () => {
    const startedAt = performance.now();
    const program = startProgram(['npm', 'start'], { env: { LOG_LEVEL: 'warn' } });
    const url = await waitForStart(program);
    expect(performance.now() - startedAt).toBeLessThan(40_000);
    const [, sandbox = ''] = await program.waitForOutput(/its own sandbox at (http:\S+):/);
    expect(program.stderr).toMatch(/Gengraph \d+\.\d+\.\d+ is ready \(\d+ ms\)/);
    expect(program.stderr).toContain('API key       sk-sandbox');
    expect(program.stderr.match(/^ {2}GraphiQL {6}http:\S+\/graphql in a browser$/gm)).toHaveLength(1);
    expect(program.stderr.match(/^ {2}Introspection on$/gm)).toHaveLength(1);
    expect(program.stderr).toMatch(
      /^ {2}Playground {4}(http:\S+\/|not built: run "npm run build:playground")$/m,
    );
    expect(program.stderr).toContain('System token  sandbox-system with new-api-user: 1');
    expect(program.stderr).toMatch(/Task status {3}speech and videos .+ \(GATEWAY_TASK_PATHS\)/);
    expect(program.stderr).not.toMatch(/warning/i);
    const voices = { query: '{ voices(first: 1) { edges { node { name } } } }' };
    const reply = await postJson(`${url}/graphql`, voices, { authorization: 'Bearer sk-sandbox' });
    expect(reply.json.errors).toBeUndefined();
    expect(await sendRequest(`${sandbox}/nothing`)).toMatchObject({ status: 404 });
  });
});

test('a start with a gateway says once that GraphiQL, introspection and the playground are off, and why', async () => {
  const gateway = { GATEWAY_URL: 'http://127.0.0.1:9', LOG_LEVEL: 'warn' };
  const [usual, chosen] = [
    startBuilt([], { env: gateway }),
    startBuilt([], { env: { ...gateway, GRAPHIQL: 'off', INTROSPECTION: 'on' } }),
  ];
  await Promise.all([waitForStart(usual), waitForStart(chosen)]);
  for (const [label, name] of [
    ['GraphiQL     ', 'GRAPHIQL'],
    ['Introspection', 'INTROSPECTION'],
    ['Playground   ', 'PLAYGROUND'],
  ])
    expect(
      usual.stderr.split(`  ${label} off, as with every GATEWAY_URL: ${name}=on turns it on\n`),
    ).toHaveLength(2);
  expect(chosen.stderr).toContain('  GraphiQL      off\n');
  expect(chosen.stderr).toContain('  Introspection on\n');
});

/** The error line of a program that failed to start. */
async function failureOf(program: Program): Promise<string> {
  expect(await program.exited).toEqual({ code: 1, signal: null });
  expect(program.output).toMatch(/^[^\n]+\n$/);
  return program.output.trimEnd();
}

function runOnce(env: ProgramOptions['env'] = {}): Promise<string> {
  return failureOf(startBuilt([], { env }));
}

describe('a failed start prints one line and exits with code 1', () => {
  test('for a port in use, a foreign HOST, and invalid settings without their secrets', async () => {
    const port = String(await takePort());
    const [metrics, ours, sandboxes, host, settings] = await Promise.all([
      runOnce({ METRICS_PORT: port }),
      runOnce({ PORT: port }),
      runOnce({ SANDBOX_PORT: port }),
      runOnce({ HOST: '192.0.2.1' }),
      runOnce({ PORT: 'http', LOG_LEVEL: 'loud', GATEWAY_URL: 'https://me:my-password@gateway.example' }),
    ]);
    expect(ours).toBe(`Cannot start: port ${port} is in use. Set PORT (or SANDBOX_PORT) to another port.`);
    expect(sandboxes).toBe(ours);
    expect(metrics).toMatch(
      /^Cannot start: no metrics \(.*EADDRINUSE.*\)\. Change METRICS_PORT or METRICS_HOST\.$/,
    );
    expect(host).toMatch(/^Cannot start: HOST is not an address of this machine/);
    expect(settings).toMatch(/^Invalid setting: PORT=http: .+; GATEWAY_URL=.+; LOG_LEVEL=loud: /);
    expect(settings).not.toContain('my-password');
  });

  test('for files that cannot be kept', async () => {
    const line = await runOnce({ FILES: 'folder', FILES_DIR: '/dev/null/files' });
    expect(line).toMatch(/^Cannot keep files \(FILES=folder\): .* \/dev\/null is not a directory$/);
  });

  test('for missing packages', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gengraph-bare-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await cp('src', join(folder, 'src'), { recursive: true });
    await cp('package.json', join(folder, 'package.json'));
    const lines = await Promise.all([
      failureOf(startProgram(['node', 'src/start.js'], { cwd: folder })),
      failureOf(startProgram(['node', 'src/start.js', 'sandbox'], { cwd: folder })),
    ]);
    for (const line of lines) expect(line).toMatch(/^A package is missing\. Run "npm ci" first\. \(/);
  });
});

describe('the command line', () => {
  async function run(args: readonly string[], env: ProgramOptions['env'] = {}) {
    const program = startBuilt(args, { env });
    return { ...(await program.exited), output: program.output };
  }

  test('--help lists every setting, and --version prints the version', async () => {
    const [help, version] = await Promise.all([run(['--help']), run(['-v'])]);
    expect(help.code).toBe(0);
    for (const name of settingNames()) expect(help.output).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
    expect(version).toMatchObject({ code: 0, output: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });

  test('a warning about a malformed line of a file does not print its value', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gengraph-env-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'malformed.env');
    const lines = [
      'DATABASE_URL: postgres://me:my-password@db.example/a?sslmode=require',
      'MIIEvQIBADANBgkq==',
      '',
    ];
    await writeFile(file, lines.join('\n'));
    const { code, output } = await run(['--check-config', '--env-file', file]);
    expect(code).toBe(0);
    expect(output.match(/Warning: .*/g)).toEqual([
      `Warning: line 1 of ${file} is not NAME=value`,
      ...['DATABASE_URL…', '…'].map((name) => `Warning: ${name} in ${file} is not a setting. See --help`),
    ]);
  });

  test('--check-config prints the settings of a file and of the environment without secrets, and starts nothing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gengraph-env-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'production.env');
    await writeFile(
      file,
      'DATABASE_URL=postgres://me:my-password@db.example/a\nPORT=8080\nTRUSTED_DOCUMENTS=only\nPROT=1\nNODE_ENV=x\n',
    );
    // As with Node's option, the last file takes precedence over those before it.
    const common = join(folder, 'common.env');
    await writeFile(common, 'TRUSTED_DOCUMENTS=allow\nLOG_LEVEL=warn\n');
    const files = ['--env-file', common, '--env-file', file];
    const { code, output } = await run(['--check-config', ...files], { PORT: '0' });
    expect(output).toMatch(/^The settings are valid\.\n/m);
    expect(output.match(/Warning: .*/g)).toEqual([`Warning: PROT in ${file} is not a setting. See --help`]);
    expect(output).toContain('  PORT=0\n');
    expect(output).toContain('  TRUSTED_DOCUMENTS=only\n');
    expect(output).toContain('  LOG_LEVEL=warn\n');
    expect(output).toContain('  DATABASE_URL=…\n');
    expect(output).not.toContain('my-password');
    expect(output).not.toContain('ready');
    expect(code).toBe(0);
  });

  test('lines of a file that Node skips, or that systemd or docker read differently, are warnings without their content', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gengraph-env-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'production.env');
    const lines = [
      '# GATEWAY_URL "commented"',
      '',
      'GATEWAY_URL https://hunter2.example',
      'LOG_LEVEL: warn',
      'hunter2secret',
      'DATABASE_URL postgres://me:hunter2@db.example/a?sslmode=require',
      'export METRICS_PORT=0',
      'OTEL_SERVICE_NAME="hunter2"',
      'PORT=0 # hunter2',
      'TRUST_PROXY=1',
    ];
    await writeFile(file, lines.join('\n'));
    const [valid, refused] = await Promise.all([
      run(['--check-config', '--env-file', file]),
      run(['--env-file', file], { NODE_ENV: 'production' }),
    ]);
    const warnings = [
      'line 3 of file is not NAME=value',
      'line 4 of file is not NAME=value',
      'line 5 of file is not NAME=value',
      'line 6 of file is not NAME=value',
      'line 7 of file begins with export, which systemd and docker do not accept: remove it',
      'line 8 of file has quotes, which docker makes part of the value: remove them',
      'line 9 of file has a # after NAME=, where Node ends the value, and systemd and docker do not: move the comment to its own line, or write %23 in a URL',
    ].map((line) => `Warning: ${line.replace('file', file)}`);
    expect([valid.code, refused.code]).toEqual([0, 1]);
    expect(valid.output.match(/Warning: .*/g)).toEqual([
      ...warnings,
      `Warning: DATABASE_URL… in ${file} is not a setting. See --help`,
    ]);
    expect(valid.output).not.toContain('hunter2@');
    expect(refused.output.match(/Warning: .*/g)).toEqual(warnings);
    expect(refused.output).toContain('NODE_ENV=production: expected GATEWAY_URL');
    expect(refused.output).not.toContain('hunter2');
  });

  test('a byte order mark, which hides the first setting of a file, is a warning', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gengraph-env-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'windows.env');
    await writeFile(file, '\uFEFFHOST=127.0.0.2\r\nTRUST_PROXY=1\r\n');
    const { code, output } = await run(['--check-config', '--env-file', file]);
    expect(output).toContain(`Warning: line 1 of ${file} begins with a byte order mark`);
    expect(output).not.toContain('HOST=127.0.0.2');
    expect(code).toBe(0);
  });

  test('a missing file of settings ends the start with its name', async () => {
    const { code, output } = await run(['--env-file', '/missing/.env']);
    expect(output).toContain('/missing/.env');
    expect(output).not.toContain('ready');
    // Node reads the option too, and exits with 9.
    expect([1, 9]).toContain(code);
  });

  test('a wrong option, command or setting is one line', async () => {
    const lines = await Promise.all([
      failureOf(startBuilt(['--chek-config'])),
      failureOf(startBuilt(['serve'])),
      failureOf(startBuilt(['--processes', '-1'])),
      failureOf(startBuilt(['sandbox', '--port=1'])),
      failureOf(startBuilt(['retry-files'])),
      failureOf(startBuilt(['--check-config'], { env: { GATEWAY_ULR: 'http://a.example' } })),
      failureOf(
        startBuilt(['--check-config'], {
          env: { TRUSTED_DOCUMENTS: 'only', TRUSTED_DOCUMENTS_FILES: '/missing/documents.json' },
        }),
      ),
      failureOf(
        startBuilt(['--check-config'], {
          env: { PORT: '4010', SANDBOX_PORT: '4010', MAX_UNSENT_BYTES_PER_OWNER: '999999999' },
        }),
      ),
    ]);
    const expected = [
      /^Unknown option '--chek-config'/,
      /^Unknown command "serve"/,
      /^Option '--processes' argument is ambiguous\. See --help$/,
      /^Unknown option '--port'/,
      /^gengraph retry-files needs the settings of the server, with FILES\. See --env-file$/,
      /^Invalid setting: GATEWAY_ULR is unknown; GATEWAY_URL\?$/,
      /^Cannot read the manifest \/missing\/documents\.json/,
      /^Invalid setting: PORT=4010: expected another port .+; MAX_UNSENT_BYTES_PER_OWNER=999999999: expected at most/,
    ];
    for (const [index, line] of lines.entries()) expect(line).toMatch(expected[index] ?? /^$/);
  });

  test('a kind that does not fit is the same line for --check-config and for the start', async () => {
    const env = { MAX_CREATES_PER_DAY_PER_OWNER: 'CHATS=5', GATEWAY_TASK_PATHS: 'SPEACH=/x/{id}' };
    const checked = await failureOf(startBuilt(['--check-config'], { env }));
    expect(checked).toMatch(
      /^Invalid setting: GATEWAY_TASK_PATHS: tasks of kind SPEACH cannot be read by a path; MAX_CREATES_PER_DAY_PER_OWNER: there is no kind CHATS/,
    );
    expect(await runOnce(env)).toBe(checked);
  });

  test('a secret in place of a URL is printed neither by --check-config nor by the start', async () => {
    const env = { GATEWAY_URL: 'hunter2secret', AUTH_JWKS_URL: 'hunter2secret:80' };
    const checked = await failureOf(startBuilt(['--check-config'], { env }));
    expect(checked).toMatch(/^Invalid setting: GATEWAY_URL=…: .+; AUTH_JWKS_URL=…: /);
    expect(checked).not.toContain('hunter2secret');
    expect(await runOnce(env)).toBe(checked);
  });

  test('the start shows the limits of each owner', async () => {
    const program = startBuilt([], {
      env: { MAX_RUNNING_PER_OWNER: '5', MAX_CREATES_PER_DAY_PER_OWNER: 'CHAT=9,*=10', LOG_LEVEL: 'warn' },
    });
    await waitForStart(program);
    expect(program.stderr).toContain('  Owner limits  5 running generations; CHAT=9,*=10 creates per day\n');
  });
});

/** Every `node` in PATH, with its version. */
function installedNodes(): readonly (readonly [path: string, version: string])[] {
  const folders = new Set((process.env['PATH'] ?? '').split(delimiter));
  return [...folders].flatMap((folder) => {
    const path = join(folder, 'node');
    try {
      return [[path, execFileSync(path, ['--version'], { encoding: 'utf8' }).trim()] as const];
    } catch {
      return [];
    }
  });
}

const oldNode = installedNodes().find(([, version]) => /^v(1?\d|2[01])\./.test(version));

describe('the Node version check', () => {
  test.each(['20.19.5', '22.18.0'])('rejects %s with one line', async (version) => {
    const program = startProgram(['node', '--input-type=module', '-e', asNode(version)]);
    expect(await failureOf(program)).toMatch(
      new RegExp(`^Gengraph needs Node 22\\.19 or later, but this is Node ${version}\\. Run "npm start"`),
    );
  });

  test('advises what fits the installation', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gengraph-node-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const lineIn = async (place: string, installed: readonly string[]): Promise<string> => {
      const home = join(folder, place);
      await mkdir(join(home, 'src'), { recursive: true });
      await cp('src/require-node.js', join(home, 'src/require-node.js'));
      await cp('package.json', join(home, 'package.json'));
      for (const path of installed) await mkdir(join(home, path), { recursive: true });
      const script = asNode('20.1.0', pathToFileURL(join(home, 'src/require-node.js')).href);
      return failureOf(startProgram(['node', '--input-type=module', '-e', script]));
    };
    expect(await lineIn('cloned', [])).toContain('Run "npm ci" (it installs Node 24 locally)');
    expect(await lineIn('production', ['node_modules/ws'])).toContain('"npm ci" without --omit=dev');
    expect(await lineIn('x/node_modules/gengraph', [])).toContain('"npx -p node@24 -p gengraph gengraph"');
  });

  test.each(['22.19.0', '100.1.0'])('accepts %s', async (version) => {
    const program = startProgram(['node', '--input-type=module', '-e', asNode(version)]);
    expect(await program.exited).toEqual({ code: 0, signal: null });
    expect(program.output).toBe('');
  });

  test('rejects an installed old Node at every entry point', async ({ skip }) => {
    skip(!oldNode, 'no Node older than 22.19 is installed');
    const [path = 'node', version = ''] = oldNode ?? [];
    const lines = await Promise.all([
      failureOf(startProgram([path, 'src/start.js'])),
      failureOf(startProgram([path, 'src/require-node.js'])),
    ]);
    for (const line of lines) expect(line).toContain(`this is Node ${version.slice(1)}`);
  });
});

/** A script that overrides the Node version and then runs the check. */
function asNode(version: string, check = new URL('../../src/require-node.js', import.meta.url).href): string {
  const versions = `{ ...process.versions, node: '${version}' }`;
  return `Object.defineProperty(process, 'versions', { value: ${versions} }); await import('${check}');`;
}

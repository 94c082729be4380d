import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { readCommand } from '../../src/command-line.ts';
import { loadConfig } from '../../src/config.ts';
import { explainStart } from '../../src/explain-start.ts';
import { findOwner } from '../../src/find-owner.ts';
import { apiAt } from '../support/app.ts';
import { builtEnv, builtStart, startBuilt } from '../support/built-program.ts';
import { ask, createChatCompletion, made } from '../support/chats.ts';
import { createDirectory } from '../support/durable-server.ts';
import { createDatabase } from '../support/postgres.ts';
import { waitForStart } from '../support/programs.ts';
import { bearer, mint, signInBySecret } from '../support/sign-in.ts';

type Settings = Readonly<Record<string, string>>;

/** Runs `gengraph owner` with these settings. */
async function runOwner(env: Settings, args: readonly string[], input = '') {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn('node', [...builtStart, 'owner', ...args], {
    env: { PATH, HOME, ...builtEnv, ...env },
  });
  // It may end before it reads its input.
  child.stdin.on('error', () => {}).end(input);
  const exited = new Promise<number | null>((resolve) => void child.once('close', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  return { stdout, stderr, code };
}

const endUser = 'Zoë Ann';
const byToken = ['a user who signs in', async () => bearer(await mint('ann')), ['--sub', 'ann'], ''] as const;
const callers = [
  byToken,
  ['a number as user', async () => bearer(await mint('7', { claims: { sub: 7 } })), ['--sub=7'], ''],
  ['a key', async () => bearer('sk-sandbox'), ['--key-stdin'], 'sk-sandbox\n'],
  [
    'a key with a user and an end user',
    async () => ({
      ...bearer('sk-sandbox'),
      'new-api-user': '1',
      'x-end-user': Buffer.from(endUser).toString('latin1'),
    }),
    ['--key-stdin', '--user', '1', '--end-user', endUser],
    'Bearer sk-sandbox',
  ],
] as const;

test.each<[string, () => Promise<Settings>, readonly (typeof callers)[number][]]>([
  ['SQLite', async () => ({ DATA_DIR: await createDirectory() }), callers],
  // The records only give the secret that all owners are derived with.
  ['PostgreSQL', async () => ({ DATABASE_URL: await createDatabase() }), [byToken]],
])(
  'the command prints the owner that the log has, beside a running server and after its end: %s',
  async (_engine, createRecords, callers) => {
    const records = await createRecords();
    const env = { ...signInBySecret, ...records, AUTH: 'both' };
    const program = startBuilt([], { env });
    const api = apiAt(`${await waitForStart(program)}/graphql`);
    const owners: string[] = [];
    for (const [, toHeaders, args, input] of callers) {
      const before = program.output.length;
      made(await createChatCompletion(api, { input: ask('Hello') }, await toHeaders()));
      await expect.poll(() => program.output.slice(before)).toMatch(/"msg":"generation ended"/);
      const [, owner = ''] = /"owner":"([^"]+)"/.exec(program.output.slice(before)) ?? [];
      owners.push(owner);
      expect(await runOwner(env, args, input)).toEqual({ stdout: `${owner}\n`, stderr: '', code: 0 });
    }
    expect(new Set(owners).size).toBe(callers.length);
    // The server is not disturbed.
    made(await createChatCompletion(api, { input: ask('Hello') }, bearer('sk-sandbox')));
    program.kill('SIGTERM');
    expect(await program.exited).toEqual({ code: 0, signal: null });
    const [, , args, input] = byToken;
    expect((await runOwner(env, args, input)).stdout).toBe(`${owners[0]}\n`);
  },
  120_000,
);

test('a caller without a credential is found by the end user alone', async () => {
  const env = {
    DATA_DIR: await createDirectory(),
    GATEWAY_API_KEY_FOR_ALL: 'true',
    GATEWAY_API_KEY: 'sk-sandbox',
  };
  const program = startBuilt([], { env });
  const api = apiAt(`${await waitForStart(program)}/graphql`);
  made(await createChatCompletion(api, { input: ask('Hello') }, { 'x-end-user': 'bob' }));
  await program.waitForOutput(/"msg":"generation ended"/);
  const [, owner = ''] = /"owner":"(@[^"]+)"/.exec(program.output) ?? [];
  expect((await runOwner(env, ['--end-user', 'bob'])).stdout).toBe(`${owner}\n`);
  program.kill('SIGTERM');
  await program.exited;
});

/** Why the command ends with these settings and this key. */
async function lineOf(env: Settings, args: readonly string[], key: string): Promise<string> {
  try {
    const command = readCommand(['owner', ...args]);
    if (command.name !== 'owner') return command.name;
    const config = loadConfig(env);
    return await findOwner(config, { ...command.query, key: command.readsKey ? key : undefined });
  } catch (error) {
    return explainStart(error);
  }
}

test('bad input is one line without the key, and nothing is created', async () => {
  const directory = await createDirectory();
  const key = 'sk-a-secret-key';
  const jwt = { ...signInBySecret, DATA_DIR: directory };
  const both = { ...jwt, AUTH: 'both' };
  const cases: readonly (readonly [Settings, readonly string[], string, string])[] = [
    [jwt, ['--sub', 'ann'], '', `Cannot read the records in DATA_DIR=${directory}: there is no gengraph.db`],
    [jwt, [], '', 'gengraph owner needs --sub or --key-stdin. See --help'],
    [{ ...jwt, DATA_DIR: ':memory:' }, ['--sub', 'ann'], '', 'in the memory of their server'],
    [{ DATA_DIR: directory }, ['--sub', 'ann'], '', '--sub needs the settings of the server'],
    [jwt, ['--sub', 'ann', '--end-user', 'bob'], '', '--sub names the user alone'],
    [jwt, ['--sub', ''], '', '--sub is empty'],
    [jwt, ['--key-stdin'], key, '--key-stdin names no caller: with AUTH=jwt all callers sign in. Use --sub'],
    [both, ['--key-stdin'], '', 'Standard input has no key of the gateway'],
    [both, ['--key-stdin'], await mint('ann'), 'Standard input has a token'],
    [both, ['--key-stdin', '--end-user', '\u0007'], key, 'X-End-User contains a control character.'],
    [jwt, [key], '', 'gengraph owner takes only options. See --help'],
    [jwt, [`--key=${key}`], '', "Unknown option '--key'"],
    [{ ...jwt, AUTH_ISSUER: '' }, ['--sub', 'ann'], '', 'needs AUTH_ISSUER'],
    [
      { ...jwt, DATABASE_URL: 'postgres://x@127.0.0.1:1/x' },
      ['--sub', 'ann'],
      '',
      'Cannot read the records in DATABASE_URL',
    ],
  ];
  for (const [index, [env, args, input, expected]] of cases.entries()) {
    const line = await lineOf(env, args, input.trim());
    expect(line).toContain(expected);
    expect(line).not.toMatch(new RegExp(`\n|${key}`));
    // What the program itself adds is the same for all.
    if (index > 0) continue;
    expect(await runOwner(env, args, input)).toEqual({ stdout: '', stderr: `${line}\n`, code: 1 });
  }
  const tooLong = await runOwner(both, ['--key-stdin'], key.repeat(10_000));
  expect(tooLong).toEqual({ stdout: '', stderr: 'Standard input is too long for a key\n', code: 1 });
  expect(await readdir(directory)).toEqual([]);
});

import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { createServerKeys } from '../../src/server-keys.ts';
import { apiAt } from '../support/app.ts';
import { startBuilt } from '../support/built-program.ts';
import { ask, createChatCompletion, made, refused } from '../support/chats.ts';
import { createDirectory } from '../support/durable-server.ts';
import { startFakeGateway } from '../support/fake-gateway.ts';
import { finishedSong, musicTask } from '../support/fake-music.ts';
import { waitForStart } from '../support/programs.ts';
import { bearer, mint, signInBySecret } from '../support/sign-in.ts';

const completion = { choices: [{ message: { role: 'assistant', content: 'a' }, finish_reason: 'stop' }] };
const oldKey = 'sk-the-old-key';
const newKey = 'sk-the-new-key';

/** A gateway with several valid keys. A song ends when the test says so. */
async function startGateway() {
  const valid = new Set([oldKey]);
  const used: string[] = [];
  let isFinished = false;
  const gateway = await startFakeGateway((request, response, text) => {
    const key = request.headers.authorization?.replace('Bearer ', '') ?? '';
    used.push(key);
    const isValid = valid.has(key);
    response.writeHead(isValid ? 200 : 401, { 'content-type': 'application/json' });
    const answer = (): unknown => {
      if (!isValid) return { error: { message: 'Invalid API key', code: 'invalid_api_key' } };
      if (request.url === '/music/submit/music') return { code: 'success', data: 'song-1' };
      if (request.url !== '/music/fetch') return completion;
      const { ids } = JSON.parse(text) as { ids: string[] };
      return { code: 'success', data: ids.map((id) => (isFinished ? finishedSong(id) : musicTask(id))) };
    };
    response.end(JSON.stringify(answer()));
  });
  return { ...gateway, valid, used, finish: () => void (isFinished = true) };
}

test('the key is replaced while the server runs: no create is refused, and tasks go on with the new key', async () => {
  const gateway = await startGateway();
  const directory = await createDirectory();
  const file = join(directory, 'key');
  /** As a tool does: the file is never seen half written. */
  const write = async (text: string): Promise<void> => {
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  };
  await write(`${oldKey}\n`);
  const { GATEWAY_API_KEY: _key, ...signIn } = signInBySecret;
  const settings = {
    ...signIn,
    GATEWAY_API_KEY_FILE: file,
    GATEWAY_URL: gateway.url,
    TASK_POLL_SECONDS: '0.05',
    TASK_POLL_MAX_SECONDS: '0.05',
  };
  const program = startBuilt([], { env: settings });
  const api = apiAt(`${await waitForStart(program)}/graphql`);
  const headers = bearer(await mint('ann'));
  const create = () => createChatCompletion(api, { input: ask('Hello') }, headers);
  // Followed from before the rotation until after it.
  await api.run(
    'mutation { createSong(input: { description: "x", model: SONG_V5 }) { __typename } }',
    {},
    { headers },
  );
  made(await create());

  // Creates run all the time.
  let isRotating = true;
  const outcomes = (async () => {
    const codes: unknown[] = [];
    while (isRotating) {
      const created = await create();
      codes.push('code' in created ? created.code : created.status);
    }
    return codes;
  })();
  gateway.valid.add(newKey);
  await write(newKey);
  program.kill('SIGHUP');
  await program.waitForOutput(/"changed":\["GATEWAY_API_KEY_FILE"\],"msg":"read the key files again"/);
  const sentByThen = gateway.used.length;
  await expect
    .poll(() => gateway.used.slice(sentByThen).filter((key) => key === newKey).length)
    .toBeGreaterThan(10);
  gateway.valid.delete(oldKey);
  gateway.finish();
  await expect
    .poll(() =>
      api.run('{ generations(filter: { kinds: [SONG] }) { edges { node { status } } } }', {}, { headers }),
    )
    .toEqual({ data: { generations: { edges: [{ node: { status: 'SUCCEEDED' } }] } } });
  isRotating = false;
  expect(new Set(await outcomes)).toEqual(new Set(['SUCCEEDED']));
  expect(program.output).not.toContain('refuses the key');

  // A file that cannot be used changes nothing.
  for (const text of ['', 'Bearer sk-another-key', 'short']) {
    await write(text);
    const before = program.output.length;
    program.kill('SIGHUP');
    await expect.poll(() => program.output.slice(before)).toContain('could not read the key files again');
    expect(made(await create()).status).toBe('SUCCEEDED');
  }
  expect(program.output).not.toContain('sk-another-key');

  // A key that the gateway refuses is noticed, and replacing it ends the outage.
  await write('sk-a-wrong-key');
  program.kill('SIGHUP');
  await expect.poll(() => program.output.split('"changed":').length).toBe(3);
  expect(refused(await create())).toMatchObject({ code: 'SERVER_KEY_REFUSED', retry: 'LATER' });
  await write(newKey);
  program.kill('SIGHUP');
  await expect.poll(() => program.output.split('"changed":').length).toBe(4);
  expect(made(await create()).status).toBe('SUCCEEDED');
  program.kill('SIGTERM');
  expect(await program.exited).toEqual({ code: 0, signal: null });
  expect(program.output).not.toContain(newKey);
});

test.each([
  [
    'a file that is missing',
    { GATEWAY_API_KEY_FILE: '/nowhere/key' },
    'GATEWAY_API_KEY_FILE=/nowhere/key: expected the path of a file with the credential: ENOENT',
  ],
  [
    'a file without a key',
    { GATEWAY_API_KEY_FILE: './LICENSE' },
    'expected a file with nothing but the credential',
  ],
  [
    'a key beside a file',
    { GATEWAY_API_KEY_FILE: './LICENSE', GATEWAY_API_KEY: 'sk-sandbox' },
    'GATEWAY_API_KEY_FILE=./LICENSE: contradicts GATEWAY_API_KEY',
  ],
])('%s stops the start', (_what, settings, expected) => {
  const { GATEWAY_API_KEY: _key, ...signIn } = signInBySecret;
  expect(() => createServerKeys(loadConfig({ ...signIn, ...settings }))).toThrow(expected);
});

test('an unusable key file is the same line for --check-config and for the start', async () => {
  const { GATEWAY_API_KEY: _key, ...signIn } = signInBySecret;
  const env = { ...signIn, GATEWAY_API_KEY_FILE: '/nowhere/key' };
  const programs = [startBuilt([], { env }), startBuilt(['--check-config'], { env })];
  for (const program of programs) {
    expect(await program.exited).toEqual({ code: 1, signal: null });
    expect(program.output).toMatch(/^Invalid setting: GATEWAY_API_KEY_FILE=[^\n]+ENOENT\n$/);
  }
});

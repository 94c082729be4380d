import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { startBuilt } from '../support/built-program.ts';
import { startDatabaseServer } from '../support/database-server.ts';
import { createDirectory } from '../support/durable-server.ts';
import { createDatabase } from '../support/postgres.ts';
import { waitForStart } from '../support/programs.ts';
import { sendRequest } from '../support/http.ts';

const start = (url: string, env: Readonly<Record<string, string>> = {}) =>
  startBuilt([], {
    env: { DATABASE_URL: url, GATEWAY_URL: 'http://127.0.0.1:9', LOG_LEVEL: 'info', ...env },
  });

test('a start while the database is down waits for it, and says so at once', async () => {
  const database = await startDatabaseServer();
  await database.stop();
  const program = start(database.url);
  await program.waitForOutput(/the database cannot be reached; the start waits for it/);
  const [line = '{}'] = program.output.split('\n');
  expect(JSON.parse(line)).toMatchObject({
    level: 40,
    database: expect.stringMatching(/^127\.0\.0\.1:\d+\//),
    reason: expect.stringContaining('ECONNREFUSED'),
    waitMs: 60_000,
  });
  await database.restart();
  const url = await waitForStart(program);
  expect((await sendRequest(new URL('/health/ready', url).href, { method: 'GET' })).status).toBe(200);
}, 60_000);

test('a key that is rotated during the start ends nothing, and its file is read again at the end of the start', async () => {
  const file = join(await createDirectory(), 'key');
  await writeFile(file, 'sk-the-key');
  const database = await startDatabaseServer();
  await database.stop();
  const program = start(database.url, { GATEWAY_API_KEY_FILE: file, GATEWAY_API_KEY_FOR_ALL: 'true' });
  await program.waitForOutput(/the start waits for it/);
  program.kill('SIGHUP');
  await database.restart();
  await program.waitForOutput(/"msg":"read the key files again"/);
  expect(await waitForStart(program)).toMatch(/^http:/);
}, 60_000);

test('a start whose database stays away ends after a minute, with one line', async () => {
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => 30 * now());
  onTestFinished(() => clock.mockRestore());
  const startedAt = performance.now();
  const config = loadConfig({
    DATABASE_URL: 'postgres://127.0.0.1:9/gengraph',
    GATEWAY_URL: 'http://127.0.0.1:9',
    PORT: '0',
    LOG_LEVEL: 'silent',
  });
  await expect(createApp(config)).rejects.toThrow(
    /^Cannot keep records in DATABASE_URL at 127\.0\.0\.1:9\/gengraph: [^\n]*ECONNREFUSED[^\n]*$/,
  );
  // On this clock a second between two attempts takes 30.
  expect(performance.now() - startedAt).toBeGreaterThan(29_000);
});

test('a start with a database that does not exist, or a password that is wrong, ends at once with one line', async () => {
  const url = new URL(await createDatabase());
  const [unknown, refused] = [new URL(url), new URL(url)];
  unknown.pathname = '/no_such_database';
  refused.username = 'no_such_user';
  for (const wrong of [unknown, refused]) {
    const program = start(wrong.href);
    expect(await program.exited).toEqual({ code: 1, signal: null });
    expect(program.stderr).toMatch(/^Cannot keep records in DATABASE_URL at \S+: [^\n]+\n$/);
    expect(program.output).not.toContain('waits for it');
  }
});

test('a certificate that cannot be read ends the start at once with one line', async () => {
  const program = start('postgres://me@127.0.0.1:9/a?sslmode=verify-full&sslrootcert=/missing/ca.pem');
  expect(await program.exited).toEqual({ code: 1, signal: null });
  expect(program.output).toMatch(
    /^Cannot keep records in DATABASE_URL at 127\.0\.0\.1:9\/a: cannot read sslrootcert=\/missing\/ca\.pem: ENOENT[^\n]+\n$/,
  );
});

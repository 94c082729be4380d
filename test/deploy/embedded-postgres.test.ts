import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findPort } from '../support/postgres-broker.ts';

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

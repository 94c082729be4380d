import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { startProgram } from '../support/programs.ts';

test('npm run federation answers a query across subgraphs and ends on SIGTERM', async () => {
  const program = startProgram(['node', 'deploy/federation/local.ts'], {
    env: { NEIGHBOUR_PORT: '0', ROUTER_PORT: '0' },
  });
  await program.waitForOutput(/"headline": "About “Hello”"/);
  expect(program.output).toMatch(/Hive Gateway\s+http:\/\/127\.0\.0\.1:\d+\/graphql/);
  expect(program.output).toMatch(/"status": "SUCCEEDED"/);
  program.kill('SIGTERM');
  expect(await program.exited).toEqual({ code: 0, signal: null });
});

test.each(['NEIGHBOUR_PORT', 'ROUTER_PORT'])(
  'npm run federation names a port that is in use in one line (%s)',
  async (setting) => {
    await using other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo; // TCP's is of this form.
    const program = startProgram(['node', 'deploy/federation/local.ts'], {
      env: { NEIGHBOUR_PORT: '0', ROUTER_PORT: '0', [setting]: `${port}` },
    });
    expect(await program.exited).toEqual({ code: 1, signal: null });
    expect(program.output).toBe(
      `Cannot start: port ${port} is in use. Set PORT, SANDBOX_PORT, NEIGHBOUR_PORT or ROUTER_PORT to another port.\n`,
    );
  },
);

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

import { expect, test } from 'vitest';
import { apiAt } from '../support/app.ts';
import { builtEnv, builtStart } from '../support/built-program.ts';
import { startProgram, waitForStart } from '../support/programs.ts';

test('a server whose log is not read answers, drops lines, says so when it is read, and stops', async () => {
  const program = startProgram(['node', ...builtStart], { env: builtEnv });
  const api = apiAt(`${await waitForStart(program)}/graphql`);
  program.pauseOutput();
  // The name is part of each line: together they are longer than the pipe and the lines that wait.
  const query = `query ${'x'.repeat(4000)} { __typename }`;
  for (let turn = 0; turn < 40; turn += 1) {
    const answers = await Promise.all(Array.from({ length: 25 }, () => api.run(query)));
    for (const { data } of answers) expect(data).toEqual({ __typename: 'Query' });
  }
  program.resumeOutput();
  const [line] = await program.waitForOutput(/^.*log lines were dropped.*\n/m);
  const said = JSON.parse(line) as { level: number; lines: number };
  expect(said.level).toBe(40);
  const names = program.output.match(/"x{4000}"/g) ?? [];
  expect(names.length + said.lines).toBe(1000);

  program.pauseOutput();
  for (let turn = 0; turn < 4; turn += 1) await Promise.all(Array.from({ length: 25 }, () => api.run(query)));
  program.kill('SIGTERM');
  await expect.poll(() => isRunning(program.pid), { interval: 50 }).toBe(false);
  program.resumeOutput();
  expect(await program.exited).toEqual({ code: 0, signal: null });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

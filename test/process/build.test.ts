import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { postJson, sendRequest } from '../support/http.ts';
import { startProgram, waitForStart } from '../support/programs.ts';

// It compiles the whole program.
const options = { timeout: 120_000 };

test(
  'npm run build makes a program that starts, prints the same lines, answers and drains',
  options,
  async () => {
    // In a copy: another test run may build at the same time.
    const folder = await mkdtemp(join(tmpdir(), 'gengraph-build-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    for (const name of ['src', 'build.ts', 'build-graphiql.ts', 'package.json', 'tsconfig.json'])
      await cp(name, join(folder, name), { recursive: true });
    await symlink(resolve('node_modules'), join(folder, 'node_modules'));
    const build = startProgram(['npm', 'run', 'build'], { cwd: folder });
    expect([await build.exited, build.output]).toEqual([
      { code: 0, signal: null },
      expect.not.stringContaining('error'),
    ]);
    await rm(join(folder, 'src'), { recursive: true });
    const notices = await readFile(join(folder, 'dist/THIRD-PARTY.txt'), 'utf8');
    expect(notices).toMatch(/^graphql \d\S+ \(MIT\)\n\nMIT License$/m);

    const program = startProgram(['node', 'dist/start.js'], { cwd: folder, env: { LOG_LEVEL: 'warn' } });
    const url = await waitForStart(program);
    expect(program.stderr).toMatch(/its own sandbox at http/);
    expect(program.stderr).toContain('API key       sk-sandbox');
    const query = `mutation { createChatCompletion(input: {
    model: "gpt-4o", messages: [{role: USER, content: {text: "Hello"}}] }) { ... on Generation { status } } }`;
    const reply = await postJson(`${url}/graphql`, { query }, { authorization: 'Bearer sk-sandbox' });
    expect(reply.json).toEqual({ data: { createChatCompletion: { status: 'SUCCEEDED' } } });
    const page = await sendRequest(`${url}/graphql`, { headers: { accept: 'text/html' } });
    expect(page.text).toContain('<title>Gengraph</title>');
    program.kill('SIGTERM');
    expect(await program.exited).toEqual({ code: 0, signal: null });
    expect(program.stderr).not.toContain('open handles');
  },
);

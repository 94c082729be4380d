import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { builtEnv, builtStart } from '../support/built-program.ts';

interface Run {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly errors: () => string;
  /** Resolves when the output has this text. */
  readonly says: (text: string) => Promise<void>;
  readonly exited: Promise<number | null>;
}

function run(env: Readonly<Record<string, string>>): Run {
  const child = spawn(process.execPath, [...builtStart, 'sandbox'], {
    env: { PATH: process.env['PATH'], ...builtEnv, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const exited = once(child, 'close').then(([code]) => code as number | null);
  return {
    child,
    output: () => output,
    errors: () => errors,
    exited,
    async says(text) {
      while (!output.includes(text)) {
        await Promise.race([once(child.stdout, 'data'), exited]);
        if (child.exitCode !== null) throw new Error(`exited: ${errors}`);
      }
    },
  };
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  'runs until %s, and prints its address and credentials',
  async (signal) => {
    const { child, output, errors, says, exited } = run({ SANDBOX_PORT: '0' });
    await says('sandbox-system');
    expect(output()).toMatch(/http:\/\/127\.0\.0\.1:\d+/);
    expect(output()).toContain('sk-sandbox');
    const url = /http:\S+/.exec(output())?.[0] ?? '';
    expect((await fetch(`${url}/health`)).status).toBe(200);
    const stream = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-sandbox', 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'm',
        messages: [{ role: 'user', content: 'count to 500' }],
        stream: true,
      }),
    });
    child.kill(signal);
    await expect(stream.text()).rejects.toThrow('terminated');
    expect(await exited).toBe(0);
    expect(errors()).toBe('');
  },
);

test('an empty SANDBOX_HOST is the default, as the other empty variables are', async () => {
  const { output, says } = run({ SANDBOX_PORT: '0', SANDBOX_HOST: '', SANDBOX_TASK_SECONDS: '' });
  await says('sandbox-system');
  expect(output()).toMatch(/http:\/\/127\.0\.0\.1:\d+/);
});

test('a busy port prints one clear line', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  const { errors, exited } = run({ SANDBOX_PORT: port });
  expect(await exited).toBe(1);
  expect(errors()).toBe(
    `The sandbox did not start: 127.0.0.1:${port} is in use: set SANDBOX_PORT to another port\n`,
  );
});

test.each([
  ['SANDBOX_PORT', 'http'],
  ['SANDBOX_PORT', '70000'],
  ['SANDBOX_TOKENS_PER_SECOND', '0'],
  ['SANDBOX_TOKENS_PER_SECOND', 'fast'],
  ['SANDBOX_TASK_SECONDS', '-1'],
  ['SANDBOX_TASK_SECONDS', 'soon'],
  ['SANDBOX_HOST', '203.0.113.7'],
])('%s=%s prints one clear line that names the variable', async (name, value) => {
  const { errors, exited } = run({ SANDBOX_PORT: '0', [name]: value });
  expect(await exited).toBe(1);
  expect(errors().trimEnd().split('\n')).toHaveLength(1);
  expect(errors()).toContain(name);
});

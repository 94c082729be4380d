import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { ask, createChatCompletion } from '../support/chats.ts';
import { createDirectory } from '../support/durable-server.ts';
import { createInbox } from '../support/inbox.ts';
import { codeBlocks, readPage } from '../support/markdown.ts';

const run = promisify(execFile);

test('the commands for an outage find its failures in the log', async ({ skip }) => {
  const hasJq = await run('jq', ['--version']).then(
    () => true,
    () => false,
  );
  skip(!hasJq, 'no jq on PATH');
  const lines = createInbox<Readonly<Record<string, unknown>>>();
  await using app = await startApp({
    env: { MAX_CREATES_PER_MINUTE_PER_OWNER: '3' },
    onLog: (line) => lines.push(line),
  });
  for (const model of ['fault-rate-limit', 'fault-rate-limit', 'fault-reset', 'one-too-many'])
    await createChatCompletion(app, { input: ask('Hello', { model }) });
  const file = join(await createDirectory(), 'log');
  const texts = lines.all.map((line) => JSON.stringify(line));
  await writeFile(file, ['Node warns of something', ...texts, ''].join('\n'));

  const [script = ''] = codeBlocks(readPage('docs/operating.md'), 'sh').filter((code) => code.includes('jq'));
  const commands = script.replace(/^log\(\) .*$/m, `log() { cat '${file}'; }`).split('\n');
  const [define = '', ...rest] = commands.filter((line) => line !== '' && !line.startsWith('#'));
  const answers = await Promise.all(rest.map((command) => run('sh', ['-c', `${define}\n${command}`])));
  const [failed, codes, limited, unpaid] = answers.map(({ stdout }) =>
    stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.trim().split(/\s+/)),
  );
  expect(failed?.map((row) => row.slice(0, 3))).toEqual([
    ['2', '/v1/chat/completions', '429'],
    ['1', '/v1/chat/completions', 'no_reply'],
  ]);
  expect(codes).toEqual([
    ['2', 'RATE_LIMITED'],
    ['1', 'RATE_LIMITED', 'CREATES_PER_MINUTE'],
    ['1', 'OUTCOME_UNKNOWN'],
  ]);
  expect(limited).toEqual([['1', 'CREATES_PER_MINUTE', expect.any(String), '127.0.0.1']]);
  const [lost] = lines.all.filter(({ msg }) => msg === 'generation ended');
  expect(unpaid).toEqual([[lost?.['generationId'], lost?.['owner'], 'OUTCOME_UNKNOWN', lost?.['requestId']]]);
});

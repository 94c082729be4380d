import { createHook } from 'node:async_hooks';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createLogLines } from '../../src/lib/log-lines.ts';

function openLog() {
  const directory = mkdtempSync(join(tmpdir(), 'gengraph-log-'));
  const file = join(directory, 'log');
  const fd = openSync(file, 'w');
  onTestFinished(() => {
    closeSync(fd);
    rmSync(directory, { recursive: true });
  });
  return { lines: createLogLines(fd), read: () => readFileSync(file, 'utf8') };
}

test('lines are written soon, in order, also those that come during a write', async () => {
  const { lines, read } = openLog();
  let expected = '';
  const write = (line: string): void => {
    lines.write(line);
    expected += line;
  };
  write('first\n');
  // Exceeds the buffer, so that a write begins at once.
  write(`${'x'.repeat(20_000)}\n`);
  write('last\n');
  await expect.poll(read).toBe(expected);
  write('later\n');
  await expect.poll(read).toBe(expected);
});

test('a log without new lines writes nothing', async () => {
  const { lines, read } = openLog();
  lines.write('line\n');
  await expect.poll(read).toBe('line\n');
  // The flush after the last line finds nothing.
  await sleep(300);
  let writes = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === 'FSREQCALLBACK') writes += 1;
    },
  }).enable();
  await sleep(500);
  hook.disable();
  expect(writes).toBe(0);
});

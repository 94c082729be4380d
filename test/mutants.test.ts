import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createDirectory } from './support/durable-server.ts';
import { chooseTests, createImports } from './support/mutation/choose-tests.ts';
import { readLines } from './support/mutation/copy.ts';
import { addMutants, findMutants } from './support/mutation/find-mutants.ts';

const source = `
export function choose(value, noted) {
  if (value > 1) noted.push('many');
  else noted.push('few');
  return value > 1 ? noted.length : 0;
}
`;
const mutants = findMutants('src/choose.ts', source);

/** The values with this mutant, or without any. */
async function choose(active?: string): Promise<readonly unknown[]> {
  const chosen = mutants.filter(({ isStatement }) => isStatement);
  const text = addMutants(source, chosen).replaceAll('globalThis.isActiveMutant?.', 'isActive');
  const code = `const isActive = (id) => id === ${JSON.stringify(active ?? '')};\n${text}`;
  const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    readonly choose: (value: number, noted: string[]) => number;
  };
  return [1, 2].map((value) => {
    const noted: string[] = [];
    module.choose(value, noted);
    return noted;
  });
}

test('a file with mutants does the same while none is active, and else stays with its if', async () => {
  expect(await choose()).toEqual([['few'], ['many']]);
});

test('an active mutant leaves one statement out', async () => {
  const [many, few] = mutants.filter(({ isStatement }) => isStatement).toSorted((a, b) => a.start - b.start);
  expect(await choose(many?.id)).toEqual([['few'], []]);
  expect(await choose(few?.id)).toEqual([[], ['many']]);
});

test('what a thread reaches is noted at once, since nothing runs in it when it is terminated', async () => {
  const noted = join(await createDirectory(), 'coverage.jsonl');
  const program = `import { parentPort } from 'node:worker_threads';
    for (const id of ['one', 'two', 'one']) globalThis.isActiveMutant(id);
    parentPort.on('message', () => {}).postMessage('reached');`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`), {
    execArgv: [`--import=${new URL('support/mutation/activate.js', import.meta.url).href}`],
    env: { MUTANT_COVERAGE: noted, MUTANT_TEST: 'test/a.test.ts' },
  });
  await once(worker, 'message');
  await worker.terminate();
  expect(readLines(noted)).toEqual([
    { path: 'test/a.test.ts', mutants: ['one'] },
    { path: 'test/a.test.ts', mutants: ['two'] },
  ]);
});

test('code that runs while a module loads gets the tests that import it, those of its name first, then the nearest', () => {
  const files: Readonly<Record<string, string>> = {
    'src/limits.ts': 'export const max = 1 + 1;\n',
    'src/app.ts': "import { max } from './limits.ts';\n",
    'test/a.test.ts': "import { app } from '../src/app.ts';\n",
    'test/max-limits.test.ts': "import { app } from '../src/app.ts';\n",
    'test/b.test.ts': "import { max } from '../src/limits.ts';\n",
    'test/other.test.ts': "import type { max } from '../src/limits.ts';\n",
  };
  const read = (path: string): string => files[path] ?? '';
  const [mutant] = findMutants('src/limits.ts', read('src/limits.ts'));
  if (!mutant) throw new Error('no mutant');
  const tests = Object.keys(files).filter((path) => path.startsWith('test/'));
  const coverage = tests.map((path) => ({
    path,
    hash: '',
    elapsedMs: 10,
    hasPassed: true,
    mutants: [],
    sample: '',
  }));
  const choice = { coverage, isIn: () => true, importsOf: createImports(read) };
  const chosen = (budgetMs: number) => chooseTests(mutant, { ...choice, budgetMs }).map(({ path }) => path);
  expect(mutant.isStatic).toBe(true);
  expect(chosen(100)).toEqual(['test/max-limits.test.ts', 'test/b.test.ts', 'test/a.test.ts']);
  expect(chosen(10)).toEqual(['test/max-limits.test.ts']);
});

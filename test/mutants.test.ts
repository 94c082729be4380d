import { expect, test } from 'vitest';
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

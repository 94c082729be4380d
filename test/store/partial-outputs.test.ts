import { expect, test } from 'vitest';
import type { StoredOutput } from '../../src/store/records.ts';
import type { PartialOutput } from '../../src/store/sql/contents/partial-outputs.ts';
import { assembleOutput, parseText } from '../../src/store/sql/contents/output-parts.ts';
import { createPartialOutputs } from '../../src/store/sql/contents/partial-outputs.ts';
import { createRandom } from '../support/random.ts';

const id = 'generation_1';
const chatOf = (text: string): StoredOutput => ({ type: 'chat', text }) as StoredOutput;

/** The rows of one output. */
function createRows() {
  const rows = new Map<string, string>();
  return {
    rows,
    write({ part, body, removesParts }: PartialOutput): void {
      if (removesParts) rows.clear();
      rows.set(part, body);
    },
    read() {
      const [whole = 'null', ...parts] = [...rows]
        .toSorted(([left], [right]) => (left < right ? -1 : 1))
        .map(([, body]) => parseText(body));
      return typeof whole === 'string' ? undefined : assembleOutput(whole, parts.toReversed());
    },
  };
}

test('the bytes written grow with the output, and an output in parts is read from few rows', async () => {
  const table = createRows();
  let [chars, mostRows] = [0, 0];
  const outputs = createPartialOutputs(async (output) => {
    table.write(output);
    chars += output.body.length;
    mostRows = Math.max(mostRows, table.rows.size);
    return true;
  });
  let text = '';
  for (let save = 0; save < 600; save += 1) {
    text += 'word '.repeat(34);
    await outputs.save(id, chatOf(text));
  }
  expect(table.read()).toEqual(chatOf(text));
  expect(text.length).toBeGreaterThan(100_000);
  // Ten minutes. Whole outputs would be 30.6 million characters.
  expect(chars).toBeLessThan(1_200_000);
  expect(mostRows).toBeLessThan(30);
});

test('an output that stays short is written whole, and nothing is kept of it', async () => {
  const parts: string[] = [];
  const outputs = createPartialOutputs(async ({ part, removesParts }) => {
    parts.push(`${part} ${removesParts}`);
    return true;
  });
  for (const count of [1, 50, 90]) await outputs.save(id, chatOf('word '.repeat(count)));
  expect(parts).toEqual(['output false', 'output false', 'output false']);
  expect(outputs.hasParts(id)).toBe(false);
});

test('saves of an output of a few thousand characters write what is new', async () => {
  const table = createRows();
  const saved: PartialOutput[] = [];
  const outputs = createPartialOutputs(async (output) => {
    table.write(output);
    saved.push(output);
    return true;
  });
  let text = '';
  for (let save = 0; save < 20; save += 1) {
    text += 'word '.repeat(40);
    await outputs.save(id, chatOf(text));
    expect(table.read()).toEqual(chatOf(text));
  }
  // Whole outputs would be 42,000 characters.
  expect(saved.reduce((chars, { body }) => chars + body.length, 0)).toBeLessThan(12_000);
  expect(saved.some(({ removesParts }) => removesParts)).toBe(false);
});

test('an output that has ended elsewhere keeps its parts until its producer removes them', async () => {
  let isRunning = true;
  const outputs = createPartialOutputs(async () => isRunning);
  await outputs.save(id, chatOf('word '.repeat(4000)));
  isRunning = false;
  expect(await outputs.save(id, chatOf('word '.repeat(4001)))).toBe(false);
  expect(await outputs.save(id, chatOf('other '.repeat(4001)))).toBe(false);
  expect(outputs.hasParts(id)).toBe(true);
  outputs.delete(id);
  expect(outputs.hasParts(id)).toBe(false);
});

test.each([1, 2, 3, 4])(
  'writes with unknown outcomes leave the last save, or one that was tried (seed %i)',
  async (seed) => {
    const random = createRandom(seed);
    const table = createRows();
    const tried = new Set<string | undefined>([undefined]);
    let late: PartialOutput[] = [];
    const outputs = createPartialOutputs(async (output) => {
      const outcome = random();
      if (outcome < 0.85) table.write(output);
      else if (outcome < 0.9) {
        table.write(output);
        throw new Error('the connection broke during the commit');
      } else if (outcome < 0.95) throw new Error('the connection broke');
      else {
        late.push(output);
        throw new Error('the connection broke, and the statement is still running');
      }
      return true;
    });
    let text = '';
    for (let save = 0; save < 500; save += 1) {
      text = random() < 0.02 ? text.slice(0, 12_000) : text + 'word '.repeat(1 + Math.floor(random() * 100));
      const output = chatOf(text);
      tried.add(JSON.stringify(output));
      const isSaved = await outputs.save(id, output).catch(() => false);
      const allowed = isSaved && late.length === 0 ? [JSON.stringify(output)] : tried;
      expect(allowed).toContain(JSON.stringify(table.read()));
      if (late.length === 0 || random() < 0.6) continue;
      for (const write of late) table.write(write);
      expect(tried).toContain(JSON.stringify(table.read()));
      // A write of the whole ends the effect of the late ones.
      late = [];
      outputs.delete(id);
      table.rows.clear();
      await outputs.save(id, output).catch(() => {});
    }
  },
);

import { expect, test } from 'vitest';
import { parseJson, stringifyJson } from '../../src/lib/json.ts';
import type { Generation, StoredOutput } from '../../src/store/records.ts';
import type { Store } from '../../src/store/store.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createRandom } from '../support/random.ts';
import type { Backend } from './store.conformance.ts';
import { noneAbandoned, owner, record, recoverAll, recovery } from './support.ts';

/** An output in the form of a chat with this text. */
function chatOf(text: string, more: object = {}): StoredOutput {
  return { type: 'chat', sequence: text.length, choices: [{ index: 0, text }], ...more } as StoredOutput;
}

/** Longer than an output that is always written whole. */
const long = 'word '.repeat(4000);

/** Saves a text that grows by one word each time. Returns the last output. */
async function saveGrowing(store: Store, id: string, count = 40): Promise<StoredOutput> {
  let output = chatOf(long);
  for (let words = 0; words < count; words += 1) {
    output = chatOf(`${long}${'😀 "next"\n'.repeat(words)}`);
    expect(await store.saveOutput(id, output)).toBe(true);
  }
  return output;
}

/** The output, as every reader gets it. */
async function readOutput(store: Store, id: string): Promise<Generation['output']> {
  const ref = { id, name: 'output' } as const;
  const [content] = await store.findContents(owner, [ref]);
  const [generation] = await store.findGenerations(owner, [id]);
  expect(generation?.output).toEqual(content);
  const [bytes = 0] = await store.measureContents(owner, [ref]);
  const size = content === undefined ? 0 : Buffer.byteLength(stringifyJson(content));
  // Parts are a little longer than what they add.
  expect(bytes).toBeGreaterThanOrEqual(size);
  expect(bytes).toBeLessThanOrEqual(size * 2.1);
  return content;
}

function recordRunning(store: Store): Promise<Generation> {
  return record(store, { finishedAt: undefined, status: 'RUNNING' });
}

export function partialOutputConformance(backend: Backend): void {
  const open = async () => (await backend.createLocation()).open({ clock: createManualClock() });

  test('any sequence of saves reads back as the last one', async () => {
    const store = await open();
    const random = createRandom(5);
    const pick = (count: number) => Math.floor(random() * count);
    const added = [
      'a',
      ' word',
      '"',
      '\\',
      '\n',
      '\u0000',
      '\ud83d',
      '\ude00',
      '😀',
      'é',
      long.slice(0, 3000),
    ];
    for (let chat = 0; chat < 4; chat += 1) {
      const { id } = await recordRunning(store);
      let texts = [long.slice(0, 7000)];
      let more: object = {};
      for (let save = 0; save < 60; save += 1) {
        const act = pick(20);
        if (act === 0) texts = [...texts, ''];
        else if (act === 1 && save > 20) texts = texts.map((text) => text.slice(0, pick(text.length)));
        else if (act === 2) more = { model: 'm', seed: 12345678901234567890n, note: undefined };
        else if (act === 3) more = {};
        texts = texts.map((text) => (random() < 0.8 ? text + added[pick(added.length)] : text));
        const choices = texts.map((text, index) => ({ index, text, reason: act === 4 ? 'stop' : undefined }));
        const output = { ...chatOf('', more), sequence: save, choices } as StoredOutput;
        expect(await store.saveOutput(id, output)).toBe(true);
        const saved = parseJson(stringifyJson(output));
        // Some saves are read in every way.
        const found =
          save % 6 === 0
            ? await readOutput(store, id)
            : (await store.findContents(owner, [{ id, name: 'output' }]))[0];
        expect(found).toEqual(saved);
      }
    }
  });

  test('saves of one turn are independent of each other, whichever are long', async () => {
    const store = await open();
    const chats = await Promise.all([1, 2, 3].map(() => recordRunning(store)));
    const [short, growing, shrinking] = chats.map(({ id }) => id) as [string, string, string];
    await saveGrowing(store, growing, 3);
    await saveGrowing(store, shrinking, 3);
    const outputs = [chatOf('short'), chatOf(`${long}${long.slice(0, 90)}`), chatOf('less')];
    const saves = [short, growing, shrinking].map((id, index) =>
      store.saveOutput(id, outputs[index] as never),
    );
    const saved = await Promise.all([...saves, store.saveOutput('generation_none', chatOf(long))]);
    expect(saved).toEqual([true, true, true, false]);
    for (const [index, { id }] of chats.entries())
      expect(await readOutput(store, id)).toEqual(outputs[index]);
  });

  test('an end with the whole output leaves what it would leave without saves', async () => {
    const store = await open();
    const output = chatOf(`${long}${'😀 "next"\n'.repeat(49)}`);
    const sizes: number[] = [];
    for (const saves of [0, 50]) {
      const { id } = await recordRunning(store);
      await saveGrowing(store, id, saves);
      await store.endGeneration(id, { status: 'SUCCEEDED', finishedAt: 3000, output, raw: 'raw' });
      expect(await readOutput(store, id)).toEqual(output);
      sizes.push((await store.measureRecords(owner)).bytes);
      const measured = await store.measureContents(owner, [{ id, name: 'output' }]);
      expect(measured).toEqual([Buffer.byteLength(stringifyJson(output))]);
    }
    expect(sizes[1]).toBe(2 * (sizes[0] ?? 0));
  });

  test('outputs beyond a million characters are saved and read in pieces', async () => {
    const store = await open();
    const { id } = await recordRunning(store);
    const images = ['a', 'b', 'c'].map((letter) => letter.repeat(700_000));
    for (let count = 1; count <= images.length; count += 1) {
      const output = { ...chatOf(''), images: images.slice(0, count) };
      expect(await store.saveOutput(id, output)).toBe(true);
      expect(await readOutput(store, id)).toEqual(output);
    }
  });

  test('an end without output keeps the saved one, which counts until it is forgotten', async () => {
    const location = await backend.createLocation();
    const store = await location.open({ clock: createManualClock() });
    const { id } = await recordRunning(store);
    const output = await saveGrowing(store, id);
    const before = await store.measureRecords(owner);
    await store.endGeneration(id, { status: 'CANCELED', finishedAt: 3000 });
    expect(await store.saveOutput(id, chatOf(`${long}late`))).toBe(false);
    expect(await readOutput(store, id)).toEqual(output);
    const grown = (await store.measureRecords(owner)).bytes - before.bytes;
    const [bytes = 0] = await store.measureContents(owner, [{ id, name: 'output' }]);
    expect(grown).toBe(bytes);
    expect(await store.deleteGenerations(owner, [id])).toEqual([id]);
    expect(await store.measureRecords(owner)).toEqual({ records: 0, bytes: 0 });
    expect(await store.findContents(owner, [{ id, name: 'output' }])).toEqual([undefined]);
  });

  test('a producer adds its whole output to an end that was recorded elsewhere', async () => {
    const store = await open();
    const { id } = await recordRunning(store);
    await saveGrowing(store, id);
    await store.endGeneration(id, { status: 'CANCELED', finishedAt: 3000 });
    expect(await store.saveOutput(id, chatOf(`${long}late`))).toBe(false);
    const output = chatOf(`${long}received`);
    const late = { status: 'FAILED', finishedAt: 4000, output, raw: 'raw' } as const;
    expect(await store.endGeneration(id, late)).toMatchObject({ status: 'CANCELED', finishedAt: 3000 });
    expect(await readOutput(store, id)).toEqual(output);
    await store.deleteGenerations(owner, [id]);
    expect(await store.measureRecords(owner)).toEqual({ records: 0, bytes: 0 });
  });

  test('expired records are deleted with their parts', async () => {
    const store = await open();
    const { id } = await recordRunning(store);
    await saveGrowing(store, id);
    await store.endGeneration(id, { status: 'CANCELED', finishedAt: 3000 });
    await store.sweep({ ...noneAbandoned, keysBefore: 1e6, generationsBefore: 1e6, limit: 10 });
    expect(await store.findContents(owner, [{ id, name: 'output' }])).toEqual([undefined]);
    expect(await store.measureRecords(owner)).toEqual({ records: 0, bytes: 0 });
  });

  // One process alone can open records in memory.
  if (!backend.isShared) return;
  test('the saved output of a dead instance stays', async () => {
    const [location, clock] = [await backend.createLocation(), createManualClock()];
    const first = await location.open({ clock });
    const second = await location.open({ clock });
    const { id } = await recordRunning(first);
    const output = await saveGrowing(first, id);
    expect(await readOutput(second, id)).toEqual(output);
    await first.close();
    expect(await recoverAll(second)).toMatchObject([{ id, status: recovery.interrupted.status }]);
    expect(await readOutput(second, id)).toEqual(output);
  });
}

import { describe, expect, test } from 'vitest';
import { reportGenerations } from '../../src/generations/report-generations.ts';
import type { Log } from '../../src/lib/log.ts';
import type { GenerationSummary } from '../../src/store/records.ts';
import type { Store } from '../../src/store/store.ts';

type Line = readonly [level: string, facts: Readonly<Record<string, unknown>>];

/** Ends generations in a store that has only them. */
async function linesOf(
  generations: readonly (Partial<GenerationSummary> & { id: string })[],
  streamEnds: number,
) {
  const lines: Line[] = [];
  const write = (level: string) => (facts: object) => void lines.push([level, { ...facts }]);
  const log: Log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  const inner = {
    endGeneration: async (id: string) => generations.find((generation) => generation.id === id),
  } as unknown as Store;
  const store = reportGenerations(inner, { log, metrics: undefined, streamEnds });
  for (const { id } of generations) await store.endGeneration(id, { status: 'SUCCEEDED', finishedAt: 5 });
  return lines.map(([level, { generationId, charged, durationMs }]) => [
    level,
    generationId,
    charged,
    durationMs,
  ]);
}

const common = { owner: 'o', kind: 'CHAT', model: 'm', createdAt: 1, finishedAt: 5 } as const;

describe('the end of a generation', () => {
  test('is always logged, but for streams that succeeded or were canceled', async () => {
    const ends = [
      { ...common, id: 'stream', status: 'SUCCEEDED', firstTokenMs: 2 },
      { ...common, id: 'canceled', status: 'CANCELED', firstTokenMs: 2 },
      { ...common, id: 'cut', status: 'FAILED', firstTokenMs: 2 },
      // The clock was set back.
      { ...common, id: 'lost', status: 'UNKNOWN', createdAt: 9 },
      { ...common, id: 'document', status: 'SUCCEEDED' },
    ] as const;
    const always = [
      ['warn', 'cut', 'maybe', 4],
      ['warn', 'lost', 'maybe', undefined],
      ['info', 'document', 'yes', 4],
    ];
    expect(await linesOf(ends, 0)).toEqual(always);
    expect(await linesOf(ends, 1)).toEqual([
      ['info', 'stream', 'yes', 4],
      ['info', 'canceled', 'maybe', 4],
      ...always,
    ]);
  });

  test('is logged once, also when later writes add parts', async () => {
    const song = { ...common, id: 'song', status: 'SUCCEEDED' } as const;
    expect(await linesOf([song, song], 1)).toHaveLength(1);
    const { finishedAt: _, ...running } = song;
    expect(await linesOf([running], 1)).toEqual([]);
  });

  test('is not logged if another instance recorded it first, by a read of the same task or otherwise', async () => {
    const song = { ...common, id: 'song', status: 'SUCCEEDED' } as const;
    const task = { id: 'task', owner: 'o', kind: 'SONG', upstreamId: 'u', status: 'SUCCEEDED' } as const;
    const inner = {
      endGeneration: async () => song,
      settle: async () => song,
      saveTask: async () => ({ task, generation: song }),
    } as unknown as Store;
    const lines: unknown[] = [];
    const write = (facts: object) => void lines.push(facts);
    const log: Log = { debug: write, info: write, warn: write, error: write };
    const store = reportGenerations(inner, { log, metrics: undefined });
    const own = { status: 'SUCCEEDED', finishedAt: 7 } as const;
    await store.saveTask(task, own);
    await store.endGeneration('song', own);
    await store.settle('creation', { phase: 'SETTLED', generation: own });
    expect(lines).toEqual([]);
    await store.saveTask(task, { ...own, finishedAt: song.finishedAt });
    expect(lines).toHaveLength(1);
  });
});

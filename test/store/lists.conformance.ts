import { expect, test } from 'vitest';
import type { Generation, GenerationSummary } from '../../src/store/records.ts';
import type { CanRead } from '../../src/store/shown-status.ts';
import { type GenerationFilter, isMatch } from '../../src/store/generation-filter.ts';
import type { Store } from '../../src/store/store.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createRandom } from '../support/random.ts';
import type { Backend } from './store.conformance.ts';
import { buildAccessToken, buildCreation, other, owner, record } from './support.ts';

const kinds = ['CHAT', 'SONG', 'ANIMATION'] as const;
const statuses = ['RUNNING', 'UNKNOWN', 'SUCCEEDED', 'FAILED'] as const;
const models = ['m', 'n', '', undefined, '"', 'é\u0000'];
const collections = [undefined, 'g', 'h', ''];
const openTasks = [undefined, {}, { readOrigin: 'http://a' }, { readOrigin: 'http://b' }];

/** 120 generations, some with equal times, some of another owner, some invisible. */
async function fill(store: Store): Promise<readonly Generation[]> {
  const random = createRandom(7);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item; // The list is never empty.
  const all: Generation[] = [];
  for (let index = 0; index < 120; index += 1) {
    const status = pick(statuses);
    const createdAt = 1000 + Math.floor(random() * 40);
    // A lost outcome is UNKNOWN and has ended.
    const hasEnded = status === 'UNKNOWN' ? index % 2 === 0 : status !== 'RUNNING';
    const finishedAt = hasEnded ? 2000 : undefined;
    const members = {
      status,
      createdAt,
      finishedAt,
      openTask: hasEnded ? undefined : pick(openTasks),
      kind: pick(kinds),
      model: pick(models),
      collection: pick(collections),
    };
    const isLater = members.kind === 'CHAT' && index % 3 === 0;
    const generation = await record(store, {
      ...members,
      ...(isLater && { turn: { parentId: 'generation_a', choice: 0, rootId: 'generation_a', depth: 1 } }),
      owner: index % 10 === 0 ? other : owner,
      isVisible: index % 7 !== 0,
    });
    if (generation.owner === owner && generation.isVisible) all.push(generation);
  }
  return all.toSorted((left, right) => right.createdAt - left.createdAt || (left.id < right.id ? 1 : -1));
}

/** Lists leave out the contents. */
function toSummary(generation: Generation): GenerationSummary {
  const { prompt: _prompt, input: _input, output: _output, raw: _raw, ...summary } = generation;
  return summary;
}

/** Animations are read at their address, songs always, and chats never. */
const canRead: CanRead = (kind, { readOrigin }) =>
  kind === 'SONG' || (kind === 'ANIMATION' && readOrigin === 'http://a');

const filters: readonly GenerationFilter[] = [
  {},
  { kinds: ['SONG'] },
  { kinds: ['SONG', 'CHAT', 'SONG'] },
  { statuses: ['FAILED', 'RUNNING'] },
  { kinds: ['CHAT'], statuses: ['SUCCEEDED'] },
  { models: ['m'] },
  { models: ['', '"', 'none'] },
  { models: ['é\u0000'], kinds: ['SONG', 'ANIMATION'] },
  { models: ['m', 'n'], statuses: ['FAILED'] },
  { collection: 'g' },
  { collection: '' },
  { collection: 'none' },
  { collection: 'h', statuses: ['RUNNING', 'SUCCEEDED'], models: ['m', 'n', ''] },
  { createdAfter: 1010 },
  { createdBefore: 1010 },
  { createdAfter: 1005, createdBefore: 1020, kinds: ['CHAT', 'SONG'] },
  { createdAfter: 1020, createdBefore: 1005 },
  { kinds: [] },
  { models: [] },
  { statuses: ['SUBMITTED'], canRead },
  { statuses: ['RUNNING'], canRead },
  { statuses: ['UNKNOWN'], canRead },
  { statuses: ['SUBMITTED', 'RUNNING', 'FAILED'], kinds: ['ANIMATION'], canRead },
  { statuses: ['SUBMITTED'], models: ['m', 'n'], canRead },
  { statuses: ['SUBMITTED', 'UNKNOWN'], collection: 'g', canRead },
  { statuses: ['RUNNING'], collection: 'h', models: ['m'], canRead },
  { statuses: ['SUBMITTED'], createdAfter: 1010 },
  { onlyFirstTurns: true },
  { onlyFirstTurns: false },
  { onlyFirstTurns: true, collection: 'g' },
  { onlyFirstTurns: true, createdAfter: 1005, createdBefore: 1030 },
  { onlyFirstTurns: true, kinds: ['SONG', 'CHAT'] },
  { onlyFirstTurns: true, kinds: ['SONG'] },
  { onlyFirstTurns: true, kinds: [] },
  { onlyFirstTurns: true, statuses: ['FAILED', 'SUBMITTED'], models: ['m', 'n'], canRead },
];

export function listConformance({ createLocation }: Backend): void {
  const open = async () => (await createLocation()).open({ clock: createManualClock() });

  test('page through the matches of a filter, newest first, from both ends, and are counted up to a limit', async () => {
    const store = await open();
    const all = await fill(store);
    for (const filter of filters) {
      const expected = all.filter((generation) => isMatch(generation, filter)).map(({ id }) => id);
      const forward: string[] = [];
      for (let after: GenerationSummary | undefined; ;) {
        const page = await store.listGenerations(owner, filter, { limit: 15, after });
        forward.push(...page.map(({ id }) => id));
        after = page.at(-1);
        if (page.length < 15) break;
      }
      expect(forward, JSON.stringify(filter)).toEqual(expected);
      const backward: string[] = [];
      for (let before: GenerationSummary | undefined; ;) {
        const page = await store.listGenerations(owner, filter, { limit: 15, before, fromEnd: true });
        backward.unshift(...page.map(({ id }) => id));
        before = page[0];
        if (page.length < 15) break;
      }
      expect(backward, JSON.stringify(filter)).toEqual(expected);
      const count = expected.length;
      expect(await store.hasGenerations(owner, filter), JSON.stringify(filter)).toBe(count > 0);
      for (const limit of [1, count, count + 1])
        expect(await store.countGenerations(owner, filter, limit), JSON.stringify({ filter, limit })).toBe(
          Math.min(limit, count),
        );
    }
    expect(await store.countGenerations('nobody', {}, 10)).toBe(0);
    expect(await store.hasGenerations('nobody', {})).toBe(false);
  });

  test('combine cursors and time filters: the narrower bound counts', async () => {
    const store = await open();
    const all = await fill(store);
    const [after, before] = [all[10], all[60]];
    const within = { after, before, limit: 100 };
    expect(await store.listGenerations(owner, {}, within)).toEqual(all.slice(11, 60).map(toSummary));
    const filter = { createdAfter: 1015, createdBefore: 1030 };
    expect(await store.listGenerations(owner, filter, within)).toEqual(
      all
        .slice(11, 60)
        .filter((generation) => isMatch(generation, filter))
        .map(toSummary),
    );
    expect(await store.listGenerations(owner, {}, { limit: 0 })).toEqual([]);
    expect(await store.listGenerations('nobody', { kinds: ['CHAT'] }, { limit: 10 })).toEqual([]);
  });

  test('contain the access tokens of one owner, newest first', async () => {
    const store = await open();
    const tokens = Array.from({ length: 12 }, (_, index) =>
      buildAccessToken({ createdAt: 1000 + Math.floor(index / 3), owner: index === 4 ? other : owner }),
    );
    for (const token of tokens) {
      const creation = buildCreation(token.id, { key: undefined, owner: token.owner });
      await store.claim(creation);
      await store.settle(creation.id, { phase: 'SETTLED', accessToken: token });
    }
    const mine = tokens
      .filter((token) => token.owner === owner)
      .toSorted((left, right) => right.createdAt - left.createdAt || (left.id < right.id ? 1 : -1));
    const first = await store.listAccessTokens(owner, { limit: 5 });
    expect(first).toEqual(mine.slice(0, 5));
    expect(await store.listAccessTokens(owner, { limit: 50, after: first.at(-1) })).toEqual(mine.slice(5));
    expect(await store.countAccessTokens(owner, 100)).toBe(mine.length);
    expect(await store.countAccessTokens(owner, 5)).toBe(5);
    expect(await store.countAccessTokens('nobody', 5)).toBe(0);
  });
}

import { expect, test } from 'vitest';
import type { CallerLimits } from '../../src/caller-limits.ts';
import { LimitReachedError } from '../../src/errors.ts';
import type { Creation, Generation } from '../../src/store/records.ts';
import type { Quota, Store } from '../../src/store/store.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createRandom } from '../support/random.ts';
import { seeds } from '../support/seeds.ts';
import type { Backend } from './store.conformance.ts';
import { buildCreation, buildGeneration, noneAbandoned, other, owner } from './support.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;
const morning = Date.parse('2026-11-20T08:00:00Z');
const accepted = { phase: 'SETTLED', generation: { isVisible: true } } as const;

interface Claimed {
  readonly creation: Creation;
  readonly generation: Generation;
}

const quotaOf = (limits: CallerLimits): Quota => ({ limits, abandonment: noneAbandoned });

/** @throws LimitReachedError */
async function claim(
  store: Store,
  limits: CallerLimits,
  {
    now = morning,
    key,
    ...members
  }: Partial<Generation> & { readonly now?: number; readonly key?: string } = {},
): Promise<Claimed & { readonly holder: Creation | undefined }> {
  const generation = buildGeneration({ isVisible: false, createdAt: now, ...members });
  const creation = buildCreation(generation.id, {
    key: key ?? `client:${generation.id}`,
    owner: generation.owner,
    createdAt: now,
  });
  const holder = await store.claim(creation, generation, { quota: quotaOf(limits) });
  return { creation, generation, holder };
}

async function accept(store: Store, limits: CallerLimits, members?: Parameters<typeof claim>[2]) {
  const made = await claim(store, limits, members);
  await store.settle(made.creation.id, accepted);
  return made;
}

/** The limit that refuses a create, or `accepted`. */
async function tryClaim(...parameters: Parameters<typeof claim>): Promise<string> {
  const made = await claim(...parameters).catch(toLimit);
  return typeof made === 'string' ? made : 'accepted';
}

function toLimit(error: unknown): string {
  if (error instanceof LimitReachedError) return error.use.limit;
  throw error;
}

async function usedOf(store: Store, limits: CallerLimits, now = morning): Promise<readonly number[]> {
  return (await store.measureLimits(owner, quotaOf(limits), now)).map(({ used }) => used);
}

export function callerLimitsConformance(backend: Backend): void {
  const open = async () => (await backend.createLocation()).open({ clock: createManualClock() });

  test('the minutes of owners whose creates were refused are deleted, those of others are kept', async () => {
    const store = await open();
    const limits = { createsPerMinute: 9 };
    const sweep = async (keysBefore: number) =>
      (await store.sweep({ ...noneAbandoned, keysBefore, limit: 2 })).deleted;
    for (const refused of ['x', 'y', 'z']) {
      const { creation } = await claim(store, limits, { owner: refused });
      await store.release(creation.id);
    }
    await accept(store, limits);
    expect(await sweep(morning)).toBe(0);
    expect(await sweep(morning + minuteMs)).toBe(2);
    expect(await sweep(morning + minuteMs)).toBe(1);
    expect(await usedOf(store, limits)).toEqual([1]);
  });

  test('the creates of a minute are limited until the next minute', async () => {
    const store = await open();
    const limits = { createsPerMinute: 2 };
    for (let index = 0; index < 2; index += 1) await accept(store, limits);
    expect(await tryClaim(store, limits)).toBe('CREATES_PER_MINUTE');
    expect(await tryClaim(store, limits, { owner: other })).toBe('accepted');
    expect(await store.measureLimits(owner, quotaOf(limits), morning)).toEqual([
      { limit: 'CREATES_PER_MINUTE', max: 2, used: 2, resetsAt: morning + minuteMs },
    ]);
    const next = { now: morning + minuteMs };
    expect(await usedOf(store, limits, next.now)).toEqual([0]);
    expect(await tryClaim(store, limits, next)).toBe('accepted');
    // The clock of another instance is behind by some seconds.
    expect(await tryClaim(store, limits)).toBe('accepted');
    expect(await tryClaim(store, limits)).toBe('CREATES_PER_MINUTE');
    expect(await tryClaim(store, limits, next)).toBe('CREATES_PER_MINUTE');
  });

  test('a create without a generation counts in its minute, and no other limit refuses it', async () => {
    const store = await open();
    const limits = { createsPerMinute: 1, running: 0, createsPerDay: { '*': 0 }, tokensPerDay: 0 };
    const create = (id: string) =>
      store.claim(buildCreation(id, { key: `client:${id}`, createdAt: morning }), undefined, {
        quota: quotaOf(limits),
      });
    expect(await create('token_1')).toBeUndefined();
    await expect(create('token_2')).rejects.toThrow(LimitReachedError);
    expect(await store.findCreation(owner, 'client:token_2')).toBeUndefined();
    expect(await create('token_1')).toMatchObject({ subjectId: 'token_1' });
  });

  test('running generations are limited until one ends, with those that are being sent', async () => {
    const store = await open();
    const limits = { running: 2 };
    const sent = await claim(store, limits);
    const task = { kind: 'SONG', taskId: 'task_1', openTask: { readOrigin: 'o' } };
    const { generation } = await accept(store, limits, task);
    expect(await usedOf(store, limits)).toEqual([2]);
    expect(await tryClaim(store, limits)).toBe('RUNNING');
    await store.endGeneration(generation.id, { status: 'SUCCEEDED', finishedAt: morning });
    expect(await tryClaim(store, limits)).toBe('accepted');
    expect(await tryClaim(store, limits)).toBe('RUNNING');
    await store.release(sent.creation.id);
    expect(await usedOf(store, limits)).toEqual([1]);
  });

  test('an abandoned task does not count as running', async () => {
    const store = await open();
    const limits = { running: 1 };
    const task = { kind: 'ANIMATION', taskId: 'task_1', openTask: {} };
    await accept(store, limits, task);
    const quota = (abandonment: Quota['abandonment']) => ({ limits, abandonment });
    for (const abandonment of [
      { canRead: (kind: string) => kind !== 'ANIMATION', followedAfter: 0 },
      { canRead: () => true, followedAfter: morning + 1 },
    ]) {
      const [use] = await store.measureLimits(owner, quota(abandonment), morning);
      expect(use?.used).toBe(0);
      const generation = buildGeneration({ isVisible: false, createdAt: morning });
      const creation = buildCreation(generation.id, { key: `client:${generation.id}`, createdAt: morning });
      expect(await store.claim(creation, generation, { quota: quota(abandonment) })).toBeUndefined();
      await store.release(creation.id);
    }
    expect(await tryClaim(store, limits)).toBe('RUNNING');
  });

  test('a task that counts as running is not forgotten before it ends', async () => {
    const store = await open();
    const limits = { running: 1 };
    const task = { kind: 'SONG', taskId: 'task_1', openTask: { readOrigin: 'o' } };
    const { generation } = await accept(store, limits, task);
    const untrackable = { kind: 'ANIMATION', taskId: 'task_2', openTask: {} };
    const { generation: animation } = await accept(store, {}, untrackable);
    const keepsUnfinished = { canRead: (kind: string) => kind !== 'ANIMATION', followedAfter: morning };
    const forget = () => store.deleteGenerations(owner, [generation.id, animation.id], { keepsUnfinished });
    expect(await forget()).toEqual([animation.id]);
    expect(await tryClaim(store, limits)).toBe('RUNNING');
    await store.endGeneration(generation.id, { status: 'SUCCEEDED', finishedAt: morning });
    expect(await forget()).toEqual([generation.id]);
    expect(await tryClaim(store, limits)).toBe('accepted');
    const { generation: old } = await accept(store, {}, { ...task, taskId: 'task_3' });
    const after = { ...keepsUnfinished, followedAfter: morning + 1 };
    expect(await store.deleteGenerations(owner, [old.id], { keepsUnfinished: after })).toEqual([old.id]);
  });

  test('the creates of a day are limited by kind and in all, with those that are being sent', async () => {
    const store = await open();
    const limits = { createsPerDay: { CHAT: 2, SONG: 0, '*': 3 } };
    expect(await tryClaim(store, limits, { kind: 'SONG' })).toBe('CREATES_PER_DAY');
    const refused = await claim(store, limits);
    await accept(store, limits);
    expect(await tryClaim(store, limits)).toBe('CREATES_PER_DAY');
    expect(await tryClaim(store, limits, { kind: 'SPEECH' })).toBe('accepted');
    expect(await tryClaim(store, limits, { kind: 'SPEECH' })).toBe('CREATES_PER_DAY');
    expect(await store.measureLimits(owner, quotaOf(limits), morning)).toEqual(
      [
        { kind: 'CHAT', max: 2, used: 2, unsettled: 1 },
        { kind: 'SONG', max: 0, used: 0 },
        { kind: undefined, max: 3, used: 3, unsettled: 2 },
      ].map((use) => ({ limit: 'CREATES_PER_DAY', resetsAt: Date.parse('2026-11-21'), ...use })),
    );
    // Refused by the gateway, or never sent.
    await store.release(refused.creation.id);
    expect(await tryClaim(store, limits)).toBe('accepted');
    expect(await tryClaim(store, limits)).toBe('CREATES_PER_DAY');
    expect(await tryClaim(store, limits, { now: morning + dayMs })).toBe('accepted');
  });

  test('tokens are limited by the day of the create, as reported at its end', async () => {
    const store = await open();
    const limits = { tokensPerDay: 10 };
    const usages = [{ promptTokens: 3, completionTokens: 2, totalTokens: 5 }, undefined, { promptTokens: 5 }];
    for (const [index, usage] of usages.entries()) {
      const { generation } = await accept(store, limits, { model: `m${index}` });
      await store.endGeneration(generation.id, { status: 'SUCCEEDED', finishedAt: morning + dayMs, usage });
    }
    expect(await usedOf(store, limits)).toEqual([10]);
    expect(await tryClaim(store, limits)).toBe('TOKENS_PER_DAY');
    expect(await tryClaim(store, limits, { now: morning + dayMs })).toBe('accepted');
  });

  test('forgotten and expired generations and other keys free nothing', async () => {
    const store = await open();
    const limits = { createsPerMinute: 2, running: 5, createsPerDay: { CHAT: 2 }, tokensPerDay: 5 };
    const usage = { promptTokens: 1, totalTokens: 2 };
    const ids: string[] = [];
    for (let index = 0; index < 2; index += 1) {
      const { generation } = await accept(store, limits);
      await store.endGeneration(generation.id, { status: 'SUCCEEDED', finishedAt: morning, usage });
      ids.push(generation.id);
    }
    expect(await store.deleteGenerations(owner, ids.slice(1))).toHaveLength(1);
    const expiry = { ...noneAbandoned, keysBefore: morning + 1, generationsBefore: morning + 1, limit: 10 };
    expect((await store.sweep(expiry)).deleted).toBeGreaterThan(0);
    expect(await usedOf(store, limits)).toEqual([2, 0, 2, 4]);
    expect(await tryClaim(store, limits, { key: 'client:new' })).toBe('CREATES_PER_DAY');
  });

  test('a key in use returns its create beyond the limits', async () => {
    const store = await open();
    const limits = { createsPerMinute: 1, running: 1, createsPerDay: { '*': 1 } };
    const first = await claim(store, limits, { key: 'client:a' });
    for (const phase of ['claimed', 'settled']) {
      const again = await claim(store, limits, { key: 'client:a' });
      expect(again.holder, phase).toMatchObject({ subjectId: first.generation.id });
      await store.settle(first.creation.id, accepted);
    }
    expect(await usedOf(store, limits)).toEqual([1, 1, 1]);
  });

  test('concurrent creates of an owner do not exceed a limit, and keep those of others', async () => {
    const store = await open();
    for (const limits of [
      { createsPerMinute: 5 },
      { running: 10 },
      { createsPerDay: { CHAT: 15 } },
      { createsPerMinute: 20, running: 20, createsPerDay: { '*': 20 }, tokensPerDay: 1 },
    ]) {
      const results = await Promise.all([
        ...Array.from({ length: 30 }, () => tryClaim(store, limits)),
        ...Array.from({ length: 3 }, (_, index) => tryClaim(store, limits, { owner: `${other}${index}` })),
      ]);
      // The claims of the round before count too.
      expect(results.slice(0, 30).filter((result) => result === 'accepted')).toHaveLength(5);
      expect(results.slice(30)).toEqual(['accepted', 'accepted', 'accepted']);
    }
  });

  test.each(seeds(2))(
    'random creates, ends, deletions and times count as in a model (seed %i)',
    async (seed) => {
      const store = await open();
      const random = createRandom(seed);
      const pick = (max: number): number => Math.floor(random() * max);
      const limits = {
        createsPerMinute: 4,
        running: 4,
        createsPerDay: { CHAT: 6, '*': 9 },
        tokensPerDay: 40,
      };
      let now = morning;
      interface Entry extends Claimed {
        state: 'sent' | 'accepted' | 'ended';
        tokens: number;
        isForgotten: boolean;
      }
      const entries: Entry[] = [];
      let minuteCreates: number[] = [];
      const dayOf = (time: number): number => Math.floor(time / dayMs);
      const model = (): readonly number[] => {
        const today = entries.filter(({ creation }) => dayOf(creation.createdAt) === dayOf(now));
        minuteCreates = minuteCreates.filter(
          (time) => Math.floor(time / minuteMs) === Math.floor(now / minuteMs),
        );
        return [
          minuteCreates.length,
          entries.filter(({ state }) => state !== 'ended').length,
          today.filter(({ generation }) => generation.kind === 'CHAT').length,
          today.length,
          today.reduce((sum, { tokens }) => sum + tokens, 0),
        ];
      };
      const find = (state: Entry['state']): Entry | undefined => {
        const found = entries.filter((entry) => entry.state === state && !entry.isForgotten);
        return found[pick(found.length)];
      };
      const seen = new Set<string>();
      const wrong: string[] = [];
      for (let step = 0; step < 150; step += 1) {
        const [minute = 0, running = 0, chats = 0, creates = 0, tokens = 0] = model();
        const act = pick(9);
        if (act <= 3) {
          const kind = pick(2) === 0 ? 'CHAT' : 'SONG';
          const isFull =
            minute >= 4 || running >= 4 || (kind === 'CHAT' && chats >= 6) || creates >= 9 || tokens >= 40;
          const made = await claim(store, limits, { now, kind }).catch(toLimit);
          if ((typeof made === 'string') !== isFull) wrong.push(`step ${step}`);
          seen.add(typeof made === 'string' ? made : 'accepted');
          if (typeof made === 'object') {
            entries.push({ ...made, state: 'sent', tokens: 0, isForgotten: false });
            minuteCreates.push(now);
          }
        } else if (act === 4) {
          const entry = find('sent');
          if (entry) await store.settle(entry.creation.id, accepted);
          if (entry) entry.state = 'accepted';
        } else if (act === 5) {
          const entry = find('sent');
          if (entry && pick(2) === 0) {
            await store.release(entry.creation.id);
            entries.splice(entries.indexOf(entry), 1);
          }
        } else if (act === 6) {
          const entry = find('accepted');
          if (entry) {
            entry.tokens = pick(20);
            entry.state = 'ended';
            // A model reports the same members each time.
            const isChat = entry.generation.kind === 'CHAT';
            const usage = isChat ? { totalTokens: entry.tokens } : { promptTokens: entry.tokens };
            await store.endGeneration(entry.generation.id, { status: 'SUCCEEDED', finishedAt: now, usage });
          }
        } else if (act === 7) {
          const entry = find('ended');
          if (entry) await store.deleteGenerations(owner, [entry.generation.id]);
          if (entry) entry.isForgotten = true;
        } else now += pick(30) === 0 ? dayMs / 2 : pick(40_000);
        expect(await usedOf(store, limits, now), `step ${step}`).toEqual(model());
      }
      expect(wrong).toEqual([]);
      expect(seen.size).toBeGreaterThan(1);
    },
  );
}

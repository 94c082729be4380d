import { expect, onTestFinished, test } from 'vitest';
import { createInProcessBus } from '../../src/bus/in-process-bus.ts';
import { type CreateRequest, Creations } from '../../src/generations/create-once.ts';
import { createWriteRetries } from '../../src/generations/write-retries.ts';
import { createSystemClock } from '../../src/lib/clock.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Creation } from '../../src/store/records.ts';
import type { Store } from '../../src/store/store.ts';
import { buildGeneration, noneAbandoned, owner } from '../store/support.ts';

/** Creates of one key. `store` overrides methods of the records. */
async function start(wrap: (records: Store) => Partial<Store>) {
  const clock = createSystemClock();
  const records = await createSqliteStore({ directory: ':memory:', clock });
  onTestFinished(() => records.close());
  const creations = new Creations({
    store: { ...records, ...wrap(records) },
    bus: createInProcessBus(),
    clock,
    writeRetries: createWriteRetries({ clock, onFailed: () => {} }),
    abandonment: () => noneAbandoned,
    duplicateIntervalMs: 200,
  });
  const create = (
    input: string,
    run: CreateRequest<string>['run'],
    more: Partial<CreateRequest<string>> = {},
  ) => {
    const generation = buildGeneration({ isVisible: false });
    const key = { source: 'client', value: 'k' } as const;
    return creations.create({
      owner,
      operation: 'chat',
      input,
      key,
      subjectId: generation.id,
      generation,
      run,
      replay: async () => 'replayed',
      ...more,
    });
  };
  return { records, create };
}

test.each(['claimed', 'sent'])(
  'a duplicate of a create that is %s gets its result, also if another input was tried with the key before',
  async (state) => {
    const isClaimed = Promise.withResolvers<void>();
    const maySend = Promise.withResolvers<void>();
    const isSent = Promise.withResolvers<void>();
    const mayReply = Promise.withResolvers<void>();
    const holders: (Creation | undefined)[] = [];
    let claims = 0;
    const { create } = await start((records) => ({
      async claim(...args) {
        claims += 1;
        const isFirst = claims === 1;
        if (!isFirst) await (state === 'sent' ? isSent : isClaimed).promise;
        const holder = await records.claim(...args);
        holders.push(holder);
        isClaimed.resolve();
        if (isFirst) await maySend.promise;
        return holder;
      },
    }));
    const prepared = Promise.withResolvers<never>();
    const other = create('another input', () => prepared.promise, { prepare: () => prepared.promise });
    let sent = 0;
    const run: CreateRequest<string>['run'] = async (claim) => {
      sent += 1;
      isSent.resolve();
      await mayReply.promise;
      await claim.settle({ generation: { isVisible: true } });
      return 'sent';
    };
    const results = Promise.all([create('hello', run), create('hello', run)]);
    results.catch(() => {});
    if (state === 'sent') maySend.resolve();
    await expect.poll(() => holders.length).toBeGreaterThan(1);
    expect(holders.slice(0, 2)).toMatchObject([undefined, { phase: 'SENDING' }]);
    maySend.resolve();
    mayReply.resolve();
    expect(await results).toEqual(['sent', 'sent']);
    expect(sent).toBe(1);
    prepared.reject(new Error('not prepared'));
    await expect(other).rejects.toThrow('not prepared');
  },
);

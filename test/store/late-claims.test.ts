import { expect, onTestFinished, test } from 'vitest';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { connectTo, createDatabase } from '../support/postgres.ts';
import { buildCreation, buildGeneration, owner } from './support.ts';

test.for([true, false])(
  'a release waits for a claim that the database still writes (quick: %s)',
  async (hasQuickWrites) => {
    const url = await createDatabase();
    const store = await createPostgresStore({ url, clock: createManualClock(), hasQuickWrites });
    onTestFinished(() => store.close());
    await store.claim(
      buildCreation('first', { key: 'first' }),
      buildGeneration({ id: 'first', isVisible: false }),
    );
    const [database, watcher] = [await connectTo(url), await connectTo(url)];
    const waitUntilBlocked = async (count: number): Promise<void> => {
      const blocked =
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      while ((await watcher.query(blocked)).rows.length < count);
    };
    // A claim whose server has given up, because the database stands still.
    const creation = buildCreation('late', { key: 'k' });
    await database.query('begin');
    await database.query('update owner_records set bytes = bytes');
    const claiming = store.claim(creation, buildGeneration({ id: 'late', isVisible: false }));
    await waitUntilBlocked(1);
    const releasing = store.release(creation.id);
    await Promise.race([releasing, waitUntilBlocked(2)]);
    await database.query('commit');
    await Promise.all([claiming, releasing]);
    expect(await store.findCreation(owner, 'k')).toBeUndefined();
    expect(await store.findGenerations(owner, ['late'])).toEqual([undefined]);
  },
);

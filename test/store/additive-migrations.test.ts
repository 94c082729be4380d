import { describe, expect, onTestFinished, test } from 'vitest';
import { migrations } from '../../src/store/sql/migrations/migrations.ts';
import { createRecords, engines } from '../support/records.ts';
import { upgrade } from '../support/upgrade.ts';
import { record } from './support.ts';

describe.each(engines)('%s', (engine) => {
  test('an older version starts on tables that a newer one has extended, beside the newer one', async () => {
    const records = await createRecords(engine);
    const running = await records.openStore();
    onTestFinished(() => running.close());
    const before = await record(running);
    await upgrade(engine, records, { isAdditive: true });
    const started = await records.openStore();
    onTestFinished(() => started.close());
    const after = await record(started);
    for (const store of [running, started])
      expect(await store.findGenerations(before.owner, [before.id, after.id])).toEqual([before, after]);
    await upgrade(engine, records, { isAdditive: true });
    expect(await started.isReady()).toBe(true);
  });

  test('an older version refuses tables whose change it cannot work with, and names the migration', async () => {
    const records = await createRecords(engine);
    await (await records.openStore()).close();
    await upgrade(engine, records, { isAdditive: false });
    await expect(records.openStore()).rejects.toThrow(
      /^the records were written by a newer version of Gengraph \(unknown migrations: 9999-newer\)/,
    );
  });

  test('a newer version records which of its migrations are additive, also for tables of an older one', async () => {
    const records = await createRecords(engine);
    await (await records.openStore()).close();
    await records.query('drop table additive_migrations').catch(() => {});
    await (await records.openStore()).close();
    const rows = await records.query('select name from additive_migrations order by name');
    const additive = Object.entries(migrations).filter(([, { isAdditive }]) => isAdditive);
    expect(rows.map(({ name }) => name)).toEqual(additive.map(([name]) => name));
  });
});

import { createPostgresStore } from '../../../src/store/postgres/postgres-store.ts';
import { createSystemClock } from '../../../src/lib/clock.ts';
import type { Database } from '../database.ts';
import type { Row } from '../harness.ts';

/** Other tables do not grow with the generations. */
const minBytes = 100;

interface Relation {
  readonly name: string;
  readonly table_name: string;
  readonly rows: string;
  readonly bytes: string;
}

/** Bytes of each table and index per generation, as the run has left them. */
export async function measureSizes(database: Database): Promise<readonly Row[]> {
  await database.query('vacuum analyze');
  const generations = await countGenerations(database);
  const relations = await database.query<Relation>(`
    select r.relname as name, t.relname as table_name, greatest(t.reltuples, 0)::bigint as rows,
      case when r.relkind = 'r'
        then pg_total_relation_size(r.oid) - pg_indexes_size(r.oid) else pg_relation_size(r.oid) end as bytes
    from pg_class as t
    join pg_class as r on r.oid = t.oid or r.oid in (select indexrelid from pg_index where indrelid = t.oid)
    where t.relkind = 'r' and t.relpersistence = 'p' and t.relnamespace = 'public'::regnamespace and r.relkind in ('r', 'i')
    order by t.relname, r.relkind desc, bytes desc`);
  const perGeneration = ({ bytes }: Relation): number => Number(bytes) / generations;
  return [...Map.groupBy(relations, (relation) => relation.table_name)]
    .map(([name, parts]): Row => {
      const indexes = parts.filter((part) => part.name !== name);
      const [table] = parts.filter((part) => part.name === name);
      const shown = indexes.map((index) => `${index.name} ${perGeneration(index).toFixed(0)}`);
      return {
        work: `bytes per generation, ${name}`,
        unit: 'B',
        gengraph: parts.reduce((total, part) => total + perGeneration(part), 0),
        rounds: { run: 1, kept: 1 },
        note: `${(Number(table?.rows ?? 0) / generations).toFixed(2)} rows; table ${table ? perGeneration(table).toFixed(0) : 0}; indexes: ${shown.join(', ')}`,
      };
    })
    .filter(({ gengraph }) => gengraph >= minBytes);
}

/** Deletes all records as expired, in batches of the size that a server uses. */
export async function measureRetention(database: Database): Promise<Row> {
  const generations = await countGenerations(database);
  const clock = createSystemClock();
  const store = await createPostgresStore({ url: database.url, clock });
  try {
    const [cpuBefore, ownBefore, walBefore] = [
      database.cpuMicros(),
      process.cpuUsage(),
      await database.walBytes(),
    ];
    const [keysBefore, generationsBefore] = [Date.now() + 1, Date.now() + 1];
    const expiry = { keysBefore, generationsBefore, canRead: () => true, followedAfter: 0, limit: 200 };
    while ((await store.sweep(expiry)).deleted > 0);
    const { user, system } = process.cpuUsage(ownBefore);
    return {
      work: 'deletion of an expired generation',
      unit: 'µs',
      gengraph: (user + system) / generations,
      rounds: { run: 1, kept: 1 },
      note: `database ${((database.cpuMicros() - cpuBefore) / generations).toFixed(0)} µs, WAL ${(((await database.walBytes()) - walBefore) / generations).toFixed(0)} B; of ${generations} generations`,
    };
  } finally {
    await store.close();
  }
}

async function countGenerations(database: Database): Promise<number> {
  const [row] = await database.query<{ readonly count: string }>('select count(*) from generations');
  return Number(row?.count ?? 0);
}

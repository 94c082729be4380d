import { isRecordId } from './columns.ts';

/** As many as a page has. For thousands, the planner of PostgreSQL would scan the table. */
const maxIds = 100;

/** The rows of one statement after the other, each for some of the ids. */
export async function readByIds<Row>(
  ids: readonly string[],
  read: (ids: readonly string[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const wanted = ids.filter(isRecordId);
  const rows: Row[] = [];
  for (let index = 0; index < wanted.length; index += maxIds)
    rows.push(...(await read(wanted.slice(index, index + maxIds))));
  return rows;
}

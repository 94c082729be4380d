import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';

const day = /^(\d{4})-(\d\d)-(\d\d)$/;

/** By the calendar, independent of the program. */
function exists(text: string): boolean {
  const [, year, month, date] = day.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || date === undefined) return false;
  const time = new Date(Date.UTC(year, month - 1, date));
  return time.getUTCMonth() === month - 1 && time.getUTCDate() === date;
}

test('a time on a day that does not exist is refused', async () => {
  await using app = await startApp();
  const days = [2000, 2023, 2024, 2100].flatMap((year) =>
    ['02-28', '02-29', '02-30', '04-30', '04-31', '12-31', '01-32', '13-01'].map((date) => `${year}-${date}`),
  );
  const query = 'query ($at: DateTime!) { generations(filter: { createdAfter: $at }) { totalCount } }';
  for (const text of days) {
    const { errors } = await app.run(query, { at: `${text}T12:00:00+08:00` });
    expect([text, errors?.[0]?.extensions['code'] ?? 'read']).toEqual([
      text,
      exists(text) ? 'read' : 'BAD_REQUEST',
    ]);
  }
});

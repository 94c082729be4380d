import { describe, expect, onTestFinished, test } from 'vitest';
import { toMilliseconds } from '../../src/lib/time.ts';

const noon = Date.UTC(2026, 10, 20, 12);

describe('toMilliseconds', () => {
  test.each<readonly [string, unknown, number]>([
    ['seconds', noon / 1000, noon],
    ['seconds with a fraction', noon / 1000 + 0.25, noon + 250],
    ['milliseconds', noon, noon],
    ['milliseconds with a fraction', noon + 0.4, noon],
    ['seconds as text', String(noon / 1000), noon],
    ['milliseconds as text', String(noon), noon],
    ['text with a fraction and spaces', ` ${noon / 1000}.5 `, noon + 500],
    ['ISO text', '2026-11-20T12:00:00Z', noon],
    ['ISO text with a fraction', '2026-11-20T12:00:00.123456Z', noon + 123],
    ['ISO text with an offset', '2026-11-20T20:00:00+08:00', noon],
    ['a date alone', '2026-11-20', Date.UTC(2026, 10, 20)],
    ['the first millisecond', 0.001, 1],
    ['the largest number of seconds', 99_999_999_999, 99_999_999_999_000],
    ['the smallest number of milliseconds', 100_000_000_000, 100_000_000_000],
    ['the end of the year 9999', 253_402_300_799_999, 253_402_300_799_999],
  ])('reads %s', (_name, value, time) => {
    expect(toMilliseconds(value)).toBe(time);
  });

  test('reads text without a time zone as UTC, in every time zone of the server', () => {
    const before = process.env['TZ'];
    onTestFinished(() => {
      if (before === undefined) delete process.env['TZ'];
      else process.env['TZ'] = before;
    });
    for (const zone of ['Asia/Shanghai', 'America/New_York', 'UTC']) {
      process.env['TZ'] = zone;
      const texts = [
        '2026-11-20T12:00:00',
        '2026-11-20 12:00:00',
        '2026-11-20T12:00',
        '2026-11-20T12:00:00.000000',
      ];
      expect([zone, texts.map(toMilliseconds)]).toEqual([zone, texts.map(() => noon)]);
      expect(toMilliseconds('2026-11-20 20:00:00+08:00')).toBe(noon);
    }
  });

  test('finds no time in anything else', () => {
    const numbers = [0, -0, -1, -1_700_000_000, 0.0001, Number.NaN, Number.POSITIVE_INFINITY];
    const late = [253_402_300_800_000, 8.64e15, 1e20, 1e300, 100_000_000_000_000_000_000n];
    const digits = ['', ' ', '0', '-1', '1e20', '100000000000000000000', '9'.repeat(400), '0x10'];
    const texts = [
      'now',
      'soon',
      'video 3',
      '2026-13-45',
      '2026-02-30T12:00:00Z',
      '2026-02-29',
      '1969-12-31T23:59:59Z',
    ];
    const others = [null, undefined, true, {}, [], [1_700_000_000], '9999-12-31T23:59:59-01:00'];
    const values: readonly unknown[] = [...numbers, ...late, ...digits, ...texts, ...others];
    expect(values.filter((value) => toMilliseconds(value) !== undefined)).toEqual([]);
  });
});

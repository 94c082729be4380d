/** The end of the year 9999: RFC 3339 cannot express a later time. */
export const maxMilliseconds = 253_402_300_799_999;

/** A number below this counts seconds (until the year 5138); any other counts milliseconds (from 1973). */
const minMilliseconds = 100_000_000_000;

/**
 * Milliseconds since the epoch, from ISO 8601 text (UTC unless it names a zone) or from Unix seconds or milliseconds as a number or decimal text.
 * Undefined for anything else, and for 0 and negative numbers, which gateways send when a time is not known yet.
 */
export function toMilliseconds(value: unknown): number | undefined {
  const time = typeof value === 'string' ? parseTime(value.trim()) : fromUnixTime(value);
  return time !== undefined && time > 0 && time <= maxMilliseconds ? time : undefined;
}

function parseTime(text: string): number | undefined {
  if (/^\d+(\.\d+)?$/.test(text)) return fromUnixTime(Number(text));
  // Date.parse finds a date in almost any text that ends in a number.
  if (!isDay(text.slice(0, 10))) return undefined;
  // It would take the time zone of this server.
  return Date.parse(hasNoZone.test(text) ? `${text.replace(' ', 'T')}Z` : text);
}

const hasNoZone = /^[\d-]{10}[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/i;

/** Whether a text is a day as `YYYY-MM-DD`. Date.parse accepts some that do not exist, such as February 30. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const milliseconds = Date.parse(text);
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().startsWith(text);
}

function fromUnixTime(value: unknown): number | undefined {
  if (typeof value !== 'number') return undefined;
  return Math.round(value < minMilliseconds ? value * 1000 : value);
}

export const dayMs = 86_400_000;
export const hourMs = 3_600_000;
export const minuteMs = 60_000;

/** Synchronized clocks differ by less, and are set by smaller steps. */
export const clockToleranceMs = minuteMs;

/** The duration in milliseconds, without a fraction: PostgreSQL refuses one in a time of a record. */
export function toDurationMs(amount: number, unitMs: number): number {
  return Math.round(amount * unitMs);
}

/** Whether a recorded time is less than so long ago. One that is further in the future is from before the clock was set back. */
export function isRecent(time: number, now: number, withinMs: number): boolean {
  return Math.abs(now - time) < withinMs;
}

/** Milliseconds from one time to a later one. Undefined if the system clock was set back in between. */
export function elapsedMs(start: number, end: number): number | undefined {
  return end < start ? undefined : end - start;
}

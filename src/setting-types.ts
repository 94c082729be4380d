import { z } from 'zod';

/** A number in decimal notation without sign or exponent, within bounds. */
const numberIn = (pattern: RegExp, [min, max]: readonly [number, number], noun: string) =>
  z
    .string()
    .refine((text) => pattern.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `expected ${noun} from ${min} to ${max}`,
    })
    .transform(Number);
export const whole = (min: number, max: number) => numberIn(/^\d+$/, [min, max], 'a whole number');
export const decimal = (min: number, max: number) => numberIn(/^\d+(\.\d+)?$/, [min, max], 'a number');
export const flag = z
  .enum(['true', 'false'], { error: 'expected true or false' })
  .transform((text) => text === 'true');
export const onOrOff = z.enum(['on', 'off'], { error: 'expected on or off' });

export const httpUrl = z.url({ protocol: /^https?$/, error: 'expected an http or https URL', abort: true });
/** Without a slash at its end. @param error for a URL with a user, a query or a fragment */
export const plainUrl = (error = 'expected a URL without user, query and fragment') =>
  httpUrl.refine((url) => /^[^@?#]+$/.test(url), { error }).transform((url) => url.replace(/\/+$/, ''));

export const splitList = (text: string): readonly string[] => text.split(',').map((item) => item.trim());
/** A list of items between commas. `expected` names valid ones. */
export const listOf = <Item>(
  expected: string,
  isItem: (item: string) => boolean,
  toItem: (item: string) => Item,
) =>
  z
    .string()
    .refine((text) => splitList(text).every(isItem), { error: `expected ${expected}, separated by commas` })
    .transform((text): readonly Item[] => splitList(text).map(toItem));

/** Scheme, host and port, as browsers send it. */
export const isOrigin = (text: string): boolean =>
  /^https?:\/\/[^/@?#*]+\/?$/i.test(text) && URL.canParse(text);
export const toOrigin = (text: string): string => new URL(text).origin;

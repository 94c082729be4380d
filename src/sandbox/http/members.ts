import { z } from 'zod';

/** A URL that a gateway could fetch. */
export const link = z
  .string()
  .refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), 'expected an http or https URL');

export function isBase64(data: string): boolean {
  return data.length % 4 !== 1 && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
}

/** An integer of any size: one beyond 2^53 arrives as a bigint. */
export const wideInteger = z.union([z.int(), z.bigint()], 'expected an integer');

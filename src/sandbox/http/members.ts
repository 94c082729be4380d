import { z } from 'zod';

/** A link that somebody could fetch. */
export const link = z
  .string()
  .refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), 'expected an http or https URL');

/** An integer of any size: one beyond 2^53 arrives as a bigint. */
export const wideInteger = z.union([z.int(), z.bigint()], 'expected an integer');

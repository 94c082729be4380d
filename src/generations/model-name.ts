import { z } from 'zod';
import { matches } from './rule-schemas.ts';

const limit = '1 to 200 characters, not blank, without control characters';

/** Not blank, and without half a surrogate pair (`Cs`). */
const pattern = /^(?=[\s\S]*\S)[^\p{Cc}\p{Cs}]{1,200}$/u;

/**
 * The name of a model. The record holds it in indexes together with the collection, and PostgreSQL refuses rows of an index above
 * 2704 bytes: a longer name could be sent, but its result could not be recorded.
 */
export const modelName: z.ZodType<string> = z
  .string()
  .refine(...matches(pattern, `Must be ${limit}.`, limit));

/** From ! to ~ without / and \, and not a dot segment. */
const segmentPattern = /^(?!\.{1,2}$)[!-.0-[\]-~]{1,200}$/;

const segmentLimit = '1 to 200 printable ASCII characters without space, / and \\, and not "." or ".."';

/** A name as long as `modelName` allows that becomes one segment of the request's path. */
export const modelPathSegment: z.ZodType<string> = z
  .string()
  .refine(...matches(segmentPattern, `Must be ${segmentLimit}.`, segmentLimit));

import { z } from 'zod';
import { matches } from './rule-schemas.ts';

const limit =
  '1 to 100 characters, not blank, without slash, backslash or control character, and not "." or ".."';

/** Not blank, and without half a surrogate pair (`Cs`). */
const pattern = /^(?!\.{1,2}$)(?=[\s\S]*\S)[^/\\\p{Cc}\p{Cs}]{1,100}$/u;

/**
 * An input member that becomes one segment of the request's path. Rejects empty text, separators and dot segments. Two of them are
 * a model's name, which is as long as `modelName` allows.
 */
export const pathSegment: z.ZodType<string> = z
  .string()
  .refine(...matches(pattern, `Must be ${limit}.`, limit));

import { z } from 'zod';

const limit = '1 to 200 characters without slash, backslash or control character, and neither . nor ..';

/** A member that becomes one segment of the request's path, encoded: it may not climb, split, or be nothing. */
export const pathSegment: z.ZodType<string> = z
  .string()
  .refine(
    (text) =>
      text.trim() !== '' &&
      text.length <= 200 &&
      text !== '.' &&
      text !== '..' &&
      !/[/\\\p{Cc}]/u.test(text) &&
      text.isWellFormed(),
    { error: `Must be ${limit}.`, params: { limit } },
  );

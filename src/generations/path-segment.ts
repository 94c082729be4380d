import { z } from 'zod';

const limit = '1 to 200 characters without slash, backslash or control character, and neither . nor ..';

/** An input member that becomes one segment of the request's path. Rejects empty text, separators and dot segments. */
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

import { z } from 'zod';
import { isLongerThan } from '../lib/text.ts';

/** Text with a length limit in Unicode code points. */
export function limitedText({
  min = 0,
  max,
}: {
  readonly min?: number;
  readonly max: number;
}): z.ZodType<string> {
  const limit = min > 0 ? `${min} to ${max} characters` : `at most ${max} characters`;
  return z.string().refine(
    (text) => !isLongerThan(text, max) && (min === 0 || isLongerThan(text, min - 1)),
    // JSON Schema counts code points too.
    {
      error: `Must be ${limit}.`,
      params: { limit, schema: { ...(min > 0 && { minLength: min }), maxLength: max } },
    },
  );
}

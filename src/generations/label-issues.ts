import type { InputIssue } from '../errors.ts';
import { codePoints } from '../lib/text.ts';

const maxChars = 200;
const limit = `1 to ${maxChars} characters`;

/** The problems of a collection or an idempotency key that is the argument at this path. */
export function labelIssues(path: readonly string[], label: string): readonly InputIssue[] {
  const length = codePoints(label);
  if (length >= 1 && length <= maxChars) return [];
  return [{ path, message: `Must be ${limit}.`, limit, received: `${length} characters` }];
}

import type { InputIssue } from '../errors.ts';
import { isLongerThan, lengthText } from '../lib/text.ts';

const maxChars = 200;
const limit = `1 to ${maxChars} characters`;

/** The problems of a collection or an idempotency key that is the argument at this path. */
export function labelIssues(path: readonly string[], label: string): readonly InputIssue[] {
  if (label !== '' && !isLongerThan(label, maxChars)) return [];
  return [{ path, message: `Must be ${limit}.`, limit, received: lengthText(label) }];
}

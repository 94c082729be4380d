import type { InputIssue } from '../errors.ts';
import { isLongerThan, lengthText } from '../lib/text.ts';

export const maxLabelChars = 200;
const limit = `1 to ${maxLabelChars} characters`;

/** The problems of a collection or an idempotency key that is the argument at this path. */
export function labelIssues(path: readonly string[], label: string): readonly InputIssue[] {
  if (label !== '' && !isLongerThan(label, maxLabelChars)) return [];
  return [{ path, message: `Must be ${limit}.`, limit, received: lengthText(label) }];
}

import { type NotContinuableReason, notContinuableReasons } from '../errors.ts';
import type { Graph } from './graph.ts';

export function notContinuableReasonEnum({ builder }: Graph) {
  return builder.enumType('NotContinuableReason', {
    description: 'Why `continueFrom` cannot be this generation.',
    values: Object.fromEntries(
      Object.entries(notContinuableReasons).map(([reason, description]) => [
        reason,
        { value: reason, description },
      ]),
    ) as {
      // Object.fromEntries returns string keys.
      [Reason in NotContinuableReason]: { value: Reason; description: string };
    },
  });
}

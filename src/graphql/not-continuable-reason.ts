import { mapMembers } from '../lib/members.ts';
import { notContinuableReasons } from '../errors.ts';
import type { Graph } from './graph.ts';

export function notContinuableReasonEnum({ builder }: Graph) {
  return builder.enumType('NotContinuableReason', {
    description: 'Why `continueFrom` cannot be this generation.',
    values: mapMembers(notContinuableReasons, (description) => ({ description })),
  });
}

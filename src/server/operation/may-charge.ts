import type { ExecutionArgs, GraphQLError } from 'graphql';
import { findCreateFields } from './create-fields.ts';

/**
 * Decides whether the failed part of an operation may have sent a create, which the gateway may have charged. Only the root
 * fields with an idempotency key send creates. They are found once, because an outage fails every root field.
 */
export function createMayCharge(
  operation: Pick<ExecutionArgs, 'schema' | 'document' | 'operationName'>,
): (error: Pick<GraphQLError, 'path'>) => boolean {
  let creates: ReturnType<typeof findCreateFields> | undefined;
  return ({ path }) => {
    creates ??= findCreateFields(operation);
    return path === undefined ? creates.size > 0 : creates.has(String(path[0]));
  };
}

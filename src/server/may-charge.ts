import type { ExecutionArgs, GraphQLError } from 'graphql';
import { findCreateFields } from './create-fields.ts';

/**
 * Whether the failed part of an operation may have sent a create, which the gateway may have charged. Only the root fields
 * with an idempotency key send creates.
 */
export function mayCharge(
  operation: Pick<ExecutionArgs, 'schema' | 'document' | 'operationName'>,
  { path }: Pick<GraphQLError, 'path'>,
): boolean {
  const creates = findCreateFields(operation);
  return path === undefined ? creates.size > 0 : creates.has(String(path[0]));
}

import type { FieldNode, GraphQLError } from 'graphql';
import type { ErrorCode } from '../../error-codes.ts';
import { FilesUnavailableError } from '../../errors.ts';
import { hasUniqueId } from '../../graphql/create.ts';
import { findCreateFields, hasClientKey } from '../operation/find-create-fields.ts';
import type { OperationArgs } from '../operation/execution.ts';

const recordsUnavailable: ErrorCode = 'RECORDS_UNAVAILABLE';

/**
 * Whether a WebSocket closes instead of sending these errors: the records are unavailable, and the stock client, which reconnects
 * and sends the operation again under the same id, then gets the answer from the records. The id identifies creates without a
 * key. A client with keys of its own gets the error. So does a create that nothing identifies: sent again, it could be charged
 * twice. Files that cannot be read close nothing: the other operations of the socket need only the records. What no
 * record has, such as the secret of a new token, is sent, because no repetition gets it. An open subscription (`operation` is undefined) sends no more creates.
 */
export function shouldAwaitRecords(
  errors: readonly GraphQLError[] = [],
  operation: OperationArgs | undefined,
): boolean {
  const failed = errors.filter(
    ({ extensions, originalError }) =>
      extensions['code'] === recordsUnavailable && !(originalError instanceof FilesUnavailableError),
  );
  if (failed.length === 0 || !operation) return failed.length > 0;
  if (operation.contextValue.notes?.isShownOnce) return false;
  const creates = findCreateFields(operation);
  const hasKey = (field: FieldNode): boolean => hasClientKey(field, operation);
  if (!hasUniqueId(operation.contextValue) && ![...creates.values()].every(hasKey)) return false;
  return failed.some(({ path }) => {
    const field = creates.get(String(path?.[0]));
    return !field || !hasKey(field);
  });
}

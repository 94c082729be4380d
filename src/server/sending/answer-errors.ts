import type { ExecutionResult, GraphQLError } from 'graphql';
import { sizeOfValue } from '../../lib/json-size.ts';

/** Size of the errors of one answer. A long alias is part of the path of every error below it. */
const maxErrorChars = 1_000_000;
/** Size of an error without its message and path, about. */
const otherChars = 200;

/** The first errors that fit into an answer, at least one, and one more with the number of the others, with those of items without one. */
export function limitErrors(
  errors: readonly GraphQLError[],
  unreportedItems: number,
  createError: (message: string) => GraphQLError,
): readonly GraphQLError[] {
  let chars = 0;
  const end = errors.findIndex((error, index) => {
    chars += sizeOf(error);
    return index > 0 && chars > maxErrorChars;
  });
  const reported = end === -1 ? errors : errors.slice(0, end);
  const leftOut = errors.length - reported.length + unreportedItems;
  if (leftOut === 0) return errors;
  const message = `${leftOut} more errors are left out: the errors of one answer are limited to ${maxErrorChars} characters. Those of items of lists are limited too. Split the operation.`;
  return [...reported, createError(message)];
}

/** About the size of errors, in characters. */
export function sizeOfErrors(errors: readonly GraphQLError[] = []): number {
  return errors.reduce((size, error) => size + sizeOf(error), 0);
}

/** About the size of an answer, in characters. */
export function sizeOfAnswer({
  text,
  result,
}: {
  readonly text?: string;
  readonly result: ExecutionResult;
}): number {
  if (text !== undefined) return text.length;
  return sizeOfValue(result.data, Number.POSITIVE_INFINITY) + sizeOfErrors(result.errors);
}

function sizeOf({ message, path = [] }: GraphQLError): number {
  return path.reduce<number>(
    (size, key) => size + (typeof key === 'string' ? key.length : 0),
    message.length + otherChars,
  );
}

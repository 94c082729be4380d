import { GraphQLError } from 'graphql';
import { sizeOfValue } from '../../lib/json-size.ts';
import { sizeOfErrors } from './answer-errors.ts';

interface Result {
  readonly data?: unknown;
  readonly errors?: readonly GraphQLError[] | undefined;
}

/** About the size of an answer, in characters. */
export function sizeOfAnswer(answer: string | Result): number {
  if (typeof answer === 'string') return answer.length;
  return sizeOfValue(answer.data, Number.POSITIVE_INFINITY) + sizeOfErrors(answer.errors);
}

/** About the size of an answer with the error that was thrown, in characters. */
export function sizeOfThrown(error: unknown): number {
  const { message } = error instanceof Error ? error : new Error(String(error));
  return sizeOfErrors([error instanceof GraphQLError ? error : new GraphQLError(message)]);
}

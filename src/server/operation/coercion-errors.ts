import type { ExecutionArgs } from 'graphql';
import { sizeOfValue } from '../../lib/json-size.ts';
import { abbreviateMiddle } from '../../lib/text.ts';

/** The default of graphql-js. */
const maxErrors = 50;
/** Size of all values that the errors of one operation print. */
const maxPrintedChars = 500_000;
const maxMessageChars = 1000;

/**
 * Limits the errors of invalid variables. graphql-js prints a whole input object into the error of each of its members, so
 * their total size grows with the square of the variables.
 */
export function limitCoercionErrors(
  variables: ExecutionArgs['variableValues'],
): NonNullable<ExecutionArgs['options']> {
  const size = sizeOfVariables(variables);
  return { maxCoercionErrors: Math.max(1, Math.min(maxErrors, Math.floor(maxPrintedChars / size))) };
}

/** Without most of the value that it prints. */
export function shortenMessage(message: string): string {
  return abbreviateMiddle(message, maxMessageChars);
}

function sizeOfVariables(variables: ExecutionArgs['variableValues']): number {
  try {
    return sizeOfValue(variables ?? {}, maxPrintedChars);
  } catch (error) {
    // Nested too deeply for a recursive function.
    if (error instanceof RangeError) return maxPrintedChars;
    throw error;
  }
}

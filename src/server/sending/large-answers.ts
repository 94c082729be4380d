import type { ExecutionResult } from 'graphql';
import { type JsonText, stringifyInPieces } from '../../lib/json-pieces.ts';
import { largeWork } from '../../lib/fairness/large-work.ts';

/** Writes a large result as JSON in pieces, when it is its turn. */
export async function writeLarge({ data, ...rest }: ExecutionResult): Promise<readonly Buffer[]> {
  await largeWork.beginAnswer();
  return joinResult(rest, await stringifyInPieces(data));
}

const closingBrace = Buffer.from('}');

/** A result as JSON, whose data is JSON already. */
export function joinResult(result: object, data: JsonText): readonly Buffer[] {
  const rest = JSON.stringify({ ...result, data: undefined }).slice(0, -1);
  const separator = rest === '{' ? '' : ',';
  const pieces = typeof data === 'string' ? [Buffer.from(data)] : data;
  return [Buffer.from(`${rest}${separator}"data":`), ...pieces, closingBrace];
}

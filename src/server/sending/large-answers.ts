import type { ExecutionResult } from 'graphql';
import { stringifyInPieces } from '../../lib/json-pieces.ts';
import type { Pauses } from '../../lib/pauses.ts';

/** Writes a large result as JSON in pieces, when it is its turn. */
export async function writeLarge({ data, ...rest }: ExecutionResult, pauses: Pauses): Promise<Buffer> {
  await pauses.beginAnswer();
  return joinResult(rest, await stringifyInPieces(data, pauses));
}

/** A result as JSON, whose data is JSON already. */
export function joinResult(result: object, data: string | Buffer): Buffer {
  const rest = JSON.stringify({ ...result, data: undefined }).slice(0, -1);
  const separator = rest === '{' ? '' : ',';
  return Buffer.concat([Buffer.from(`${rest}${separator}"data":`), Buffer.from(data), Buffer.from('}')]);
}

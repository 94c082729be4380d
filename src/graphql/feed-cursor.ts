import { RequestError } from '../errors.ts';
import type { ChangePosition } from '../store/changes.ts';
import { packCursor, unpackCursor } from './connection.ts';

const name = 'changes';

export function packFeedCursor({ number, mark }: ChangePosition): string {
  return packCursor([name, number, mark]);
}

/** @throws RequestError BAD_REQUEST for any other text */
export function unpackFeedCursor(cursor: string | null | undefined): ChangePosition | undefined {
  if (cursor === null || cursor === undefined) return undefined;
  const [type, number, mark] = unpackCursor(cursor) ?? [];
  if (type !== name || !isCount(number) || !isCount(mark))
    throw new RequestError(
      'BAD_REQUEST',
      'after is not a cursor of this feed. Use the cursor of an event, or feedCursor of a list of generations.',
    );
  return { number, mark };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

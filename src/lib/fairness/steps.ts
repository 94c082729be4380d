import { pieceChars } from '../json-size.ts';
import { largeWork } from './large-work.ts';

/** Work that can be done in steps. Yields the number of characters of each step before it does it. */
export type Steps<Result> = Generator<number, Result, void>;

export function doAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Begins the next piece of large work whenever the last one has its size. */
export async function doInPieces<Result>(steps: Steps<Result>): Promise<Result> {
  let chars = 0;
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    chars += step.value;
    if (chars < pieceChars) continue;
    chars = 0;
    await largeWork.nextPiece();
  }
}

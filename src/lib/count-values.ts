import { isEscaped } from './escapes.ts';
import { pieceChars } from './json-size.ts';
import { largeWork } from './fairness/large-work.ts';

const [quote, comma, bracket, brace] = [0x22, 0x2c, 0x5b, 0x7b];

/**
 * Whether a JSON document has more values than this, inside of lists and objects included. Parsing takes as long as it has
 * values, and cannot be divided, so large documents are refused before.
 */
export async function hasMoreValues(text: string, maxValues: number): Promise<boolean> {
  if (text.length < maxValues) return false;
  const count = createCount(text);
  for (let end = pieceChars; end < text.length + pieceChars; end += pieceChars) {
    await largeWork.nextPiece();
    if (count(end) > maxValues) return true;
  }
  return false;
}

/** Like `hasMoreValues`, in one step. */
export function hasMoreValuesAtOnce(text: string, maxValues: number): boolean {
  return text.length >= maxValues && countValues(text) > maxValues;
}

/** The values of a JSON document, inside of lists and objects included. */
export function countValues(text: string): number {
  return createCount(text)(text.length);
}

/** Counts the values of a document up to a position, from where it stopped before. */
function createCount(text: string): (end: number) => number {
  let index = 0;
  let values = 1;
  let isInString = false;
  return (end) => {
    while (index < end && index < text.length) {
      if (isInString) {
        const next = text.indexOf('"', index);
        isInString = next === -1 || isEscaped(text, next);
        index = next === -1 ? text.length : next + 1;
        continue;
      }
      const code = text.charCodeAt(index);
      if (code === quote) isInString = true;
      else if (code === comma || code === bracket || code === brace) values += 1;
      index += 1;
    }
    return values;
  };
}

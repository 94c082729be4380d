const backslash = 0x5c;

/** Whether an odd number of backslashes precedes, of those from `start` on. */
export function isEscaped(text: string, index: number, start = 0): boolean {
  let first = index;
  while (first > start && text.charCodeAt(first - 1) === backslash) first -= 1;
  return (index - first) % 2 === 1;
}

/** Position of the quotation mark that ends a JSON string, or -1. `start`: behind the one that begins it. */
export function findStringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start);
  while (end !== -1 && isEscaped(text, end, start)) end = text.indexOf('"', end + 1);
  return end;
}

const [quote, backslash, comma, colon, brace, bracket] = [0x22, 0x5c, 0x2c, 0x3a, 0x7b, 0x5b] as const;
const [minus, plus, point, zero, exponent] = [0x2d, 0x2b, 0x2e, 0x30, 0x65] as const;
/** From a bracket that opens to the one that closes. */
const toCloser = 2;
/** Deeper texts count as none: the memory for their brackets must not depend on a client. */
const maxDepth = 1000;

/** Whether a text is JSON. It makes no values, which could take a hundred times the memory of the text, and minutes. */
export function isJsonText(text: string): boolean {
  const closers: number[] = [];
  for (let index = skipBlanks(text, 0); index !== -1;) {
    const code = text.charCodeAt(index);
    if (code === brace || code === bracket) {
      if (closers.push(code + toCloser) > maxDepth) return false;
      index = skipBlanks(text, index + 1);
      if (text.charCodeAt(index) !== code + toCloser) {
        if (code === brace) index = endOfName(text, index);
        continue;
      }
    } else {
      const end = code === quote ? endOfString(text, index) : endOfWord(text, index);
      if (end === -1) return false;
      index = skipBlanks(text, end);
    }
    while (closers.length > 0 && text.charCodeAt(index) === closers[closers.length - 1]) {
      closers.pop();
      index = skipBlanks(text, index + 1);
    }
    if (closers.length === 0) return index === text.length;
    if (text.charCodeAt(index) !== comma) return false;
    index = skipBlanks(text, index + 1);
    if (closers[closers.length - 1] === brace + toCloser) index = endOfName(text, index);
  }
  return false;
}

// The functions below return the position after what begins at theirs, or -1 if something else begins there.

function skipBlanks(text: string, start: number): number {
  let index = start;
  for (let code = text.charCodeAt(index); isBlank(code); code = text.charCodeAt(index)) index += 1;
  return index;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** With the colon and the blanks behind it. */
function endOfName(text: string, start: number): number {
  const end = text.charCodeAt(start) === quote ? endOfString(text, start) : -1;
  if (end === -1) return -1;
  const index = skipBlanks(text, end);
  return text.charCodeAt(index) === colon ? skipBlanks(text, index + 1) : -1;
}

function endOfString(text: string, start: number): number {
  let index = start + 1;
  for (let code = text.charCodeAt(index); code !== quote; code = text.charCodeAt(index)) {
    // Also not a number, beyond the end.
    if (!(code >= 0x20)) return -1;
    if (code === backslash) {
      const escape = text.charAt(index + 1);
      if (escape === 'u' ? !/^[\da-f]{4}$/i.test(text.slice(index + 2, index + 6)) : !isEscape(escape))
        return -1;
      index += escape === 'u' ? 6 : 2;
    } else index += 1;
  }
  return index + 1;
}

function isEscape(char: string): boolean {
  return char !== '' && '"\\/bfnrt'.includes(char);
}

/** A value without quotation marks. */
function endOfWord(text: string, start: number): number {
  const code = text.charCodeAt(start);
  if (code === minus || isDigit(code)) return endOfNumber(text, start);
  const word = words.find((each) => text.startsWith(each, start));
  return word === undefined ? -1 : start + word.length;
}

const words = ['true', 'false', 'null'] as const;

function endOfNumber(text: string, start: number): number {
  const first = text.charCodeAt(start) === minus ? start + 1 : start;
  let end = endOfDigits(text, first);
  if (text.charCodeAt(first) === zero && end > first + 1) return -1;
  if (end !== -1 && text.charCodeAt(end) === point) end = endOfDigits(text, end + 1);
  if (end === -1 || (text.charCodeAt(end) | 0x20) !== exponent) return end;
  const sign = text.charCodeAt(end + 1);
  return endOfDigits(text, end + (sign === plus || sign === minus ? 2 : 1));
}

/** At least one. */
function endOfDigits(text: string, start: number): number {
  let index = start;
  while (isDigit(text.charCodeAt(index))) index += 1;
  return index > start ? index : -1;
}

function isDigit(code: number): boolean {
  return code >= zero && code <= 0x39;
}

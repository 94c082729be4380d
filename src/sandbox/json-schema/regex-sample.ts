import type { Dice } from '../random.ts';
import { UnsatisfiableSchema } from './schema.ts';

interface Cursor {
  readonly pattern: string;
  at: number;
  readonly dice: Dice;
  readonly isLong: boolean;
}

type Sampler = () => string;

const printable =
  ' !"#$%&\'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~';
const classes: Readonly<Record<string, string>> = {
  d: '0123456789',
  w: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_',
  s: ' ',
};

/**
 * A string that a regular expression of the usual kind matches: classes, groups, alternatives, quantifiers
 * and anchors. Assertions and back references are passed over, so the caller checks the result.
 */
export function sampleRegex(pattern: string, dice: Dice, options: { isLong: boolean }): string {
  const cursor: Cursor = { pattern, at: 0, dice, isLong: options.isLong };
  const sampler = readAlternatives(cursor);
  if (cursor.at < pattern.length) throw new UnsatisfiableSchema(`pattern ${pattern} is malformed`);
  return sampler();
}

function readAlternatives(cursor: Cursor): Sampler {
  const branches: Sampler[] = [readSequence(cursor)];
  while (cursor.pattern[cursor.at] === '|') {
    cursor.at += 1;
    branches.push(readSequence(cursor));
  }
  return () => branches[cursor.dice.between(0, branches.length - 1)]?.() ?? '';
}

function readSequence(cursor: Cursor): Sampler {
  const parts: Sampler[] = [];
  while (cursor.at < cursor.pattern.length && !'|)'.includes(cursor.pattern[cursor.at] ?? '')) {
    const atom = readAtom(cursor);
    parts.push(readQuantifier(cursor, atom));
  }
  return () => parts.map((part) => part()).join('');
}

function readQuantifier(cursor: Cursor, atom: Sampler): Sampler {
  const match = /^(?:[*+?]|\{(\d+)(,)?(\d*)\})\??/.exec(cursor.pattern.slice(cursor.at));
  if (!match) return atom;
  cursor.at += match[0].length;
  const extra = cursor.isLong ? 24 : 4;
  const sign = match[0][0];
  const low = sign === '+' ? 1 : Number(match[1] ?? 0);
  let high = low + extra;
  if (sign === '?') high = 1;
  else if (match[1] !== undefined && match[2] === undefined) high = low;
  else if (match[3]) high = Math.min(Number(match[3]), low + extra * 10);
  if (low > 10_000) throw new UnsatisfiableSchema('the pattern asks for too long a string');
  return () => Array.from({ length: cursor.dice.between(low, high) }, atom).join('');
}

function readAtom(cursor: Cursor): Sampler {
  const character = String.fromCodePoint(cursor.pattern.codePointAt(cursor.at) ?? 0);
  cursor.at += character.length;
  if (character === '(') return readGroup(cursor);
  if (character === '[') return readClass(cursor);
  if (character === '.') return () => pickFrom(classes['w'] ?? '', cursor.dice);
  if (character === '^' || character === '$') return () => '';
  if (character === '\\') {
    const members = readEscape(cursor);
    return () => pickFrom(members, cursor.dice);
  }
  return () => character;
}

function readGroup(cursor: Cursor): Sampler {
  const prefix = /^\?(?:[:=!]|<[=!]|<\w+>)/.exec(cursor.pattern.slice(cursor.at))?.[0] ?? '';
  cursor.at += prefix.length;
  const inner = readAlternatives(cursor);
  cursor.at += 1;
  return /[=!]$/.test(prefix) ? () => '' : inner;
}

function readClass(cursor: Cursor): Sampler {
  const isNegated = cursor.pattern[cursor.at] === '^';
  if (isNegated) cursor.at += 1;
  let members = '';
  while (cursor.at < cursor.pattern.length && cursor.pattern[cursor.at] !== ']') {
    const low = readClassMember(cursor);
    const isRange =
      cursor.pattern[cursor.at] === '-' &&
      cursor.pattern[cursor.at + 1] !== ']' &&
      Array.from(low).length === 1;
    if (!isRange) {
      members += low;
      continue;
    }
    cursor.at += 1;
    members += listRange(low, readClassMember(cursor));
  }
  cursor.at += 1;
  const excluded = members;
  const pool = isNegated
    ? Array.from(printable)
        .filter((item) => !excluded.includes(item))
        .join('')
    : members;
  return () => pickFrom(pool, cursor.dice);
}

function readClassMember(cursor: Cursor): string {
  const character = String.fromCodePoint(cursor.pattern.codePointAt(cursor.at) ?? 0);
  cursor.at += character.length;
  return character === '\\' ? readEscape(cursor) : character;
}

function listRange(low: string, high: string): string {
  const [first, last] = [low.codePointAt(0) ?? 0, high.codePointAt(0) ?? 0];
  const length = Math.min(Math.max(last - first + 1, 0), 512);
  return Array.from({ length }, (_, index) => String.fromCodePoint(first + index)).join('');
}

/** The characters that an escape stands for; none for a boundary or a back reference. */
function readEscape(cursor: Cursor): string {
  const rest = cursor.pattern.slice(cursor.at);
  const property = /^[pP]\{[^}]*\}/.exec(rest)?.[0];
  if (property !== undefined) {
    cursor.at += property.length;
    return /N/.test(property) ? (classes['d'] ?? '') : 'abcdefghijklmnopqrstuvwxyz';
  }
  const code = /^(?:u\{([0-9a-f]+)\}|u([0-9a-f]{4})|x([0-9a-f]{2}))/i.exec(rest);
  if (code) {
    cursor.at += code[0].length;
    return String.fromCodePoint(Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '20', 16));
  }
  const letter = rest[0] ?? '';
  cursor.at += 1;
  if ('dws'.includes(letter)) return classes[letter] ?? '';
  if ('DWS'.includes(letter))
    return Array.from(printable)
      .filter((item) => !classes[letter.toLowerCase()]?.includes(item))
      .join('');
  if (letter === 'b' || letter === 'B' || /\d/.test(letter)) return '';
  const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v' };
  return controls[letter] ?? letter;
}

function pickFrom(members: string, dice: Dice): string {
  const characters = Array.from(members);
  return characters[dice.between(0, Math.max(characters.length - 1, 0))] ?? '';
}

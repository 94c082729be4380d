import { isList, isObject, isRecord, type Json } from '../lib/json.ts';
import { abbreviate } from '../lib/text.ts';
import { largeWork } from '../lib/fairness/large-work.ts';
import { largeChars, pieceChars } from '../lib/json-size.ts';
import { parseReply, parseReplyInSteps } from './parse-reply.ts';
import { ReplyTooLargeError } from './reply-body.ts';

const placeholder = '[credential]';

/** Shorter credentials are not redacted in replies: ordinary words could contain them. Error messages redact any length. */
const minReplyChars = 8;

/**
 * Redacts one caller's credential from replies of the gateway. A class: every stream holds one, and closures take more memory.
 */
export class Redactor {
  readonly #credential: string;
  readonly #probe: string;
  #pattern: RegExp | undefined;

  constructor(credential: string) {
    this.#credential = credential;
    this.#probe = longestPlainPart(credential);
  }

  /** Redacts an error text and abbreviates it. */
  text(text: string): string {
    return abbreviate(this.#credential === '' ? text : this.#replaceAll(text), 1000);
  }

  /** Whether a reply with this text, or this part of its text, may have to be redacted. */
  mayChange(text: string): boolean {
    // One search rules out nearly every reply. JSON may also escape plain characters.
    return this.#isLong && (this.#mayHold(text) || hasEscapedAscii(text));
  }

  /** Parses a reply and redacts every name and string in it. @throws SyntaxError like `parseReply` */
  parse(text: string, mayChange = this.mayChange(text)): Json {
    const value = parseReply(text);
    return mayChange ? this.#mapValue(value) : value;
  }

  /** Like `parse`, but returns undefined instead of throwing. `mayChange`: what it returned for this text. */
  tryParse(text: string, mayChange?: boolean): Json | undefined {
    try {
      return this.parse(text, mayChange);
    } catch {
      return undefined;
    }
  }

  /** Like `tryParse`. A large reply is divided into pieces. @throws ReplyTooLargeError */
  async tryParseInSteps(text: string): Promise<Json | undefined> {
    try {
      const value = await parseReplyInSteps(text);
      return (await this.#mayChangeInSteps(text)) ? this.#mapValue(value) : value;
    } catch (error) {
      if (error instanceof ReplyTooLargeError) throw error;
      return undefined;
    }
  }

  async #mayChangeInSteps(text: string): Promise<boolean> {
    if (text.length <= largeChars) return this.mayChange(text);
    const overlap = Math.max(this.#probe.length, maxEscapeChars) - 1;
    for (let start = 0; start < text.length; start += pieceChars) {
      await largeWork.nextPiece();
      const piece = text.slice(start, start + pieceChars + overlap);
      // The other parts of the credential may be in the next piece.
      if (this.#isLong && (piece.includes(this.#probe) || hasEscapedAscii(piece))) return true;
    }
    return false;
  }

  /** Redacts every name and string in a value. Returns the same value if it has no credential. */
  value<Value>(value: Value): Value {
    return this.#isLong && mayInclude(value, this.#probe) ? this.#mapValue(value) : value;
  }

  get #isLong(): boolean {
    return this.#credential.length >= minReplyChars;
  }

  #mapValue<Value>(value: Value): Value {
    return mapStrings(value, (text) => (this.#mayHold(text) ? this.#replaceAll(text) : text));
  }

  /** An ordinary word may equal a part of the credential, but rarely all of its parts occur. */
  #mayHold(text: string): boolean {
    return text.includes(this.#probe) && plainParts(this.#credential).every((part) => text.includes(part));
  }

  #replaceAll(text: string): string {
    return text.replace((this.#pattern ??= toPattern(this.#credential)), placeholder);
  }
}

/** Length of `\u0000`. */
const maxEscapeChars = 6;

/** The plain search rules out most texts several times faster. */
function hasEscapedAscii(text: string): boolean {
  return text.includes('\\u00') && /\\u00[2-7]/.test(text);
}

/** The parts of the credential that look the same in every encoding. */
function plainParts(credential: string): readonly string[] {
  return credential.split(/[^A-Za-z\d]/);
}

/** The longest of them. */
function longestPlainPart(credential: string): string {
  let longestStart = 0;
  let longestEnd = 0;
  let start = 0;
  for (let index = 0; index < credential.length; index += 1) {
    if (!isPlain(credential.charCodeAt(index))) start = index + 1;
    else if (index + 1 - start > longestEnd - longestStart) {
      longestStart = start;
      longestEnd = index + 1;
    }
  }
  return credential.slice(longestStart, longestEnd);
}

/** An ASCII letter or digit. */
function isPlain(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a);
}

/** Matches the credential as is, in a URL, in a form-encoded query, and in JSON text within a string. */
function toPattern(credential: string): RegExp {
  return new RegExp(Array.from(credential, characterPattern).join(''), 'g');
}

function characterPattern(character: string): string {
  if (/[A-Za-z\d]/.test(character)) return character;
  const percent = Array.from(
    Buffer.from(character),
    (byte) => `%${anyCase(byte.toString(16).padStart(2, '0'))}`,
  );
  const units = Array.from({ length: character.length }, (_, index) =>
    character.charCodeAt(index).toString(16).padStart(4, '0'),
  );
  const literal = units.map((unit) => `\\u${unit}`).join('');
  const spellings = [
    `\\\\{0,8}${literal}`,
    percent.join(''),
    units.map((unit) => `\\\\{1,8}u${anyCase(unit)}`).join(''),
  ];
  return `(?:${[...spellings, ...(character === ' ' ? ['\\+'] : [])].join('|')})`;
}

/** Matches a hexadecimal number in either letter case. */
function anyCase(hex: string): string {
  return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/** Redacts a credential of any length from a text and abbreviates the text. */
export function redact(text: string, credential: string): string {
  return new Redactor(credential).text(text);
}

/** Whether a name or a string includes the text. Allocates nothing: every save of a running stream asks. */
function mayInclude(value: unknown, text: string): boolean {
  if (typeof value === 'string') return value.includes(text);
  if (!isObject(value)) return false;
  if (isList(value)) return value.some((item) => mayInclude(item, text));
  for (const name in value) if (name.includes(text) || mayInclude(value[name], text)) return true;
  return false;
}

/** Applies a function to every name and string. Values without a change are returned as they are. */
function mapStrings<Value>(value: Value, map: (text: string) => string): Value;
function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return mapItems(value, map);
  return isRecord(value) ? mapMembers(value, map) : value;
}

function mapItems(items: readonly unknown[], map: (text: string) => string): readonly unknown[] {
  let mapped: unknown[] | undefined;
  for (const [index, item] of items.entries()) {
    const mappedItem = mapStrings(item, map);
    if (mappedItem !== item) mapped ??= items.slice(0, index);
    mapped?.push(mappedItem);
  }
  return mapped ?? items;
}

function mapMembers(value: Readonly<Record<string, unknown>>, map: (text: string) => string): object {
  const names = Object.keys(value);
  let mapped: (readonly [string, unknown])[] | undefined;
  for (const [index, name] of names.entries()) {
    const member = value[name];
    const mappedName = map(name);
    const mappedMember = mapStrings(member, map);
    if (mappedName !== name || mappedMember !== member)
      mapped ??= names.slice(0, index).map((earlier) => [earlier, value[earlier]]);
    mapped?.push([mappedName, mappedMember]);
  }
  return mapped ? Object.fromEntries(mapped) : value;
}

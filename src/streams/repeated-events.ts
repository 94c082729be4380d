import type { Redactor } from '../gateway/redact.ts';
import { isRecord } from '../lib/json.ts';
import type { ReplyReader } from './streamed-kind.ts';

/** Reads events that equal the one before but for their text, without parsing the rest again. */
export interface RepeatedEvents<Delta> {
  /** Undefined if the event must be parsed. */
  read(data: string): { readonly delta: Delta | undefined } | undefined;
  /** Takes the last event that was parsed, redacted and read. */
  remember(data: string, body: Readonly<Record<string, unknown>>): void;
}

interface Template {
  /** The event up to and including the quotation mark before its text. */
  readonly before: string;
  /** The rest from the quotation mark after the text. */
  readonly after: string;
}

/** Templates that a reply may try without a match: other members change with every event of some gateways. */
const maxUnused = 4;

export function createRepeatedEvents<State, Delta>(
  { textOf, readText }: Pick<ReplyReader<State, Delta>, 'textOf' | 'readText'>,
  redactor: Pick<Redactor, 'mayChange'>,
): RepeatedEvents<Delta> {
  let template: Template | undefined;
  let unused = 0;
  return {
    read(data) {
      if (!template || !readText) return undefined;
      const { before, after } = template;
      const end = data.length - after.length;
      if (end < before.length || !data.startsWith(before) || !data.endsWith(after)) return undefined;
      const literal = data.slice(before.length, end);
      const text = redactor.mayChange(literal) ? undefined : parseText(literal);
      if (text === undefined) return undefined;
      unused = 0;
      return { delta: readText(text) };
    },
    remember(data, body) {
      template = undefined;
      if (!textOf || unused >= maxUnused) return;
      const text = textOf(body);
      if (text === undefined) return;
      unused += 1;
      template = findTemplate(data, text, textOf);
    },
  };
}

/** Splits an event around its text. Undefined if the text is not where it was expected. */
function findTemplate(
  data: string,
  text: string,
  textOf: (body: Readonly<Record<string, unknown>>) => string | undefined,
): Template | undefined {
  const start = /"content": ?"/.exec(data);
  if (!start) return undefined;
  const textStart = start.index + start[0].length;
  const length = /^(?:[^"\\]|\\.)*/.exec(data.slice(textStart))?.[0].length ?? 0;
  const before = data.slice(0, textStart);
  const after = data.slice(textStart + length);
  // Proof: another string in this place is another text of the event. The string may belong to a member elsewhere.
  const other = `${text}x`;
  const body: unknown = JSON.parse(`${before}${JSON.stringify(other).slice(1, -1)}${after}`);
  return isRecord(body) && textOf(body) === other ? { before, after } : undefined;
}

const plain = /^[^"\\\p{Cc}]*$/u;

/** V8 copies shorter slices. A longer one would keep the text of the whole read alive. */
const minSliceChars = 13;

/** The value of a JSON string without its quotation marks. Undefined if it is not one string. */
function parseText(literal: string): string | undefined {
  if (literal.length < minSliceChars && plain.test(literal)) return literal;
  try {
    const value: unknown = JSON.parse(`"${literal}"`);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

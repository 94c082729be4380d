import type { Redactor } from '../gateway/redact.ts';
import { append } from '../lib/append.ts';
import { findStringEnd } from '../lib/escapes.ts';
import { isRecord } from '../lib/json.ts';
import type { TextRun } from './shape.ts';
import type { ReplyReader } from './streamed-kind.ts';

/** Reads events that equal the one before but for their text, without parsing the rest again. */
export interface RepeatedEvents<Delta> {
  /** Reads all events of a text that begins and ends between events. Undefined if they must be parsed. */
  read(text: string): TextRun<Delta> | undefined;
  /** Takes the last event that was parsed, redacted and read. */
  remember(data: string, body: Readonly<Record<string, unknown>>): void;
}

/** A stream around the texts of its events: before the first one, between two, and after the last one. */
interface Template {
  readonly start: string;
  readonly seam: string;
  readonly end: string;
}

/** Templates that a reply may try without a match: other members change with every event of some gateways. */
const maxUnused = 4;

export function createRepeatedEvents<State, Delta>(
  { textOf, readTexts }: Pick<ReplyReader<State, Delta>, 'textOf' | 'readTexts'>,
  redactor: Pick<Redactor, 'mayChange'>,
): RepeatedEvents<Delta> {
  let template: Template | undefined;
  let unused = 0;
  return {
    read(text) {
      if (!template || !readTexts) return undefined;
      const { start, end, seam } = template;
      const length = text.length - end.length;
      if (length < start.length || !text.startsWith(start) || !text.endsWith(end)) return undefined;
      const literals = text.slice(start.length, length).split(seam);
      const joined = literals.join('');
      if (redactor.mayChange(joined)) return undefined;
      const texts = parseTexts(literals, joined);
      const run = texts && readTexts(texts);
      if (run) unused = 0;
      return run;
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
  const name = /"content": ?"/.exec(data);
  // Data of several lines has `data: ` before each.
  if (!name || /[\r\n]/.test(data)) return undefined;
  const textStart = name.index + name[0].length;
  const textEnd = findStringEnd(data, textStart);
  if (textEnd === -1) return undefined;
  const before = data.slice(0, textStart);
  const after = data.slice(textEnd);
  // Proof: another string in this place is another text of the event. The string may belong to a member elsewhere.
  const other = `${text}x`;
  const body: unknown = JSON.parse(`${before}${JSON.stringify(other).slice(1, -1)}${after}`);
  if (!isRecord(body) || textOf(body) !== other) return undefined;
  const start = `data: ${before}`;
  const end = `${after}\n\n`;
  return { start, seam: end + start, end };
}

const special = /["\\\p{Cc}]/u;

/** V8 copies shorter slices. A longer one would keep the text of the whole read alive. */
const minSliceChars = 13;

/** The value of a JSON string without its quotation marks. Undefined if it is not one string. */
function parseText(literal: string): string | undefined {
  if (literal.length < minSliceChars && !special.test(literal)) return literal;
  try {
    const value: unknown = JSON.parse(`"${literal}"`);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Parses the literals of a read. If they are plain, the texts may keep the text of the whole read alive: only what is joined
 * from two or more of them is a copy.
 */
function parseTexts(literals: readonly string[], joined: string): readonly string[] | undefined {
  if (literals.length > 1 && !special.test(joined) && !literals.includes('')) return literals;
  let texts: string[] = [];
  for (const literal of literals) {
    const text = parseText(literal);
    if (text === undefined) return undefined;
    texts = append(texts, text);
  }
  return texts;
}

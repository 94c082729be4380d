import type { Dice } from '../random.ts';
import { suggestText, type Hints, type MemberName } from './hints.ts';
import { sampleRegex } from './regex-sample.ts';
import { readNumber, UnsatisfiableSchema, type Schema } from './schema.ts';

const maxLength = 100_000;

/** A string that satisfies the schema's format, pattern and lengths. */
export function createString(schema: Schema, name: MemberName, hints: Hints, dice: Dice): string {
  const least = readNumber(schema, 'minLength') ?? 0;
  const most = readNumber(schema, 'maxLength') ?? Math.max(least, 4000);
  if (least > most || least > maxLength)
    throw new UnsatisfiableSchema(`no string is ${least} to ${most} long`);
  const { pattern, format } = schema;
  if (typeof pattern === 'string') return createMatch(pattern, least, most, dice);
  if (typeof format === 'string' && Object.hasOwn(formats, format)) {
    const text = formats[format]?.(dice) ?? '';
    if (text.length >= least && text.length <= most) return text;
  }
  return fit(suggestText(name, hints, dice), least, most);
}

function createMatch(pattern: string, least: number, most: number, dice: Dice): string {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const text = sampleRegex(pattern, dice, { isLong: attempt % 2 === 1 || least > 8 });
    const length = Array.from(text).length;
    if (length >= least && length <= most && new RegExp(pattern, 'u').test(text)) return text;
  }
  throw new UnsatisfiableSchema(`no string was found for pattern ${pattern}`);
}

/** Lengths of JSON Schema count characters, not UTF-16 units. */
function fit(text: string, least: number, most: number): string {
  const characters = Array.from(text);
  if (characters.length > most) return characters.slice(0, most).join('');
  const filler = Array.from(' and so on');
  while (characters.length < least) characters.push(filler[characters.length % filler.length] ?? 'x');
  return characters.join('');
}

const two = (value: number): string => String(value).padStart(2, '0');
const date = (dice: Dice): string => `2026-${two(dice.between(1, 12))}-${two(dice.between(1, 28))}`;
const time = (dice: Dice): string => `${two(dice.between(0, 23))}:${two(dice.between(0, 59))}:00Z`;
const hex = (dice: Dice, length: number): string =>
  Array.from({ length }, () => dice.between(0, 15).toString(16)).join('');

const formats: Readonly<Record<string, (dice: Dice) => string>> = {
  date,
  time,
  'date-time': (dice) => `${date(dice)}T${time(dice)}`,
  duration: (dice) => `PT${dice.between(1, 23)}H`,
  email: () => 'ada@example.com',
  'idn-email': () => 'ada@example.com',
  hostname: () => 'www.example.com',
  'idn-hostname': () => 'www.example.com',
  ipv4: (dice) => `192.0.2.${dice.between(1, 254)}`,
  ipv6: (dice) => `2001:db8::${hex(dice, 4)}`,
  uri: () => 'https://example.com/',
  'uri-reference': () => '/notes/1',
  iri: () => 'https://example.com/',
  url: () => 'https://example.com/',
  uuid: (dice) => `${hex(dice, 8)}-${hex(dice, 4)}-4${hex(dice, 3)}-a${hex(dice, 3)}-${hex(dice, 12)}`,
  'json-pointer': () => '/items/0',
  'relative-json-pointer': () => '0',
  'uri-template': () => 'https://example.com/{id}',
  regex: () => '^[a-z]+$',
};

import type { Dice } from '../random.ts';
import { suggestText, type Hints, type MemberName } from './hints.ts';
import { createSampler } from './regex-sample.ts';
import samples from './samples.json' with { type: 'json' };
import { readNumber, UnsatisfiableSchema, type Schema } from './schema.ts';
import { isPlausible } from './validate.ts';

/** The longest string that a schema may ask for. */
const maxLength = 100_000;
const attempts = 60;

/** A string that satisfies the schema's format, pattern and lengths. */
export function createString(schema: Schema, name: MemberName, hints: Hints, dice: Dice): string {
  const least = readNumber(schema, 'minLength') ?? 0;
  const most = readNumber(schema, 'maxLength') ?? Math.max(least, 4000);
  if (least > most || least > maxLength)
    throw new UnsatisfiableSchema(`no string is ${least} to ${most} long`);
  const { pattern, format } = schema;
  const formatPattern =
    typeof format === 'string' ? new Map(Object.entries(samples.formats)).get(format) : undefined;
  for (const source of [formatPattern, pattern]) {
    const text =
      typeof source === 'string' ? sample(source, { ...schema, type: 'string' }, least, dice) : undefined;
    if (text !== undefined) return text;
  }
  if (typeof pattern === 'string')
    throw new UnsatisfiableSchema(`no string was found for pattern ${pattern}`);
  return fit(suggestText(name, hints, dice), least, most);
}

function sample(pattern: string, schema: Schema, least: number, dice: Dice): string | undefined {
  const write = createSampler(pattern, dice);
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const text = write(attempt % 2 === 1 || least > 8 ? 24 + least : 4);
    if (isPlausible(schema, text)) return text;
  }
  return undefined;
}

/** Lengths of JSON Schema count characters, not UTF-16 units. */
function fit(text: string, least: number, most: number): string {
  const characters = Array.from(text);
  const filler = ' and so on'.repeat(Math.ceil(least / 10)).slice(0, Math.max(least - characters.length, 0));
  return characters.slice(0, most).join('') + filler;
}

import type { Dice } from '../../random.ts';
import { createDeck, fill } from './sentences.ts';

/** Two things that a prompt sets against each other; undefined where there are none. */
export function findAlternatives(prompt: string): { one: string; other: string } | undefined {
  const name = String.raw`([\p{L}\p{N}][\p{L}\p{N}+#.'-]*(?: [\p{L}\p{N}][\p{L}\p{N}+#.'-]*)?)`;
  const patterns = [
    String.raw`\b(?:between|compare|comparing) (?:an? |the )?${name} (?:and|with|to) (?:an? |the )?${name}`,
    String.raw`(?:,|:|prefer|better|choose|use|buy|learn) (?:an? |the )?${name},? or (?:an? |the )?${name}\s*\?`,
    String.raw`${name} (?:vs\.?|versus) ${name}`,
  ];
  for (const pattern of patterns) {
    const [, one, other] = new RegExp(pattern, 'iu').exec(prompt) ?? [];
    if (one !== undefined && other !== undefined) return { one, other: other.replace(/[.?]+$/, '') };
  }
  return undefined;
}

/** Weighs two things, sometimes in a Markdown table. */
export function writeComparison({ one, other }: { one: string; other: string }, dice: Dice): string {
  const slots = { one, other };
  const sentence = createDeck(remarks, slots, dice);
  const opening = fill(dice.pick(openings), slots);
  const closing = fill(dice.pick(closings), slots);
  if (dice.chance(0.5)) return `${opening} ${sentence()} ${sentence()}\n\n${sentence()} ${closing}`;
  const rows = dice
    .shuffle(aspects)
    .slice(0, 3)
    .map(([aspect, left, right]) => `| ${aspect} | ${left} | ${right} |`);
  return [
    opening,
    '',
    `| | ${one} | ${other} |`,
    '|---|---|---|',
    ...rows,
    '',
    `${sentence()} ${closing}`,
  ].join('\n');
}

type Phrases = readonly [string, ...string[]];

const openings: Phrases = [
  'Between {one} and {other} there is no winner for everybody, but there usually is one for you.',
  'Both {one} and {other} have good arguments on their side.',
  'The choice between {one} and {other} depends mostly on what you already have.',
];

const remarks: Phrases = [
  'People who choose {one} tend to praise how quickly they got started.',
  'People who choose {other} tend to praise how little changed after the first year.',
  'If several people have to live with the decision, ask them first: habit is a strong argument for {one} as well as for {other}.',
  'Trying both {one} and {other} on one small, real case tells you more than any table.',
  'The cost of moving from {one} to {other} later is often lower than it looks.',
  'What is written about {other} is sometimes out of date, so look at the dates.',
];

const aspects: readonly (readonly [string, string, string])[] = [
  ['Start', 'quick', 'steady'],
  ['Effort', 'low at first', 'low later'],
  ['Flexibility', 'high', 'moderate'],
  ['Community', 'large', 'dedicated'],
  ['Surprises', 'some', 'few'],
];

const closings: Phrases = [
  'If in doubt, I would begin with {one} and keep {other} in mind.',
  'For most people I would suggest {other}, unless there is a reason for {one}.',
  'Tell me what matters most to you, and I will be more definite.',
];

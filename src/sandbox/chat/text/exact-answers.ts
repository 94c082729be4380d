import { abbreviate } from '../../../lib/text.ts';
import type { Dice } from '../../random.ts';
import type { Conversation } from './conversation.ts';
import facts from './facts.json' with { type: 'json' };
import { findListLength } from './list-length.ts';
import phrases from './phrases.json' with { type: 'json' };
import { fill } from './sentences.ts';

const maxCount = 5000;

/** The reply to a prompt that has one right answer, or that makes a remark; undefined for all others. */
export function answerExactly(conversation: Conversation, dice: Dice): string | undefined {
  for (const [pattern, answer] of answers) {
    const match = pattern.exec(conversation.prompt);
    const text = match ? answer(match, conversation, dice) : undefined;
    if (text !== undefined) return text;
  }
  return listKnown(conversation.prompt) ?? replyToRemark(conversation, dice);
}

type Answer = (match: RegExpExecArray, conversation: Conversation, dice: Dice) => string | undefined;

/**
 * No two parts of a pattern can share one run of white space: the time to match a long run would be a power of its length. Nor
 * can a pattern that may begin at many places search far from each.
 */
const answers: readonly (readonly [RegExp, Answer])[] = [
  [
    /^\s*(?:please\s+)?(?:say|repeat|(?:reply|answer|respond) with|write|output)\s+(?:exactly|only|just|after me|this)(?:\s*:)?\s+(\S(?:[^]*\S)?)\s*$/i,
    ([, text = '']) => text.replace(/^(["“'])([^]*)["”']\.?$/, '$2'),
  ],
  [/\bcount (?:up )?(?:from (\d+) )?(?:up )?to (\d+)\b/i, count],
  [
    /\b(?:what(?:’s|'s| is) my name|who am i|remember my name)\b/i,
    (_match, { userName }) =>
      userName === undefined
        ? 'You have not told me your name yet. What should I call you?'
        : `Your name is ${userName}.`,
  ],
  [
    /\b(?:who are you|what(?:’s|'s| is) your name|what are you)\b/i,
    (_match, { persona }) =>
      persona === undefined
        ? 'I am the assistant of the sandbox gateway: I run offline and answer like a model would.'
        : `I am ${persona}. How can I help?`,
  ],
  [
    /\bwhat (?:did i|was my|were my|have i)\b.{0,200}\b(?:say|said|ask|asked|tell|told|question|message)\b/i,
    recall,
  ],
  [/(-?\d{1,15}(?:\.\d{1,9})?)\s*([-+−*×x/÷])\s*(-?\d{1,15}(?:\.\d{1,9})?)[\s=?.]*$/i, calculate],
  [/\bcapital (?:city )?of ([\p{L} ]{0,60}\p{L})[\s?]*$/iu, findCapital],
  [
    /\b(?:translate|say)\s+["“']?([^\s"“”](?:[^"“”]{0,20}?[^\s"“”])?)["”']?\s+(?:in|into|to)\s+(\w+)\b/i,
    translate,
  ],
];

function count([, from = '1', to]: RegExpExecArray, _conversation: Conversation, dice: Dice): string {
  const length = Math.min(Math.max(Number(to) - Number(from) + 1, 0), maxCount);
  const separator = dice.pick([', ', ', ', '\n', ' ', ',\n']);
  return Array.from({ length }, (_, index) => Number(from) + index).join(separator);
}

function recall([question]: RegExpExecArray, { earlierPrompts }: Conversation): string {
  const quoted = earlierPrompts.at(/\bfirst\b/i.test(question) ? 0 : -1);
  return quoted === undefined
    ? 'This is the first message of our conversation.'
    : `You wrote: “${abbreviate(quoted.trim(), 200)}”`;
}

function calculate([, left = '', sign = '', right = '']: RegExpExecArray): string | undefined {
  const [one, other] = [Number(left), Number(right)];
  let result = one * other;
  if (sign === '+') result = one + other;
  else if (/[-−]/.test(sign)) result = one - other;
  else if (/[/÷]/.test(sign)) result = one / other;
  return Number.isFinite(result) ? `${left} ${sign} ${right} = ${Number(result.toPrecision(12))}` : undefined;
}

function findCapital([, country = '']: RegExpExecArray): string | undefined {
  const capital = new Map(Object.entries(facts.capitals)).get(country.toLowerCase());
  return capital && fill(`The capital of {country} is ${capital}.`, { country: fill(country, {}) });
}

function translate([, phrase = '', language = '']: RegExpExecArray): string | undefined {
  const known = new Map<string, object>(Object.entries(facts.translations));
  const languages = known.get(phrase.toLowerCase().replace(/[!?.]+$/, '')) ?? {};
  const translation = new Map<string, unknown>(Object.entries(languages)).get(language.toLowerCase());
  return typeof translation === 'string' ? `“${phrase}” in ${language} is “${translation}”.` : undefined;
}

/** A numbered list of things that the sandbox knows. */
function listKnown(prompt: string): string | undefined {
  for (const { noun, items } of facts.lists) {
    const length = findListLength(prompt, String.raw`(?:list|name|give me|tell me)(?: me)? (?:of )?`, noun);
    const lines = items.split(', ').map((item, index) => `${index + 1}. ${item}`);
    if (length !== undefined) return lines.slice(0, length).join('\n');
  }
  return undefined;
}

function replyToRemark(conversation: Conversation, dice: Dice): string | undefined {
  const { prompt, userName, topics, earlierTopic } = conversation;
  const remark = phrases.remarks.find(({ pattern }) => new RegExp(pattern, 'i').test(prompt));
  const slots =
    userName === undefined ? { name: '', zhName: '' } : { name: `, ${userName}`, zhName: `，${userName}` };
  if (remark) return fill(dice.pick(remark.replies), slots);
  const isEmpty = topics.length === 0 && earlierTopic === undefined && !/\p{L}{4}/u.test(prompt);
  return isEmpty ? dice.pick(phrases.questions) : undefined;
}

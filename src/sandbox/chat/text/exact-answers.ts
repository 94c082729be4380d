import type { Dice } from '../../random.ts';
import type { Conversation } from './conversation.ts';
import { writeKnownList } from './known-lists.ts';
import { greetings, thanks } from './phrases.ts';
import { fill } from './sentences.ts';
import { translate } from './translations.ts';

const maxCount = 5000;

/** The reply to a prompt that has one right answer; undefined for all others. */
export function answerExactly(conversation: Conversation, dice: Dice): string | undefined {
  const { prompt } = conversation;
  return (
    repeat(prompt) ??
    count(prompt, dice) ??
    recall(conversation) ??
    calculate(prompt) ??
    findCapital(prompt) ??
    translate(prompt) ??
    writeKnownList(prompt) ??
    greet(conversation, dice)
  );
}

function repeat(prompt: string): string | undefined {
  const asked =
    /^\s*(?:please\s+)?(?:say|repeat|reply with|answer with|respond with|write|output)\s+(?:exactly|only|just|after me|this)\s*:?\s+([^]+?)\s*$/i.exec(
      prompt,
    )?.[1];
  return asked?.replace(/^(["“'])([^]*)["”']\.?$/, '$2');
}

function count(prompt: string, dice: Dice): string | undefined {
  const range =
    /\bcount (?:up )?(?:from (\d+) )?(?:up )?to (\d+)\b/i.exec(prompt) ??
    /(?:从(\d+))?数到\s*(\d+)/.exec(prompt);
  if (range) {
    const first = Number(range[1] ?? 1);
    const last = Math.min(Number(range[2]), first + maxCount - 1);
    const numbers = Array.from({ length: Math.max(last - first + 1, 0) }, (_, index) => first + index);
    return numbers.join(dice.pick([', ', ', ', '\n', ' ', ',\n']));
  }
  const from = /\bcount(?:down| down) from (\d+)\b/i.exec(prompt)?.[1];
  if (from === undefined) return undefined;
  const length = Math.min(Number(from) + 1, maxCount);
  return Array.from({ length }, (_, index) => Number(from) - index).join(dice.pick([', ', '\n', ' … ']));
}

function recall({ prompt, userName, persona, earlierPrompts }: Conversation): string | undefined {
  if (/\b(what(’s|'s| is) my name|who am i|remember my name)\b/i.test(prompt)) {
    return userName === undefined
      ? 'You have not told me your name yet. What should I call you?'
      : `Your name is ${userName}.`;
  }
  if (/\b(who are you|what(’s|'s| is) your name|what are you)\b/i.test(prompt)) {
    return persona === undefined
      ? 'I am the assistant of the sandbox gateway: I run offline and answer like a model would.'
      : `I am ${persona}. How can I help?`;
  }
  const asked =
    /\bwhat (?:did i|was my|were my|have i)\b.*\b(first)?\b.*\b(say|said|ask|asked|tell|told|question|message)\b/i.test(
      prompt,
    );
  if (!asked) return undefined;
  const quoted = /\bfirst\b/i.test(prompt) ? earlierPrompts[0] : earlierPrompts.at(-1);
  return quoted === undefined
    ? 'This is the first message of our conversation.'
    : `You wrote: “${shorten(quoted)}”`;
}

function calculate(prompt: string): string | undefined {
  const sum =
    /(-?\d{1,15}(?:\.\d{1,9})?)\s*(\+|-|−|\*|×|x|\/|÷|plus|minus|times|divided by)\s*(-?\d{1,15}(?:\.\d{1,9})?)\s*(?:=|\?|\.)*\s*$/i.exec(
      prompt,
    );
  if (!sum) return undefined;
  const [, left = '', sign = '', right = ''] = sum;
  const result = apply(sign.toLowerCase(), Number(left), Number(right));
  if (!Number.isFinite(result)) return `${left} cannot be divided by ${right}.`;
  return `${left} ${sign} ${right} = ${Number(result.toPrecision(12))}`;
}

function apply(sign: string, left: number, right: number): number {
  if (sign === '+' || sign === 'plus') return left + right;
  if (sign === '-' || sign === '−' || sign === 'minus') return left - right;
  if (sign === '/' || sign === '÷' || sign === 'divided by') return left / right;
  return left * right;
}

const capitals: Readonly<Record<string, string>> = {
  france: 'Paris',
  germany: 'Berlin',
  italy: 'Rome',
  spain: 'Madrid',
  portugal: 'Lisbon',
  austria: 'Vienna',
  switzerland: 'Bern',
  japan: 'Tokyo',
  china: 'Beijing',
  india: 'New Delhi',
  brazil: 'Brasília',
  canada: 'Ottawa',
  australia: 'Canberra',
  egypt: 'Cairo',
  kenya: 'Nairobi',
  norway: 'Oslo',
  sweden: 'Stockholm',
  poland: 'Warsaw',
  greece: 'Athens',
  turkey: 'Ankara',
  mexico: 'Mexico City',
  argentina: 'Buenos Aires',
};

function findCapital(prompt: string): string | undefined {
  const country = /\bcapital (?:city )?of ([\p{L} ]+?)\s*\??\s*$/iu.exec(prompt)?.[1]?.toLowerCase();
  if (country === undefined || !Object.hasOwn(capitals, country)) return undefined;
  const name = country.charAt(0).toUpperCase() + country.slice(1);
  return `The capital of ${name} is ${capitals[country]}.`;
}

function greet({ prompt, userName }: Conversation, dice: Dice): string | undefined {
  const slots = { name: userName === undefined ? '' : `, ${userName}` };
  const isShort = prompt.length <= 60 && !prompt.includes('?');
  if (isShort && /^\s*(hello|hi|hey|greetings|howdy|good (morning|afternoon|evening|day))\b/i.test(prompt)) {
    return fill(dice.pick(greetings), slots);
  }
  if (isShort && /^\s*(thanks|thank you|many thanks|cheers)\b/i.test(prompt))
    return fill(dice.pick(thanks), slots);
  return undefined;
}

function shorten(text: string): string {
  const characters = Array.from(text.trim());
  return characters.length > 200 ? `${characters.slice(0, 200).join('')}…` : characters.join('');
}

import type { Dice } from '../../random.ts';
import { writeChinese } from './chinese-texts.ts';
import { findAlternatives, writeComparison } from './comparisons.ts';
import type { Conversation, ToolResult } from './conversation.ts';
import { answerExactly } from './exact-answers.ts';
import { writeEssay, writeStory } from './long-texts.ts';
import { fallbackSecondTopics, fallbackTopics, firstThoughts, lastThoughts, thoughts } from './phrases.ts';
import { createDeck, fill, type Slots } from './sentences.ts';
import { makeSmallTalk } from './small-talk.ts';
import { writeCode, writeList, writeParagraphs, writePoem, writeSteps } from './short-texts.ts';

/** Writes what a model might answer: about the prompt, in its language, of the length it asks for. */
export function writeReply(conversation: Conversation, dice: Dice): string {
  if (conversation.toolResults.length > 0) return reportToolResults(conversation, dice);
  const seen = describeImages(conversation);
  const exact = answerExactly(conversation, dice) ?? makeSmallTalk(conversation, dice);
  if (exact !== undefined) return seen === '' ? exact : `${seen}\n\n${exact}`;
  if (conversation.isChinese) return seen + writeChinese(conversation, dice);
  const text = writeAbout(conversation, dice);
  const opening = [seen, recallEarlier(conversation)].filter((part) => part !== '').join(' ');
  return opening === '' ? text : `${opening}\n\n${text}`;
}

/** What a model might think before it answers; the more effort, the longer. */
export function writeReasoning(conversation: Conversation, dice: Dice, effort: string | undefined): string {
  const slots = toSlots(conversation, dice);
  const thought = createDeck(thoughts, slots, dice);
  const counts: Readonly<Record<string, number>> = { minimal: 0, low: 1, high: 8 };
  const count = effort === undefined ? 2 : (counts[effort] ?? 2);
  const middle = Array.from({ length: count }, thought);
  return [fill(dice.pick(firstThoughts), slots), ...middle, dice.pick(lastThoughts)].join(' ');
}

function writeAbout(conversation: Conversation, dice: Dice): string {
  const { prompt, isBrief } = conversation;
  const slots = toSlots(conversation, dice);
  const words = Number(/\b(\d{2,5})[ -]words?\b/i.exec(prompt)?.[1] ?? 0) || undefined;
  if (/\b(poem|haiku|verse|limerick)\b/i.test(prompt)) return writePoem(slots, dice, /haiku/i.test(prompt));
  if (/\b(story|tale|fairy ?tale|novel|legend)\b/i.test(prompt)) return writeStory({ slots, dice, words });
  const isLong =
    /\b(essay|article|blog post|report|long|in detail|detailed|at length|as much as you can)\b/i.test(prompt);
  if (words !== undefined || (isLong && !isBrief)) return writeEssay({ slots, dice, words });
  if (/\b(code|function|script|program|snippet)\b/i.test(prompt)) {
    const subject = conversation.topics.find(
      (topic) => !/\b(code|function|script|program|snippet|python|javascript|typescript)\b/i.test(topic),
    );
    return writeCode({ ...slots, t: subject ?? 'your values' }, dice, prompt);
  }
  const alternatives = findAlternatives(prompt);
  if (alternatives && !isBrief) return writeComparison(alternatives, dice);
  const count = findListLength(prompt);
  if (count !== undefined) return writeList(slots, dice, count);
  if (
    /\bhow (to|do i|can i|should i|do you|do we)\b|\bstep[- ]by[- ]step\b|\bsteps\b/i.test(prompt) &&
    !isBrief
  ) {
    return writeSteps(slots, dice);
  }
  return writeParagraphs(slots, dice, { isBrief });
}

function toSlots({ topics, earlierTopic }: Conversation, dice: Dice): Slots {
  const [topic = earlierTopic ?? dice.pick(fallbackTopics), second = dice.pick(fallbackSecondTopics)] =
    topics;
  return { t: topic, u: second };
}

const numberWords = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

function findListLength(prompt: string): number | undefined {
  const noun = String.raw`(?:\w+ )?(?:ways|tips|ideas|reasons|points|examples|things|facts|items|questions|names|advantages|benefits)`;
  const number = new RegExp(String.raw`\b(\d{1,2}|${numberWords.join('|')}) ${noun}\b`, 'i').exec(
    prompt,
  )?.[1];
  if (number !== undefined) return Number(number) || numberWords.indexOf(number.toLowerCase()) + 1;
  return /\b(list|bullet points?|pros and cons)\b/i.test(prompt) ? 5 : undefined;
}

/** A sentence that shows that the earlier messages were read. */
function recallEarlier({ userName, earlierTopic, earlierPrompts, topics }: Conversation): string {
  const isNewTopic = earlierTopic !== undefined && earlierTopic.toLowerCase() !== topics[0]?.toLowerCase();
  if (earlierPrompts.length > 0 && isNewTopic) {
    return `${userName === undefined ? 'Following' : `${userName}, following`} on from ${earlierTopic}:`;
  }
  return userName === undefined ? '' : `${userName}, here is what I think.`;
}

function describeImages({ images, isChinese }: Conversation): string {
  if (images.length === 0) return '';
  if (isChinese) return `我收到了 ${images.length} 张图片：${images.join('、')}。`;
  const list = images.length === 1 ? images[0] : `${images.slice(0, -1).join(', ')} and ${images.at(-1)}`;
  return `I received ${list}.`;
}

function reportToolResults({ toolResults, userName }: Conversation, dice: Dice): string {
  const opening = userName === undefined ? 'Here is what I found.' : `${userName}, here is what I found.`;
  const closing = dice.pick([
    'Let me know if you need anything else.',
    'Does that answer your question?',
    'Tell me if I should look further.',
  ]);
  const reports = toolResults.map((result) => `According to ${result.name}, ${describeResult(result)}.`);
  return `${opening} ${reports.join(' ')}\n\n${closing}`;
}

function describeResult({ content }: ToolResult): string {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return `the result is “${content.slice(0, 400).trim().replace(/\.$/, '')}”`;
  }
  const facts = listFacts(value, '').slice(0, 12);
  return facts.length === 0 ? 'there is no result' : facts.join(', ');
}

function listFacts(value: unknown, name: string): string[] {
  const label = name === '' ? 'the result' : name.replaceAll('_', ' ');
  if (typeof value !== 'object' || value === null) return [`${label} is ${String(value)}`];
  return Object.entries(value).flatMap(([key, member]) => {
    const inner = Array.isArray(value) ? `${name === '' ? 'item' : name} ${Number(key) + 1}` : key;
    return listFacts(member, inner);
  });
}

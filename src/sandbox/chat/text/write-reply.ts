import { abbreviate } from '../../../lib/text.ts';
import type { Dice } from '../../random.ts';
import type { Conversation, ToolResult } from './conversation.ts';
import { answerExactly } from './exact-answers.ts';
import phrases from './phrases.json' with { type: 'json' };
import { createDeck, fill, type Slots } from './sentences.ts';
import { writeText } from './texts.ts';

/** Writes what a model might answer: about the prompt, in its language, of the length that it asks for. */
export function writeReply(conversation: Conversation, dice: Dice): string {
  const { prompt, topics, wantsShortText, isChinese, toolResults } = conversation;
  if (toolResults.length > 0) return reportToolResults(conversation, dice);
  const seen = describeImages(conversation);
  const exact = answerExactly(conversation, dice);
  if (exact === undefined && isChinese) return seen + writeChinese(conversation, dice);
  const opening = exact === undefined ? [seen, recallEarlier(conversation)] : [seen];
  const text =
    exact ?? writeText({ prompt, topics, wantsShortText, dice, slots: toSlots(conversation, dice) });
  return [opening.filter((part) => part !== '').join(' '), text].filter((part) => part !== '').join('\n\n');
}

const thoughtsByEffort: ReadonlyMap<string, number> = new Map([
  ['minimal', 0],
  ['low', 1],
  ['high', 8],
]);

/** What a model might think before it answers: the more effort, the more thoughts. */
export function writeReasoning(conversation: Conversation, dice: Dice, effort: string | undefined): string {
  const slots = toSlots(conversation, dice);
  const length = thoughtsByEffort.get(effort ?? '') ?? 2;
  const thoughts = Array.from({ length }, createDeck(phrases.thoughts, slots, dice));
  return [fill(dice.pick(phrases.firstThoughts), slots), ...thoughts, dice.pick(phrases.lastThoughts)].join(
    ' ',
  );
}

function toSlots({ topics, earlierTopic }: Conversation, dice: Dice): Slots {
  const [t = earlierTopic ?? dice.pick(phrases.topics), u = dice.pick(phrases.secondTopics)] = topics;
  return { t, u };
}

function writeChinese({ prompt, userName }: Conversation, dice: Dice): string {
  const { openers, bodies, closers } = phrases.chinese;
  const bare = prompt.replace(
    /^(请|你能|能否|帮我|给我|告诉我|介绍|解释|谈谈|写|一下|一篇|关于|什么是|为什么|如何|怎么)+/,
    '',
  );
  const clause = /[\p{L}\p{N}]+/u.exec(bare)?.[0] ?? '这个问题';
  const slots = { t: abbreviate(clause.replace(/的(文章|故事|作文)$/, ''), 12) };
  const body = createDeck(bodies, slots, dice);
  const isLong = /文章|作文|故事|详细|长文|\d+\s*字/.test(prompt);
  const paragraphs = Array.from({ length: isLong ? 6 : 1 }, () => body() + body() + (isLong ? body() : ''));
  const greeting = userName === undefined ? '' : `${userName}，`;
  return (
    greeting + [fill(dice.pick(openers), slots), ...paragraphs, dice.pick(closers)].join(isLong ? '\n\n' : '')
  );
}

/** A sentence that shows that the model has read the earlier messages. */
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
  return `I received ${new Intl.ListFormat('en-US').format(images)}.`;
}

function reportToolResults({ toolResults, userName }: Conversation, dice: Dice): string {
  const opening = userName === undefined ? 'Here is what I found.' : `${userName}, here is what I found.`;
  const reports = toolResults.map((result) => `According to ${result.name}, ${describeResult(result)}.`);
  return `${opening} ${reports.join(' ')}\n\n${dice.pick(phrases.toolClosers)}`;
}

function describeResult({ content }: ToolResult): string {
  try {
    const value: unknown = JSON.parse(content);
    return listFacts(value, '').slice(0, 12).join(', ') || 'there is no result';
  } catch {
    return `the result is “${abbreviate(content.trim(), 400).replace(/\.$/, '')}”`;
  }
}

function listFacts(value: unknown, name: string): string[] {
  if (typeof value !== 'object' || value === null) {
    return [`${name.replaceAll('_', ' ') || 'the result'} is ${String(value)}`];
  }
  return Object.entries(value).flatMap(([key, member]) =>
    listFacts(member, Array.isArray(value) ? `${name || 'item'} ${Number(key) + 1}` : key),
  );
}

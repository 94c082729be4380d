import { describeImageUrl } from '../image-parts.ts';
import type { ChatMessage } from '../request.ts';
import { findTopics } from './topics.ts';

/** The parts of the messages that the sandbox understands. */
export interface Conversation {
  /** The last user message. */
  readonly prompt: string;
  readonly topics: readonly string[];
  /** Earlier user messages, oldest first. */
  readonly earlierPrompts: readonly string[];
  readonly earlierTopic: string | undefined;
  readonly userName: string | undefined;
  /** The assistant's name, from a system message. */
  readonly persona: string | undefined;
  readonly wantsShortText: boolean;
  readonly isChinese: boolean;
  readonly images: readonly string[];
  /** The tool results since the last user message. */
  readonly toolResults: readonly ToolResult[];
}

/** Only this many characters of a message are searched. The request is usually at the beginning. */
const maxLength = 20_000;

export interface ToolResult {
  readonly name: string;
  readonly content: string;
}

export function readConversation(messages: readonly ChatMessage[]): Conversation {
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  const last = messages[lastUser] ?? messages.at(-1);
  const prompt = last ? toReadText(last) : '';
  const earlierPrompts = messages
    .slice(0, Math.max(lastUser, 0))
    .filter(({ role }) => role === 'user')
    .map(toReadText)
    .filter((text) => text.trim() !== '');
  const instructions = messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(toReadText)
    .join('\n');
  const userName = findUserName([...earlierPrompts, prompt]) ?? last?.name;
  const isTopic = (topic: string): boolean => topic !== userName;
  return {
    prompt,
    topics: findTopics(prompt).filter(isTopic),
    earlierPrompts,
    earlierTopic: earlierPrompts.toReversed().flatMap(findTopics).find(isTopic),
    userName,
    persona: /\b[Yy]ou are (?:called |named )?([A-Z][\p{L}-]+)\b/u.exec(instructions)?.[1],
    wantsShortText: /\b(brief(ly)?|concise(ly)?|short(ly)?|one sentence|in a sentence)\b/i.test(
      `${instructions}\n${prompt}`,
    ),
    isChinese: /\p{Script=Han}/u.test(prompt) && !/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(prompt),
    images: last ? listImages(last) : [],
    toolResults: lastUser < messages.length - 1 ? listToolResults(messages, lastUser + 1) : [],
  };
}

function toReadText(message: ChatMessage): string {
  return toText(message).slice(0, maxLength).toWellFormed();
}

/** The text of a message, its parts joined by line breaks. */
export function toText({ content }: ChatMessage): string {
  if (typeof content === 'string') return content;
  return (content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

function findUserName(prompts: readonly string[]): string | undefined {
  // "I am tired" is not an introduction: a name starts with a capital letter.
  const patterns = [
    /\b(?:[Mm]y name is|[Mm]y name's|[Cc]all me|[Ii] am|[Ii]['’]m)\s+(\p{Lu}[\p{L}'-]*)/u,
    /我(?:叫|的名字是)\s*(\p{L}{1,8})/u,
  ];
  const latest = prompts.toReversed();
  const names = patterns.flatMap((pattern) => latest.map((prompt) => pattern.exec(prompt)?.[1]));
  return names.find((name) => name !== undefined);
}

function listImages({ content }: ChatMessage): string[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) =>
    part.type === 'image_url' ? (describeImageUrl(part.image_url.url) ?? []) : [],
  );
}

function listToolResults(messages: readonly ChatMessage[], from: number): ToolResult[] {
  const names = new Map(
    messages.flatMap((message) => message.tool_calls ?? []).map((call) => [call.id, call.function.name]),
  );
  return messages
    .slice(from)
    .filter(({ role }) => role === 'tool')
    .map((message) => ({
      name: names.get(message.tool_call_id ?? '') ?? message.name ?? 'the tool',
      content: toText(message),
    }));
}

import { asRecord, stringifyJson } from '../../lib/json.ts';
import { limitTime } from '../json-schema/time-limit.ts';
import { createDice, type Dice } from '../random.ts';
import type { ModelName } from './model-name.ts';
import { countTokens, splitPieces } from './pieces.ts';
import { countChoiceTokens, sum, type Annotation, type Choice, type Reply, type ToolCall } from './reply.ts';
import type { ChatMessage, ChatRequest } from './request.ts';
import { invalidSchema, writeStructured } from './structured-output.ts';
import { readConversation, toText, type Conversation } from './text/conversation.ts';
import { writeReasoning, writeReply } from './text/write-reply.ts';
import { chooseToolCalls } from './tools.ts';
import { citeSources } from './web-search.ts';

export interface ReplyOptions {
  readonly request: ChatRequest;
  readonly name: ModelName;
  readonly random: () => number;
  /** Descriptions of the files in the last message. @default its image parts */
  readonly received?: readonly string[];
}

/** Composes the whole answer to a chat request. The same request with the same seed has the same answer. */
export function composeReply({ request, name, random, received }: ReplyOptions): Reply {
  const read = readConversation(request.messages);
  const conversation = { ...read, images: received ?? read.images };
  const seed = toSeed(request, random);
  const compose = (): Choice[] => {
    const texts = new Set<string>();
    return Array.from({ length: request.n ?? 1 }, (_, index) => {
      const write = (dice: Dice): Draft => writeDraft({ request, name, conversation }, dice);
      return limitDraft(writeDistinct(write, `${seed}/${index}`, texts), request, index);
    });
  };
  const choices = composeWithinLimit(request, compose);
  return {
    choices,
    usage: {
      promptTokens: countPromptTokens(request),
      completionTokens: sum(choices.map(countChoiceTokens)),
      reasoningTokens: sum(choices.map(({ reasoning }) => reasoning.length)),
    },
  };
}

/** Limits the time, because a caller's JSON Schema or its patterns could block the sandbox. */
function composeWithinLimit(request: ChatRequest, compose: () => Choice[]): Choice[] {
  const hasSchema = request.response_format ?? request.tools ?? request.functions;
  try {
    return hasSchema ? limitTime(compose) : compose();
  } catch (error) {
    throw invalidSchema(request.response_format ? 'response_format' : 'tools', error);
  }
}

interface Draft {
  readonly reasoning: string;
  readonly text: string;
  readonly annotations: readonly Annotation[];
  readonly calls: readonly ToolCall[];
  /** Whether the text must stay as it is, because a schema describes it. */
  readonly isStructured: boolean;
}

const distinctAttempts = 8;

/** Writes a draft whose text differs from the earlier ones, unless a schema fixes it. */
function writeDistinct(write: (dice: Dice) => Draft, seed: string, texts: Set<string>): Draft {
  let draft = write(createDice(seed));
  for (let attempt = 1; texts.has(draft.text) && attempt < distinctAttempts; attempt += 1) {
    draft = write(createDice(`${seed}/${attempt}`));
  }
  const { text, isStructured } = draft;
  if (texts.has(text) && !isStructured) draft = { ...draft, text: `${text}\n\n(Answer ${texts.size + 1})` };
  if (text !== '') texts.add(draft.text);
  return draft;
}

interface Task {
  readonly request: ChatRequest;
  readonly name: ModelName;
  readonly conversation: Conversation;
}

function writeDraft({ request, name, conversation }: Task, dice: Dice): Draft {
  const effort = request.reasoning_effort ?? name.effort;
  const reasoning = isThinking(request, name) ? writeReasoning(conversation, dice, effort) : '';
  const plain = { reasoning, text: '', annotations: [], calls: [], isStructured: false };
  const calls = chooseToolCalls(request, conversation, dice);
  if (calls.length > 0) return { ...plain, calls };
  const structured = writeStructured(request, conversation, dice);
  if (structured !== undefined) return { ...plain, text: structured, isStructured: true };
  const text = writeReply(conversation, dice);
  if (!name.isSearch && request.web_search_options === undefined) return { ...plain, text };
  const size = request.web_search_options?.search_context_size ?? 'medium';
  const topic = conversation.topics[0] ?? 'your question';
  return { ...plain, ...citeSources(text, topic, { size, dice }) };
}

function isThinking({ enable_thinking, extra_body }: ChatRequest, name: ModelName): boolean {
  const google = extra_body?.google;
  const config = asRecord(google?.['thinking_config'] ?? google?.['thinkingConfig']) ?? {};
  const flags = [
    config['include_thoughts'],
    config['includeThoughts'],
    enable_thinking,
    extra_body?.enable_thinking,
  ];
  return name.isThinking || flags.includes(true);
}

/** Applies `stop` to the text, then the token limits to all of it. */
function limitDraft(draft: Draft, request: ChatRequest, index: number): Choice {
  let left = request.max_completion_tokens ?? request.max_tokens ?? Infinity;
  let isCut = false;
  const take = (pieces: readonly string[]): readonly string[] => {
    const taken = pieces.slice(0, left);
    isCut ||= taken.length < pieces.length;
    left -= taken.length;
    return taken;
  };
  const reasoning = take(splitPieces(draft.reasoning));
  const content = take(splitPieces(cutBeforeStop(draft.text, request.stop)));
  // Without tokens left, a further call does not start.
  const calls = draft.calls.flatMap((call) => {
    isCut ||= left <= 0;
    return isCut ? [] : [{ ...call, arguments: take(call.arguments) }];
  });
  const isLegacy = request.functions !== undefined && request.tools === undefined;
  const { length } = content.join('');
  const done = calls.length === 0 ? 'stop' : isLegacy ? 'function_call' : 'tool_calls';
  return {
    index,
    reasoning,
    content,
    calls,
    isLegacy,
    annotations: draft.annotations.filter(({ url_citation: { end_index } }) => end_index <= length),
    finishReason: isCut ? 'length' : done,
  };
}

function cutBeforeStop(text: string, stop: ChatRequest['stop']): string {
  // The document allows an empty string, but does not say what it stops.
  const words = [stop ?? []].flat().filter((word) => word !== '');
  const ends = words.map((word) => text.indexOf(word));
  return text.slice(0, Math.min(text.length, ...ends.filter((at) => at >= 0)));
}

/** The seed of a reply. Members that only limit or stream the reply do not change it. */
function toSeed(request: ChatRequest, random: () => number): string {
  const { seed, temperature } = request;
  const { model, messages, tools, functions, tool_choice: choice, response_format: format } = request;
  const isRandom = seed === undefined && temperature !== 0;
  const start = isRandom ? `random ${random()} ${random()}` : `seed ${String(seed)}`;
  return `${start} ${stringifyJson([model, messages, tools, functions, choice, format])}`;
}

const tokensPerMessage = 4;
const tokensPerImage = { low: 85, auto: 255, high: 765 } as const;

function countPromptTokens({ messages, tools = [], functions = [] }: ChatRequest): number {
  const declared = [...tools, ...functions].map((item) => countTokens(stringifyJson(item)));
  return sum([...messages.map(countMessageTokens), ...declared]);
}

function countMessageTokens(message: ChatMessage): number {
  const parts = Array.isArray(message.content) ? message.content : [];
  const images = parts.map((part) =>
    part.type === 'image_url' ? tokensPerImage[part.image_url.detail ?? 'auto'] : 0,
  );
  const calls = (message.tool_calls ?? []).map((call) => call.function.name + call.function.arguments);
  const texts = [toText(message), message.reasoning_content ?? '', ...calls];
  return tokensPerMessage + sum(images) + sum(texts.map(countTokens));
}

import { stringifyExactJson } from '../http/exact-json.ts';
import { limitTime } from '../json-schema/time-limit.ts';
import { createDice, type Dice } from '../random.ts';
import type { ModelName } from './model-name.ts';
import { countTokens, splitPieces } from './pieces.ts';
import { countChoiceTokens, type Annotation, type Choice, type Reply, type ToolCall } from './reply.ts';
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
  /** What came along with the last message beside text, described; by default its image parts. */
  readonly received?: readonly string[];
}

/** Composes the whole answer to a chat request. The same request with the same seed gives the same answer. */
export function composeReply({ request, name, random, received }: ReplyOptions): Reply {
  const read = readConversation(request.messages);
  const conversation = { ...read, images: received ?? read.images };
  const seed = toSeed(request, random);
  const compose = (): Choice[] => {
    const texts = new Set<string>();
    return Array.from({ length: request.n ?? 1 }, (_, index) =>
      composeChoice({ request, name, conversation }, { seed, index, texts }),
    );
  };
  const choices = composeWithinLimit(request, compose);
  return {
    choices,
    usage: {
      promptTokens: countPromptTokens(request),
      completionTokens: choices.reduce((sum, choice) => sum + countChoiceTokens(choice), 0),
      reasoningTokens: choices.reduce((sum, choice) => sum + choice.reasoning.length, 0),
    },
  };
}

/** A JSON Schema and its patterns come from the caller: they must not keep the sandbox busy. */
function composeWithinLimit(request: ChatRequest, compose: () => Choice[]): Choice[] {
  const hasSchema = request.response_format ?? request.tools ?? request.functions;
  try {
    return hasSchema ? limitTime(compose) : compose();
  } catch (error) {
    throw invalidSchema(request.response_format ? 'response_format' : 'tools', error);
  }
}

interface Task {
  readonly request: ChatRequest;
  readonly name: ModelName;
  readonly conversation: Conversation;
}

interface Draft {
  readonly reasoning: string;
  readonly text: string;
  readonly annotations: readonly Annotation[];
  readonly calls: readonly ToolCall[];
}

const distinctAttempts = 8;

/** A choice unlike the ones before it, as far as the prompt leaves room for another answer. */
function composeChoice(task: Task, place: { seed: string; index: number; texts: Set<string> }): Choice {
  const { seed, index, texts } = place;
  let draft = writeDraft(task, createDice(`${seed}/${index}`));
  for (
    let attempt = 1;
    texts.has(draft.text) && draft.text !== '' && attempt < distinctAttempts;
    attempt += 1
  ) {
    draft = writeDraft(task, createDice(`${seed}/${index}/${attempt}`));
  }
  const isPlainText =
    task.request.response_format === undefined || task.request.response_format.type === 'text';
  if (texts.has(draft.text) && draft.text !== '' && isPlainText) {
    draft = { ...draft, text: `${draft.text}\n\n(Answer ${index + 1})` };
  }
  texts.add(draft.text);
  return limitDraft(draft, task.request, index);
}

function writeDraft({ request, name, conversation }: Task, dice: Dice): Draft {
  const effort = request.reasoning_effort ?? name.effort;
  const reasoning = isThinking(request, name) ? writeReasoning(conversation, dice, effort) : '';
  const calls = chooseToolCalls(request, conversation, dice);
  if (calls.length > 0) return { reasoning, text: '', annotations: [], calls };
  const structured = writeStructured(request, conversation, dice);
  if (structured !== undefined) return { reasoning, text: structured, annotations: [], calls };
  const text = writeReply(conversation, dice);
  if (!name.isSearch && request.web_search_options === undefined)
    return { reasoning, text, annotations: [], calls };
  const size = request.web_search_options?.search_context_size ?? 'medium';
  const topic = conversation.topics[0] ?? 'your question';
  return { reasoning, ...citeSources(text, topic, { size, dice }), calls };
}

function isThinking({ enable_thinking, extra_body }: ChatRequest, name: ModelName): boolean {
  const google = extra_body?.google;
  const config = google?.['thinking_config'] ?? google?.['thinkingConfig'];
  const includesThoughts =
    typeof config === 'object' &&
    config !== null &&
    Object.entries(config).some(([key, value]) => /^include_?thoughts$/i.test(key) && value === true);
  return (
    name.isThinking || enable_thinking === true || extra_body?.enable_thinking === true || includesThoughts
  );
}

/** Applies `stop` to the text, then the token limits to all of it. */
function limitDraft(draft: Draft, request: ChatRequest, index: number): Choice {
  const text = cutBeforeStop(draft.text, request.stop);
  let left = request.max_completion_tokens ?? request.max_tokens ?? Infinity;
  let isCut = false;
  const take = (pieces: readonly string[]): readonly string[] => {
    const taken = pieces.length > left ? pieces.slice(0, left) : pieces;
    isCut ||= taken.length < pieces.length;
    left -= taken.length;
    return taken;
  };
  const reasoning = take(splitPieces(draft.reasoning));
  const content = take(splitPieces(text));
  // A call that nothing is left for was never begun.
  const calls = draft.calls.flatMap((call) => {
    isCut ||= left <= 0;
    return isCut ? [] : [{ ...call, arguments: take(call.arguments) }];
  });
  const length = content.reduce((sum, piece) => sum + piece.length, 0);
  const isLegacy = request.functions !== undefined && request.tools === undefined;
  const done = calls.length === 0 ? 'stop' : isLegacy ? 'function_call' : 'tool_calls';
  return {
    index,
    reasoning,
    content,
    toolCalls: isLegacy ? [] : calls,
    functionCall: isLegacy ? calls[0] : undefined,
    annotations: draft.annotations.filter(({ url_citation: { end_index } }) => end_index <= length),
    finishReason: isCut ? 'length' : done,
  };
}

function cutBeforeStop(text: string, stop: ChatRequest['stop']): string {
  const words = typeof stop === 'string' ? [stop] : (stop ?? []);
  const ends = words.map((word) => text.indexOf(word)).filter((at) => at >= 0);
  return ends.length === 0 ? text : text.slice(0, Math.min(...ends));
}

/** What a reply depends on: how it is sent and where it is cut off do not change it. */
function toSeed(request: ChatRequest, random: () => number): string {
  const { seed, temperature } = request;
  const { model, messages, tools, functions, tool_choice: choice, response_format: format } = request;
  const start =
    seed === undefined && temperature !== 0 ? `random ${random()} ${random()}` : `seed ${String(seed)}`;
  return `${start} ${stringifyExactJson([model, messages, tools, functions, choice, format])}`;
}

const tokensPerMessage = 4;
const tokensPerImage = { low: 85, auto: 255, high: 765 } as const;

function countPromptTokens({ messages, tools, functions }: ChatRequest): number {
  const declared = [...(tools ?? []), ...(functions ?? [])].map((item) =>
    countTokens(stringifyExactJson(item)),
  );
  return [...messages.map(countMessageTokens), ...declared].reduce((sum, count) => sum + count, 0);
}

function countMessageTokens(message: ChatMessage): number {
  const images = Array.isArray(message.content)
    ? message.content.map((part) =>
        part.type === 'image_url' ? tokensPerImage[part.image_url.detail ?? 'auto'] : 0,
      )
    : [];
  const calls = (message.tool_calls ?? []).map((call) =>
    countTokens(call.function.name + call.function.arguments),
  );
  const texts = [toText(message), message.reasoning_content ?? ''].map(countTokens);
  return [...images, ...calls, ...texts].reduce((sum, count) => sum + count, tokensPerMessage);
}

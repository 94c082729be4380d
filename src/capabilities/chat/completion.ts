import type { Json } from '../../lib/json.ts';

export type ChatRole = 'system' | 'user' | 'assistant' | 'tool' | 'developer';

export interface ToolCall {
  readonly index: number;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  /** JSON text, incomplete while the reply streams. */
  readonly arguments?: string | undefined;
  /** Data of the upstream that a client sends back with the call, such as a thought signature. */
  readonly extraContent?: Json | undefined;
}

/** The older form of a tool call. Some models still send it. */
export interface FunctionCall {
  readonly name?: string | undefined;
  readonly arguments?: string | undefined;
}

/** An image of a reply. */
export interface ChatImage {
  /** Address or data URI. */
  readonly url: string;
  /** Length of `content` before it, in the same delta or state. */
  readonly offset: number;
}

/** Text of one choice, per channel. In a delta: the text to append. */
interface ChatText {
  readonly role?: ChatRole | undefined;
  readonly content?: string | undefined;
  readonly images?: readonly ChatImage[] | undefined;
  readonly reasoningContent?: string | undefined;
  readonly refusal?: string | undefined;
  readonly toolCalls?: readonly ToolCall[] | undefined;
  readonly functionCall?: FunctionCall | undefined;
  readonly finishReason?: string | undefined;
}

export interface ChatChoice extends ChatText {
  readonly index: number;
}

/** The part that one upstream event added. */
export interface ChatDelta {
  readonly model?: string | undefined;
  readonly choices: readonly ChatChoice[];
}

/** A reply, complete or so far. */
export interface ChatState {
  readonly model?: string | undefined;
  /** In order of `index`. */
  readonly choices: readonly ChatChoice[];
}

export const emptyChat: ChatState = { choices: [] };

/** Merges consecutive deltas into one. */
export function mergeDeltas(deltas: readonly ChatDelta[]): ChatDelta {
  return deltas.reduce<ChatState>(applyDelta, emptyChat);
}

/** A choice of a delta that only appends this content. */
export function toTextChoice(index: number, content: string): ChatChoice {
  return {
    index,
    role: undefined,
    content,
    images: undefined,
    reasoningContent: undefined,
    refusal: undefined,
    toolCalls: undefined,
    functionCall: undefined,
    finishReason: undefined,
  };
}

/** Applies a delta: text is appended; role, ids, names and finish reason are set once. */
export function applyDelta(state: ChatState, delta: ChatDelta): ChatState {
  const [known] = state.choices;
  const [added] = delta.choices;
  const model = state.model ?? delta.model;
  // Fast path: almost every delta is one fragment of the only choice.
  if (state.choices.length === 1 && delta.choices.length === 1 && known && known.index === added?.index) {
    return { model, choices: [appendChoice(known, added)] };
  }
  let choices = state.choices;
  for (const addition of delta.choices) choices = appendByIndex(choices, addition, appendChoice);
  return { model, choices };
}

function appendByIndex<Item extends { readonly index: number }>(
  items: readonly Item[],
  addition: Item,
  append: (item: Item, addition: Item) => Item,
): readonly Item[] {
  const place = items.findIndex((item) => item.index >= addition.index);
  if (place === -1) return [...items, addition];
  const item = items[place];
  return item?.index === addition.index
    ? items.with(place, append(item, addition))
    : items.toSpliced(place, 0, addition);
}

function appendChoice(choice: ChatChoice, addition: ChatChoice): ChatChoice {
  return {
    index: choice.index,
    role: choice.role ?? addition.role,
    content: appendText(choice.content, addition.content),
    images: addition.images ? appendImages(choice, addition.images) : choice.images,
    reasoningContent: appendText(choice.reasoningContent, addition.reasoningContent),
    refusal: appendText(choice.refusal, addition.refusal),
    toolCalls: appendToolCalls(choice.toolCalls, addition.toolCalls),
    functionCall: appendFunctionCall(choice.functionCall, addition.functionCall),
    finishReason: addition.finishReason ?? choice.finishReason,
  };
}

function appendText(text: string | undefined, addition: string | undefined): string | undefined {
  if (addition === undefined) return text;
  return text === undefined ? addition : text + addition;
}

function appendImages(
  { content = '', images = [] }: ChatChoice,
  additions: readonly ChatImage[],
): readonly ChatImage[] {
  return [...images, ...additions.map(({ url, offset }) => ({ url, offset: content.length + offset }))];
}

/** Merges parts of tool calls into one list in order of `index`, as deltas and states hold them. */
export function joinToolCalls(parts: readonly ToolCall[]): readonly ToolCall[] {
  if (parts.length < 2) return parts;
  const calls = new Map<number, ToolCall>();
  for (const part of parts) {
    const known = calls.get(part.index);
    calls.set(part.index, known ? appendToolCall(known, part) : part);
  }
  return [...calls.values()].sort((a, b) => a.index - b.index);
}

function appendToolCalls(
  calls: readonly ToolCall[] | undefined,
  additions: readonly ToolCall[] | undefined,
): readonly ToolCall[] | undefined {
  if (!additions || !calls) return additions ?? calls;
  const [addition] = additions;
  return addition && additions.length === 1
    ? appendByIndex(calls, addition, appendToolCall)
    : joinToolCalls([...calls, ...additions]);
}

function appendToolCall(call: ToolCall, addition: ToolCall): ToolCall {
  return {
    index: call.index,
    id: call.id ?? addition.id,
    ...appendFunctionCall(call, addition),
    extraContent: call.extraContent ?? addition.extraContent,
  };
}

function appendFunctionCall<Call extends FunctionCall>(
  call: Call | undefined,
  addition: Call | undefined,
): FunctionCall | undefined {
  if (!call || !addition) return call ?? addition;
  return { name: call.name ?? addition.name, arguments: appendText(call.arguments, addition.arguments) };
}

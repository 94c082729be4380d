import { append } from '../../lib/append.ts';
import { asArray, asRecord, isRecord, type Json } from '../../lib/json.ts';
import { LazyMap } from '../../lib/lazy-map.ts';
import type { ChatChoice, ChatState, ToolCall } from './completion.ts';
import { imageUrlOf } from './image-parts.ts';
import { RoomForMembers } from './room-for-members.ts';

/** Size of the members without a field that a reply keeps. Later ones are dropped. */
const maxExtraChars = 8 * 1024 * 1024;

type Members = Readonly<Record<string, unknown>>;

/** Assembles the chunks of a reply into one document, with the members that have no field in the graph. */
export interface RawReply {
  /** Takes a chunk, except for its choices. */
  addChunk(chunk: Members): void;
  /** Takes a choice of a chunk. */
  addChoice(index: number, choice: Members): void;
  /** Takes members of a part of a tool call. */
  addCall(place: CallPlace, members: Members): void;
  /** Undefined before the first chunk. */
  toDocument(state: ChatState): Json | undefined;
}

export interface CallPlace {
  readonly choice: number;
  readonly call: number;
}

type Extras<Key> = LazyMap<Key, Map<string, unknown>>;

/** A part of a list of contents that is not text. */
interface ContentPart {
  /** How many images of its choice came before it. */
  readonly images: number;
  readonly part: unknown;
}

const typedMembers: ReadonlySet<string> = new Set([
  'role',
  'content',
  'reasoning_content',
  'reasoning',
  'refusal',
  'tool_calls',
  'function_call',
]);
const typedChoiceMembers: ReadonlySet<string> = new Set([
  'index',
  'delta',
  'message',
  'finish_reason',
  'text',
]);
const typedCallMembers: ReadonlySet<string> = new Set(['index', 'id', 'function', 'extra_content']);
const typedFunctionMembers: ReadonlySet<string> = new Set(['name', 'arguments']);

export function createRawReply(): RawReply {
  const room = new RoomForMembers(maxExtraChars);
  const envelope = new Map<string, unknown>();
  const ofMessages: Extras<number> = new LazyMap();
  const ofChoices: Extras<number> = new LazyMap();
  const ofCalls: Extras<string> = new LazyMap();
  const ofFunctions: Extras<string> = new LazyMap();
  const parts = new LazyMap<number, ContentPart[]>();
  const imageCounts = new LazyMap<number, number>();
  let hasRead = false;
  const keepAll = <Key>(
    extras: Extras<Key>,
    key: Key,
    members: Members,
    typed: ReadonlySet<string>,
  ): void => {
    for (const name in members) {
      const value = members[name];
      if (value === null || value === undefined || typed.has(name)) continue;
      const kept = extras.get(key) ?? new Map<string, unknown>();
      extras.set(key, kept);
      room.keep(kept, name, value, true);
    }
  };
  const keepParts = (index: number, { content, images: listed }: Members): void => {
    if (!Array.isArray(content) && !Array.isArray(listed)) return;
    let images = imageCounts.get(index) ?? 0;
    for (const part of asArray(content)) {
      if (typeof asRecord(part)?.['text'] === 'string') continue;
      if (room.take(part)) parts.set(index, append(parts.get(index) ?? [], { images, part }));
      if (imageUrlOf(part) !== undefined) images += 1;
    }
    for (const item of asArray(listed)) if (imageUrlOf(item) !== undefined) images += 1;
    imageCounts.set(index, images);
  };
  const toCall = (choice: number, { index: call, id, name, arguments: text, extraContent }: ToolCall) => {
    const key = keyOf({ choice, call });
    return {
      id,
      type: 'function',
      function: { name, arguments: text ?? '', ...toMembers(ofFunctions.get(key)) },
      extra_content: extraContent,
      ...toMembers(ofCalls.get(key)),
    };
  };
  const toChoice = (choice: ChatChoice) => ({
    index: choice.index,
    message: {
      role: choice.role,
      content: toContent(choice, parts.get(choice.index)) ?? choice.content ?? null,
      reasoning_content: choice.reasoningContent,
      refusal: choice.refusal,
      tool_calls: choice.toolCalls?.map((call) => toCall(choice.index, call)),
      function_call: choice.functionCall,
      ...toMembers(ofMessages.get(choice.index)),
    },
    finish_reason: choice.finishReason ?? null,
    ...toMembers(ofChoices.get(choice.index)),
  });

  return {
    addChunk(chunk) {
      hasRead = true;
      for (const name in chunk) {
        const value = chunk[name];
        // Counts and the like: the last chunk has the final ones.
        if (name !== 'choices' && value !== null && value !== undefined)
          room.keep(envelope, name, value, false);
      }
    },
    addChoice(index, choice) {
      const { delta, message } = choice;
      const body = isRecord(delta) ? delta : isRecord(message) ? message : {};
      keepParts(index, body);
      keepAll(ofMessages, index, body, typedMembers);
      keepAll(ofChoices, index, choice, typedChoiceMembers);
    },
    addCall(place, members) {
      const key = keyOf(place);
      keepAll(ofCalls, key, members, typedCallMembers);
      if (isRecord(members['function'])) keepAll(ofFunctions, key, members['function'], typedFunctionMembers);
    },
    toDocument(state) {
      if (!hasRead) return undefined;
      const whole = envelope.get('object') === 'chat.completion.chunk' ? { object: 'chat.completion' } : {};
      const document = { ...Object.fromEntries(envelope), ...whole, choices: state.choices.map(toChoice) };
      // The value holds parsed JSON and text only. Writing it drops undefined members.
      return document as unknown as Json;
    },
  };
}

function keyOf({ choice, call }: CallPlace): string {
  return `${choice}:${call}`;
}

/** A member named `__proto__` is ordinary data. */
function toMembers(kept: ReadonlyMap<string, unknown> = new Map()): Members {
  return Object.fromEntries(kept);
}

/** A list if the reply has parts that are not text. Images have their place in the text; other parts that of the next image. */
function toContent(
  { content = '', images = [] }: ChatChoice,
  parts: readonly ContentPart[] | undefined,
): unknown {
  if (!parts) return undefined;
  const list: unknown[] = [];
  let start = 0;
  const addText = (end: number): void => {
    if (end > start) list.push({ type: 'text', text: content.slice(start, end) });
    start = end;
  };
  for (const { images: before, part } of parts) {
    addText(images[before]?.offset ?? content.length);
    list.push(part);
  }
  addText(content.length);
  return list;
}

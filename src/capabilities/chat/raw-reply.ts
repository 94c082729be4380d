import { append } from '../../lib/append.ts';
import { asArray, asId, asJsonObject, asRecord, isList, isRecord, type Json } from '../../lib/json.ts';
import type { ChatChoice, ChatState, ToolCall } from './completion.ts';
import { imageUrlOf, withInserts } from './image-parts.ts';
import { RoomForMembers } from './room-for-members.ts';
import { decodeRole } from './wire.ts';

/** Size of the members without a field that a reply keeps. Later ones are dropped. */
const maxExtraChars = 8 * 1024 * 1024;

type Members = Readonly<Record<string, unknown>>;

interface CallPlace {
  readonly choice: number;
  readonly call: number;
}

/** What a reply has that most replies have not. */
class Extras {
  readonly messages: ExtrasByKey = new Map();
  readonly choices: ExtrasByKey = new Map();
  readonly calls: ExtrasByKey = new Map();
  readonly functions: ExtrasByKey = new Map();
  readonly parts = new Map<number, ContentPart[]>();
  readonly imageCounts = new Map<number, number>();
}

type Kept = Map<string, unknown>;
/** By the index of a choice, or by `keyOf` of a call. */
type ExtrasByKey = Map<number | string, Kept>;

/** A part of a list of contents that is not text. */
interface ContentPart {
  /** How many images of its choice came before it. */
  readonly images: number;
  readonly part: unknown;
}

type Kind = 'messages' | 'choices' | 'calls' | 'functions';
type Test = (value: unknown) => boolean;

const isText: Test = (value) => typeof value === 'string';
const isAny: Test = () => true;

/** Members that the document gets from the state, if their value is of this type. */
const typedMembers: Readonly<Record<Kind, ReadonlyMap<string, Test>>> = {
  messages: new Map<string, Test>([
    ['role', (value) => value === '' || decodeRole(value) !== undefined],
    ['content', (value) => isText(value) || isList(value)],
    ['reasoning_content', isText],
    ['reasoning', isText],
    ['refusal', isText],
    ['tool_calls', isList],
    ['function_call', isRecord],
  ]),
  choices: new Map<string, Test>([
    ['index', isAny],
    ['delta', isRecord],
    ['message', isRecord],
    ['finish_reason', isText],
    ['text', isText],
  ]),
  calls: new Map<string, Test>([
    ['index', isAny],
    ['id', (value) => isText(value) || asId(value) !== undefined],
    ['function', isRecord],
    ['extra_content', isRecord],
  ]),
  functions: new Map<string, Test>([
    ['name', isText],
    ['arguments', isAny],
  ]),
};

/**
 * Assembles the chunks of a reply into one document, with the members that have no field in the graph. A class: every stream
 * holds one, and closures take more memory.
 */
export class RawReply {
  readonly #room = new RoomForMembers(maxExtraChars);
  #envelope: Kept | undefined;
  #extras: Extras | undefined;

  /** Takes a chunk, except for its choices. */
  addChunk(chunk: Members): void {
    this.#envelope ??= new Map();
    for (const name in chunk) {
      const value = chunk[name];
      // Counts and the like: the last chunk has the final ones.
      if (name !== 'choices' && value !== null && value !== undefined)
        this.#room.keep(this.#envelope, name, value, false);
    }
  }

  /** Takes a choice of a chunk. */
  addChoice(index: number, choice: Members): void {
    const { delta, message } = choice;
    const body = isRecord(delta) ? delta : isRecord(message) ? message : {};
    this.#keepParts(index, body);
    this.#keepAll('messages', index, body);
    this.#keepAll('choices', index, choice);
  }

  /** Takes members of a part of a tool call. */
  addCall(place: CallPlace, members: Members): void {
    this.#keepAll('calls', keyOf(place), members);
    if (isRecord(members['function'])) this.#keepAll('functions', keyOf(place), members['function']);
  }

  /** Undefined before the first chunk. */
  toDocument(state: ChatState): Json | undefined {
    const envelope = this.#envelope;
    if (!envelope) return undefined;
    const whole = envelope.get('object') === 'chat.completion.chunk' ? { object: 'chat.completion' } : {};
    const choices = state.choices.map((choice) => this.#toChoice(choice));
    // The value holds parsed JSON and text only. Writing it drops undefined members.
    return asJsonObject({ ...Object.fromEntries(envelope), ...whole, choices });
  }

  #keepAll(of: Kind, key: number | string, members: Members): void {
    for (const name in members) {
      const value = members[name];
      if (value === null || value === undefined || typedMembers[of].get(name)?.(value)) continue;
      const extras = (this.#extras ??= new Extras())[of];
      const kept: Kept = extras.get(key) ?? new Map<string, unknown>();
      extras.set(key, kept);
      this.#room.keep(kept, name, value, true);
    }
  }

  #keepParts(index: number, { content, images: listed }: Members): void {
    if (!Array.isArray(content) && !Array.isArray(listed)) return;
    const { parts, imageCounts } = (this.#extras ??= new Extras());
    let images = imageCounts.get(index) ?? 0;
    for (const part of asArray(content)) {
      if (typeof asRecord(part)?.['text'] === 'string') continue;
      if (this.#room.take(part)) parts.set(index, append(parts.get(index) ?? [], { images, part }));
      if (imageUrlOf(part) !== undefined) images += 1;
    }
    for (const item of asArray(listed)) if (imageUrlOf(item) !== undefined) images += 1;
    imageCounts.set(index, images);
  }

  #toChoice(choice: ChatChoice): Members {
    const { index } = choice;
    const extras = this.#extras;
    const message = {
      role: choice.role,
      content: toContent(choice, extras?.parts.get(index)) ?? choice.content ?? null,
      reasoning_content: choice.reasoningContent,
      refusal: choice.refusal,
      tool_calls: choice.toolCalls?.map((call) => this.#toCall(index, call)),
      function_call: choice.functionCall,
    };
    return withExtras(
      {
        index,
        message: withExtras(message, extras?.messages.get(index)),
        finish_reason: choice.finishReason ?? null,
      },
      extras?.choices.get(index),
    );
  }

  #toCall(choice: number, { index: call, id, name, arguments: text, extraContent }: ToolCall): Members {
    const key = keyOf({ choice, call });
    const extras = this.#extras?.calls.get(key);
    return withExtras(
      {
        id,
        type: extras?.get('type') ?? 'function',
        function: withExtras({ name, arguments: text ?? '' }, this.#extras?.functions.get(key)),
        extra_content: extraContent,
      },
      extras,
    );
  }
}

function keyOf({ choice, call }: CallPlace): string {
  return `${choice}:${call}`;
}

/** Adds what is kept to the members that are set. A member named `__proto__` is ordinary data. */
function withExtras(shown: Members, kept: ReadonlyMap<string, unknown> = new Map()): Members {
  const members = new Map(Object.entries(shown));
  for (const [name, value] of kept) if ((members.get(name) ?? null) === null) members.set(name, value);
  return Object.fromEntries(members);
}

/** A list if the reply has parts that are not text. Images have their place in the text; other parts that of the next image. */
function toContent(
  { content = '', images = [] }: ChatChoice,
  parts: readonly ContentPart[] | undefined,
): unknown {
  const inserts = parts?.map(({ images: before, part }) => ({
    offset: images[before]?.offset ?? content.length,
    part,
  }));
  return inserts && withInserts(content, inserts);
}

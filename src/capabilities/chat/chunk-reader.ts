import { decodeUsage } from '../../generations/decode-usage.ts';
import type { ReplyReader } from '../../streams/streamed-kind.ts';
import type { GenerationUsage } from '../../store/records.ts';
import { isList, isObject, asArray, asString, isRecord } from '../../lib/json.ts';
import { LazyMap } from '../../lib/lazy-map.ts';
import { endsInHighSurrogate } from '../../lib/text.ts';
import {
  type ChatChoice,
  type ChatDelta,
  type ChatImage,
  type ChatState,
  mergeDeltas,
  type ToolCall,
  toTextChoice,
} from './completion.ts';
import { RawReply } from './raw-reply.ts';
import { createToolCallGroups, type ToolCallGroups } from './tool-call-groups.ts';
import { decodeChoice } from './wire.ts';

/** Turns the chunks of one reply, or a whole reply, into deltas. */
export function createChunkReader(): ReplyReader<ChatState, ChatDelta> {
  const halves = new LazyMap<string, string>();
  const wholeChoice = createCharacterGuard(halves);
  const withoutRepeats = createRepeatFilter();
  const raw = new RawReply();
  const groups = new LazyMap<number, ToolCallGroups>();
  const groupsOf = (choice: number): ToolCallGroups => {
    const known =
      groups.get(choice) ?? createToolCallGroups((call, members) => raw.addCall({ choice, call }, members));
    groups.set(choice, known);
    return known;
  };
  let last: { readonly index: number; readonly model: string | undefined } = { index: 0, model: undefined };

  const reader: ReplyReader<ChatState, ChatDelta> & { usage: GenerationUsage | undefined } = {
    // A plain member: a getter of its own would make each of these objects a slow one.
    usage: undefined,
    textOf: textOfChunk,
    readTexts(texts) {
      if (halves.size > 0 || !texts.every((text) => text.isWellFormed())) return undefined;
      const { index, model } = last;
      return { texts, merged: { model, choices: [toTextChoice(index, texts.join(''))] } };
    },
    read(chunk) {
      raw.addChunk(chunk);
      const model = asString(chunk['model']);
      reader.usage = decodeUsage(chunk['usage']) ?? reader.usage;
      const choices: ChatChoice[] = [];
      for (const [position, value] of asArray(chunk['choices']).entries()) {
        const choice = decodeChoice(value, position, groupsOf);
        if (!choice || !isRecord(value)) continue;
        last = { index: choice.index, model };
        raw.addChoice(choice.index, value);
        const complete = withoutRepeats(wholeChoice(choice));
        if (hasMembers(complete)) choices.push(complete);
      }
      if (choices.length === 0) return undefined;
      // Once per index, in its order.
      return choices.length === 1 ? { model, choices } : mergeDeltas([{ model, choices }]);
    },
    toRaw: (state) => raw.toDocument(state),
  };
  return reader;
}

/** The text of a chunk of one choice without other data. A role that every chunk repeats is not data. */
function textOfChunk(chunk: Readonly<Record<string, unknown>>): string | undefined {
  const [value, ...more] = asArray(chunk['choices']);
  if (more.length > 0 || !isRecord(value) || !isRecord(value['delta'])) return undefined;
  const { delta } = value;
  const { content } = delta;
  // The document of the reply has all items of lists.
  if (typeof content !== 'string' || hasLists(value)) return undefined;
  const { images, reasoningContent, refusal, toolCalls, functionCall, finishReason } =
    decodeChoice(value, 0) ?? {};
  const others = [images, reasoningContent, refusal, toolCalls, functionCall, finishReason];
  return others.every((member) => member === undefined) ? content : undefined;
}

function hasLists(value: unknown): boolean {
  if (!isObject(value)) return false;
  if (isList(value)) return true;
  // Parsed objects inherit no enumerable members.
  for (const name in value) if (hasLists(value[name])) return true;
  return false;
}

/** Buffers half a surrogate pair until the other half arrives: a delta never ends inside a character. */
function createCharacterGuard(halves: LazyMap<string, string>): (choice: ChatChoice) => ChatChoice {
  const whole = (key: string, text: string | undefined, isLast: boolean): string | undefined => {
    const held = halves.get(key);
    if (text === undefined && (held === undefined || !isLast)) return undefined;
    let joined = (held ?? '') + (text ?? '');
    if (held !== undefined) halves.delete(key);
    if (!isLast && endsInHighSurrogate(joined)) {
      halves.set(key, joined.slice(-1));
      joined = joined.slice(0, -1);
      if (joined === '') return undefined;
    }
    // An unpaired half cannot be encoded as UTF-8.
    return joined.toWellFormed();
  };
  return (choice) => {
    const { index } = choice;
    // Fast path: almost every text begins and ends between characters.
    if (halves.size === 0 && hasPlainTexts(choice)) return choice;
    const isLast = choice.finishReason !== undefined;
    const wholeCall = (call: ToolCall): readonly ToolCall[] => {
      const text = whole(`${index}:tool:${call.index}`, call.arguments, isLast);
      const isHeld = text === undefined && call.arguments !== undefined;
      const hasMore = [call.id, call.name, call.extraContent].some((member) => member !== undefined);
      return isHeld && !hasMore ? [] : [{ ...call, arguments: text }];
    };
    const toolCalls = choice.toolCalls?.flatMap(wholeCall);
    const key = `${index}:content`;
    const heldLength = choice.images ? halves.get(key)?.length : undefined;
    const content = whole(key, choice.content, isLast);
    return {
      ...choice,
      content,
      images: choice.images && placeImages(choice.images, heldLength, content),
      reasoningContent: whole(`${index}:reasoning`, choice.reasoningContent, isLast),
      refusal: whole(`${index}:refusal`, choice.refusal, isLast),
      toolCalls: toolCalls?.length ? toolCalls : undefined,
      ...(choice.functionCall && {
        functionCall: {
          ...choice.functionCall,
          arguments: whole(`${index}:function`, choice.functionCall.arguments, isLast),
        },
      }),
    };
  };
}

function hasPlainTexts({ content, reasoningContent, refusal, toolCalls, functionCall }: ChatChoice): boolean {
  return (
    !toolCalls &&
    !functionCall &&
    (content === undefined || content.isWellFormed()) &&
    (reasoningContent === undefined || reasoningContent.isWellFormed()) &&
    (refusal === undefined || refusal.isWellFormed())
  );
}

/** An image never divides a character. `heldLength`: length of what was buffered before. */
function placeImages(images: readonly ChatImage[], heldLength = 0, content = ''): readonly ChatImage[] {
  return images.map(({ url, offset }) => ({ url, offset: Math.min(heldLength + offset, content.length) }));
}

/** Removes repeated members: some gateways send role and name in every chunk. */
function createRepeatFilter(): (choice: ChatChoice) => ChatChoice {
  const seen = new Set<string>();
  const once = <Value>(key: string, value: Value | undefined): Value | undefined => {
    if (value === undefined || seen.has(key)) return undefined;
    seen.add(key);
    return value;
  };
  return (choice) => {
    const { index, role, functionCall } = choice;
    // Fast path: almost every chunk is a fragment of text.
    if (role === undefined && !functionCall) return choice;
    return {
      ...choice,
      role: once(`${index}:role`, role),
      functionCall: functionCall && { ...functionCall, name: once(`${index}:name`, functionCall.name) },
    };
  };
}

function hasMembers(choice: ChatChoice): boolean {
  const { role, content, images, reasoningContent, refusal, toolCalls, functionCall, finishReason } = choice;
  return [role, content, images, reasoningContent, refusal, toolCalls, functionCall, finishReason].some(
    (member) => member !== undefined,
  );
}

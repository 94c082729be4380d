import { decodeUsage } from '../../generations/decode-usage.ts';
import type { ReplyReader } from '../../streams/streamed-kind.ts';
import type { GenerationUsage } from '../../store/records.ts';
import { asArray, asString, isRecord, type Json } from '../../lib/json.ts';
import { LazyMap } from '../../lib/lazy-map.ts';
import { endsInHighSurrogate } from '../../lib/text.ts';
import {
  type ChatChoice,
  type ChatDelta,
  type ChatState,
  type ToolCall,
  toTextChoice,
} from './completion.ts';
import { createToolCallGroups, type ToolCallGroups } from './tool-call-groups.ts';
import { decodeChoice } from './wire.ts';

/** Turns the chunks of one reply, or a whole reply, into deltas. */
export function createChunkReader(): ReplyReader<ChatState, ChatDelta> {
  const halves = new LazyMap<string, string>();
  const wholeChoice = createCharacterGuard(halves);
  const withoutRepeats = createRepeatFilter();
  // No prototype: a member named `__proto__` is ordinary data.
  const envelope: Record<string, unknown> = { __proto__: null };
  const extras = new LazyMap<number, Record<string, unknown>>();
  const groups = new LazyMap<number, ToolCallGroups>();
  const groupsOf = (index: number): ToolCallGroups => {
    const known = groups.get(index) ?? createToolCallGroups();
    groups.set(index, known);
    return known;
  };
  let hasRead = false;
  let last: { readonly index: number; readonly model: string | undefined } = { index: 0, model: undefined };

  const reader: ReplyReader<ChatState, ChatDelta> & { usage: GenerationUsage | undefined } = {
    // A plain member: a getter of its own would make each of these objects a slow one.
    usage: undefined,
    textOf: textOfChunk,
    readText(content) {
      const { index, model } = last;
      const choice = toTextChoice(index, content);
      // Fast path: almost every text begins and ends between characters.
      if (halves.size === 0 && content.isWellFormed()) return { model, choices: [choice] };
      const complete = wholeChoice(choice);
      return hasMembers(complete) ? { model, choices: [complete] } : undefined;
    },
    readTexts(texts) {
      if (halves.size > 0 || !texts.every((text) => text.isWellFormed())) return undefined;
      const { index, model } = last;
      return { texts, merged: { model, choices: [toTextChoice(index, texts.join(''))] } };
    },
    read(chunk) {
      hasRead = true;
      const model = asString(chunk['model']);
      for (const [key, value] of Object.entries(chunk)) {
        if (key !== 'choices' && value !== null && value !== undefined) envelope[key] = value;
      }
      reader.usage = decodeUsage(chunk['usage']) ?? reader.usage;
      const choices: ChatChoice[] = [];
      for (const [position, value] of asArray(chunk['choices']).entries()) {
        const choice = decodeChoice(value, position, groupsOf);
        if (!choice) continue;
        last = { index: choice.index, model };
        keepExtras(extras, choice.index, value);
        const complete = withoutRepeats(wholeChoice(choice));
        if (hasMembers(complete)) choices.push(complete);
      }
      if (choices.length === 0) return undefined;
      return { model, choices };
    },
    toRaw: (state) => (hasRead ? toRaw(state, envelope, extras) : undefined),
  };
  return reader;
}

/** The text of a chunk of one choice without other data. A role that every chunk repeats is not data. */
function textOfChunk(chunk: Readonly<Record<string, unknown>>): string | undefined {
  const [value, ...more] = asArray(chunk['choices']);
  if (more.length > 0 || !isRecord(value) || !isRecord(value['delta'])) return undefined;
  const { delta } = value;
  const { content } = delta;
  // `keepExtras` appends lists.
  if (typeof content !== 'string' || [value, delta].some(hasLists)) return undefined;
  const { reasoningContent, refusal, toolCalls, functionCall, finishReason } = decodeChoice(value, 0) ?? {};
  const others = [reasoningContent, refusal, toolCalls, functionCall, finishReason];
  return others.every((member) => member === undefined) ? content : undefined;
}

function hasLists(members: Readonly<Record<string, unknown>>): boolean {
  return Object.values(members).some(Array.isArray);
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
    const isLast = choice.finishReason !== undefined;
    const wholeCall = (call: ToolCall): readonly ToolCall[] => {
      const text = whole(`${index}:tool:${call.index}`, call.arguments, isLast);
      const isHeld = text === undefined && call.arguments !== undefined;
      const hasMore = [call.id, call.name, call.extraContent].some((member) => member !== undefined);
      return isHeld && !hasMore ? [] : [{ ...call, arguments: text }];
    };
    const toolCalls = choice.toolCalls?.flatMap(wholeCall);
    return {
      ...choice,
      content: whole(`${index}:content`, choice.content, isLast),
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
  const { role, content, reasoningContent, refusal, toolCalls, functionCall, finishReason } = choice;
  return [role, content, reasoningContent, refusal, toolCalls, functionCall, finishReason].some(
    (member) => member !== undefined,
  );
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

/** Members without a field in the graph: lists are concatenated, other values are replaced by the latest. */
function keepExtras(extras: LazyMap<number, Record<string, unknown>>, index: number, value: unknown): void {
  if (!isRecord(value)) return;
  const body = isRecord(value['delta']) ? value['delta'] : isRecord(value['message']) ? value['message'] : {};
  keep('message', body, typedMembers);
  keep('choice', value, typedChoiceMembers);

  function keep(
    scope: 'message' | 'choice',
    members: Readonly<Record<string, unknown>>,
    typed: ReadonlySet<string>,
  ): void {
    for (const key in members) {
      const member = members[key];
      if (typed.has(key) || member === null || member === undefined) continue;
      const kept = extras.get(index) ?? {};
      extras.set(index, kept);
      const name = `${scope}.${key}`;
      const before = kept[name];
      if (Array.isArray(before) && Array.isArray(member)) before.push(...(member as unknown[]));
      else kept[name] = Array.isArray(member) ? [...(member as unknown[])] : member;
    }
  }
}

function toRaw(
  state: ChatState,
  envelope: Readonly<Record<string, unknown>>,
  extras: Pick<LazyMap<number, Readonly<Record<string, unknown>>>, 'get'>,
): Json {
  const pick = (index: number, scope: string) =>
    Object.fromEntries(
      Object.entries(extras.get(index) ?? {}).flatMap(([name, value]) =>
        name.startsWith(`${scope}.`) ? [[name.slice(scope.length + 1), value]] : [],
      ),
    );
  const choices = state.choices.map((choice) => ({
    index: choice.index,
    message: {
      role: choice.role,
      content: choice.content ?? null,
      reasoning_content: choice.reasoningContent,
      refusal: choice.refusal,
      tool_calls: choice.toolCalls?.map(({ id, name, arguments: text }) => ({
        id,
        type: 'function',
        function: { name, arguments: text ?? '' },
      })),
      function_call: choice.functionCall,
      ...pick(choice.index, 'message'),
    },
    finish_reason: choice.finishReason ?? null,
    ...pick(choice.index, 'choice'),
  }));
  const object = envelope['object'] === 'chat.completion.chunk' ? { object: 'chat.completion' } : {};
  // The value holds parsed JSON and text only. The round trip drops undefined members.
  return { ...envelope, ...object, choices } as unknown as Json;
}

import { append } from '../../lib/append.ts';
import { LazyMap } from '../../lib/lazy-map.ts';
import type { StreamLog } from '../../streams/shape.ts';
import { type ChatChoice, type ChatDelta, type ChatState, mergeDeltas, type ToolCall } from './completion.ts';

/**
 * A log that costs a few bytes per delta. The text of the deltas is already in the state, so the log stores only where
 * each delta began. Members that occur once (role, ids, names, finish reason) are stored as received.
 */
export function createChatLog(maxLength: number): StreamLog<ChatState, ChatDelta> {
  const marks = createMarks();
  const channels = createChannels();
  let facts: Fact[] = [];
  let sequence = 0;
  /** Sequence of the last evicted delta. */
  let evictedThrough = 0;

  return {
    appendRun({ texts, merged }, before) {
      const [choice] = merged.choices;
      if (!choice || sequence + texts.length - evictedThrough > maxLength) return false;
      const channel = channels.idOf(choice.index, 'content');
      let start = before.choices.find(({ index }) => index === choice.index)?.content?.length ?? 0;
      for (const text of texts) {
        sequence += 1;
        marks.add({ sequence, channel, start });
        start += text.length;
      }
      return true;
    },
    append(delta, before) {
      sequence += 1;
      const choices: ChatChoice[] = [];
      for (const choice of delta.choices) {
        const known = before.choices.find(({ index }) => index === choice.index);
        for (const { channel, start } of textsOf(choice, known)) {
          marks.add({ sequence, channel: channels.idOf(choice.index, channel), start });
        }
        const sent = factsOf(choice, known);
        if (sent) choices.push(sent);
      }
      if (choices.length > 0) facts = append(facts, { sequence, delta: { choices: [...choices] } });
      if (sequence - evictedThrough <= maxLength) return;
      // Evict half at a time: this spreads the cost of moving the rest over many appends.
      evictedThrough = sequence - Math.ceil(maxLength / 2);
      marks.dropThrough(evictedThrough);
      facts = facts.filter((fact) => fact.sequence > evictedThrough);
    },
    since(after, state) {
      if (after < evictedThrough) return undefined;
      const parts = facts.filter((fact) => fact.sequence > after).map(({ delta }) => delta);
      for (const [id, start] of marks.startsAfter(after)) {
        const { index, channel } = channels.get(id);
        const choice = state.choices.find((each) => each.index === index);
        if (choice) parts.push({ choices: [{ index, ...textAfter(choice, channel, start) }] });
      }
      const { choices } = mergeDeltas(parts);
      return { model: state.model, choices: choices.map((choice) => withImagesInPlace(choice, state)) };
    },
  };
}

/** Where text of a choice grows: one of its members, or the arguments of the tool call at an index. */
type Channel = 'content' | 'reasoningContent' | 'refusal' | 'function' | number;

interface Fact {
  readonly sequence: number;
  readonly delta: ChatDelta;
}

/** The channels that a delta appends to, and their length before it. */
function textsOf(
  choice: ChatChoice,
  known: ChatChoice | undefined,
): readonly { readonly channel: Channel; readonly start: number }[] {
  const { content, reasoningContent, refusal, functionCall, toolCalls } = choice;
  const texts: { channel: Channel; start: number }[] = [];
  if (content !== undefined) texts.push({ channel: 'content', start: known?.content?.length ?? 0 });
  if (reasoningContent !== undefined)
    texts.push({ channel: 'reasoningContent', start: known?.reasoningContent?.length ?? 0 });
  if (refusal !== undefined) texts.push({ channel: 'refusal', start: known?.refusal?.length ?? 0 });
  if (functionCall?.arguments !== undefined)
    texts.push({ channel: 'function', start: known?.functionCall?.arguments?.length ?? 0 });
  for (const call of toolCalls ?? []) {
    if (call.arguments !== undefined)
      texts.push({ channel: call.index, start: findCall(known, call.index)?.arguments?.length ?? 0 });
  }
  return texts;
}

function findCall(choice: ChatChoice | undefined, index: number): ToolCall | undefined {
  return choice?.toolCalls?.find((call) => call.index === index);
}

/** Members of a delta other than text, with the offsets of images in the state. Includes each tool call once it begins, even without id and name. */
function factsOf(
  { index, role, images, functionCall, toolCalls, finishReason }: ChatChoice,
  known: ChatChoice | undefined,
): ChatChoice | undefined {
  const calls = toolCalls?.flatMap(({ arguments: _text, ...call }) =>
    !findCall(known, call.index) || [call.id, call.name, call.extraContent].some((fact) => fact !== undefined)
      ? [call]
      : [],
  );
  const isNewFunction = functionCall && (!known?.functionCall || functionCall.name !== undefined);
  const isText = (role ?? images ?? finishReason) === undefined;
  if (isText && !isNewFunction && !calls?.length) return undefined;
  const length = known?.content?.length ?? 0;
  return {
    index,
    role,
    finishReason,
    ...(images && { images: images.map(({ url, offset }) => ({ url, offset: length + offset })) }),
    ...(calls?.length && { toolCalls: calls }),
    ...(isNewFunction && { functionCall: { name: functionCall.name } }),
  };
}

/** A choice of merged facts and texts, whose images have the offsets of the state, as a choice of a delta. */
function withImagesInPlace(choice: ChatChoice, state: ChatState): ChatChoice {
  if (!choice.images) return choice;
  const whole = state.choices.find(({ index }) => index === choice.index);
  const start = (whole?.content?.length ?? 0) - (choice.content?.length ?? 0);
  return { ...choice, images: choice.images.map(({ url, offset }) => ({ url, offset: offset - start })) };
}

function textAfter(choice: ChatChoice, channel: Channel, start: number): Partial<ChatChoice> {
  if (typeof channel === 'number') {
    const text = findCall(choice, channel)?.arguments?.slice(start);
    return { toolCalls: [{ index: channel, arguments: text }] };
  }
  if (channel === 'function')
    return { functionCall: { arguments: choice.functionCall?.arguments?.slice(start) } };
  return { [channel]: choice[channel]?.slice(start) };
}

/** Assigns a small integer id to each channel of a chat. */
function createChannels() {
  /** Of all channels but the first: most replies have one. */
  const ids = new LazyMap<string, number>();
  let all: { readonly index: number; readonly channel: Channel }[] = [];
  return {
    idOf(index: number, channel: Channel): number {
      const [first] = all;
      if (first?.index === index && first.channel === channel) return 0;
      const key = `${index}:${channel}`;
      const known = ids.get(key);
      if (known !== undefined) return known;
      if (first) ids.set(key, all.length);
      all = append(all, { index, channel });
      return all.length - 1;
    },
    get(id: number) {
      const channel = all[id];
      if (!channel) throw new Error(`Unknown channel: ${id}`);
      return channel;
    },
  };
}

interface Mark {
  readonly sequence: number;
  readonly channel: number;
  /** Length of the channel before that delta, in UTF-16 code units. */
  readonly start: number;
}

/** Marks in order of their sequence, twelve bytes each. */
function createMarks() {
  let words = new Uint32Array(3 * 16);
  let count = 0;

  /** Index of the first mark of a later delta. */
  const placeAfter = (sequence: number): number => {
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((words[3 * middle] ?? 0) <= sequence) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  return {
    add({ sequence, channel, start }: Mark): void {
      if (3 * count === words.length) {
        const grown = new Uint32Array(2 * words.length);
        grown.set(words);
        words = grown;
      }
      words[3 * count] = sequence;
      words[3 * count + 1] = channel;
      words[3 * count + 2] = start;
      count += 1;
    },
    /** For each channel that later deltas appended to, its length before them. */
    startsAfter(sequence: number): ReadonlyMap<number, number> {
      const starts = new Map<number, number>();
      for (let place = placeAfter(sequence); place < count; place += 1) {
        const channel = words[3 * place + 1] ?? 0;
        if (!starts.has(channel)) starts.set(channel, words[3 * place + 2] ?? 0);
      }
      return starts;
    },
    dropThrough(sequence: number): void {
      const place = placeAfter(sequence);
      words = words.slice(3 * place, 3 * count);
      if (words.length === 0) words = new Uint32Array(3 * 16);
      count -= place;
    },
  };
}

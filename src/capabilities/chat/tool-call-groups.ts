import { type Json, maxIndex } from '../../lib/json.ts';
import { joinToolCalls, type ToolCall } from './completion.ts';

/** A part of a tool call as the gateway sent it. Empty values count as absent. */
export interface ToolCallPart {
  readonly index?: number | undefined;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly arguments?: string | undefined;
  readonly extraContent?: Json | undefined;
  /** All that the gateway sent. */
  readonly members: Readonly<Record<string, unknown>>;
}

/** Receives each part with the index of its call. */
export type OnToolCallPart = (index: number, members: ToolCallPart['members']) => void;

/** Finds the call that each part belongs to. */
export interface ToolCallGroups {
  /**
   * Takes the calls of the next chunk, or those of a message, where each is whole. Returns what they add, by the index of their
   * call: its id, name and extra content are returned once. A part that adds nothing is dropped.
   */
  add(parts: readonly ToolCallPart[], isWhole: boolean): readonly ToolCall[];
}

interface Call {
  /** Unlike those of all other calls. */
  readonly index: number;
  /** The index that the gateway sent, if it sent one. */
  readonly wireIndex: number | undefined;
  id: string | undefined;
  name: string | undefined;
  hasExtraContent: boolean;
  /** An id without a name that came after this call's own id: that of the next call, if a name follows. */
  laterId: string | undefined;
  readonly arguments: JsonProgress;
}

/**
 * Groups the parts of the tool calls of one choice. Gateways mark parallel calls by `index`, by `id`, or by both: some send the
 * same index for all calls or none, some repeat id and name in every part, some send them late or empty.
 */
export function createToolCallGroups(onPart?: OnToolCallPart): ToolCallGroups {
  const taken = new Set<number>();
  /** By id, and by index and id: calls of different index may have the same id. */
  const byId = new Map<string, Call>();
  /** The last call at each index of the gateway, or at each position in the list of a chunk. */
  const bySlot = new Map<number, Call>();
  let highest = -1;
  let last: Call | undefined;

  const freeIndex = (wanted: number | undefined): number => {
    if (wanted !== undefined && !taken.has(wanted)) return wanted;
    if (highest < maxIndex) return highest + 1;
    let free = 0;
    while (taken.has(free)) free += 1;
    return free;
  };
  const open = ({ index: wireIndex }: ToolCallPart, slot: number | undefined): Call => {
    const index = freeIndex(wireIndex);
    const call: Call = {
      index,
      wireIndex,
      id: undefined,
      name: undefined,
      hasExtraContent: false,
      laterId: undefined,
      arguments: new JsonProgress(),
    };
    taken.add(index);
    highest = Math.max(highest, index);
    bySlot.set(slot ?? index, call);
    return call;
  };
  const findById = ({ id, index }: ToolCallPart): Call | undefined => {
    if (id === undefined) return undefined;
    const known = byId.get(`:${id}`);
    const isAnywhere = index === undefined || known?.wireIndex === undefined;
    return isAnywhere ? known : byId.get(`${index}:${id}`);
  };
  /** The call that a part continues. Undefined if the part begins a call. */
  const findCall = (part: ToolCallPart, slot: number | undefined): Call | undefined => {
    const { id, name } = part;
    const known = findById(part);
    if (known) return known;
    const current = slot === undefined ? last : bySlot.get(slot);
    if (!current) return undefined;
    const isOther = current.arguments.isComplete && (part.arguments ?? '').trim() !== '';
    if (id !== undefined && current.id !== undefined) {
      if (name !== undefined || isOther) return undefined;
      current.laterId = id;
      return current;
    }
    const isRenamed = name !== undefined && current.name !== undefined && name !== current.name;
    const isMarked = (name ?? id ?? current.laterId) !== undefined;
    return isRenamed || (isOther && isMarked) ? undefined : current;
  };
  const setId = (call: Call, id: string | undefined): void => {
    if (id === undefined) return;
    call.id = id;
    byId.set(`:${id}`, call);
    if (call.wireIndex !== undefined) byId.set(`${call.wireIndex}:${id}`, call);
  };
  /** Updates the call of a part. Returns what is new. */
  const take = (part: ToolCallPart, call: Call, laterId: string | undefined): ToolCall => {
    const id = call.id === undefined ? (part.id ?? laterId) : undefined;
    const name = call.name === undefined ? part.name : undefined;
    const extraContent = call.hasExtraContent ? undefined : part.extraContent;
    setId(call, id);
    call.name ??= name;
    call.hasExtraContent ||= extraContent !== undefined;
    if (part.arguments !== undefined) call.arguments.add(part.arguments);
    return { index: call.index, id, name, arguments: part.arguments, extraContent };
  };

  return {
    add(parts, isWhole) {
      const additions: ToolCall[] = [];
      for (const [position, part] of parts.entries()) {
        const slot = part.index ?? (parts.length > 1 ? position : undefined);
        const known = isWhole && part.name !== undefined ? undefined : findCall(part, slot);
        const before = slot === undefined ? last : bySlot.get(slot);
        const call = known ?? open(part, slot);
        last = call;
        onPart?.(call.index, part.members);
        const addition = take(part, call, known ? undefined : before?.laterId);
        if (!known || hasNews(addition)) additions.push(addition);
      }
      return joinToolCalls(additions);
    },
  };
}

function hasNews({ id, name, arguments: text, extraContent }: ToolCall): boolean {
  return id !== undefined || name !== undefined || text !== undefined || extraContent !== undefined;
}

/** Notices the end of a JSON object or list that arrives in parts. */
class JsonProgress {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #hasBegun = false;

  get isComplete(): boolean {
    return this.#hasBegun && this.#depth === 0;
  }

  add(text: string): void {
    for (const character of text) {
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (character === '\\') this.#isEscaped = true;
        else if (character === '"') this.#isInString = false;
      } else if (character === '"') this.#isInString = true;
      else if (character === '{' || character === '[') {
        this.#depth += 1;
        this.#hasBegun = true;
      } else if (character === '}' || character === ']') this.#depth -= 1;
    }
  }
}

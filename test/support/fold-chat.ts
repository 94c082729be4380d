import { expect } from 'vitest';
import type { ChatEvent, ChoicePart, Completion, ToolCallPart } from './chats.ts';

export interface FoldedChat {
  /** -1 before the first event. */
  readonly sequence: number;
  readonly choices: readonly ChoicePart[];
}

const nothing: FoldedChat = { sequence: -1, choices: [] };

/**
 * Folds events by the documented client rules: a snapshot replaces the state, the next delta is appended, and a known
 * delta is dropped. Fails on a gap, and when `soFar` of an event differs from the folded state.
 */
export function foldChat(events: readonly ChatEvent[], start: FoldedChat = nothing): FoldedChat {
  return events.reduce((held, event) => {
    const now = applyEvent(held, event);
    expect(now).toEqual(toFolded(event.soFar));
    expect(event.sequence).toBe(now.sequence);
    return now;
  }, start);
}

/** The text of the first choice after all events. */
export function foldedText(events: readonly ChatEvent[]): string {
  return foldChat(events).choices[0]?.content ?? '';
}

function applyEvent(held: FoldedChat, event: ChatEvent): FoldedChat {
  switch (event.__typename) {
    case 'ChatSnapshot':
      return toFolded(event.soFar);
    case 'ChatDelta':
      if (event.sequence <= held.sequence) return held;
      if (event.fromSequence !== held.sequence + 1) {
        throw new Error(`missed deltas between ${held.sequence} and ${event.fromSequence}`);
      }
      return { sequence: event.sequence, choices: event.choices.reduce(appendChoice, held.choices) };
    default:
      // A client that used `after` may receive only the end.
      return held.sequence === -1 ? toFolded(event.soFar) : held;
  }
}

function toFolded({ sequence, choices }: Completion): FoldedChat {
  return {
    sequence,
    choices: choices.map(({ index, message, finishReason }) => ({ index, ...message, finishReason })),
  };
}

function appendChoice(choices: readonly ChoicePart[], part: ChoicePart): readonly ChoicePart[] {
  const known = choices.find(({ index }) => index === part.index);
  if (!known) return [...choices, part].toSorted((a, b) => a.index - b.index);
  const calls = [...(known.toolCalls ?? []), ...(part.toolCalls ?? [])];
  const appended: ChoicePart = {
    index: part.index,
    role: known.role ?? part.role,
    content: join(known.content, part.content),
    reasoningContent: join(known.reasoningContent, part.reasoningContent),
    refusal: join(known.refusal, part.refusal),
    toolCalls: known.toolCalls || part.toolCalls ? joinCalls(calls) : null,
    functionCall:
      known.functionCall && part.functionCall
        ? {
            name: known.functionCall.name ?? part.functionCall.name,
            arguments: join(known.functionCall.arguments, part.functionCall.arguments),
          }
        : (known.functionCall ?? part.functionCall),
    finishReason: part.finishReason ?? known.finishReason,
  };
  return choices.map((choice) => (choice === known ? appended : choice));
}

function joinCalls(parts: readonly ToolCallPart[]): readonly ToolCallPart[] {
  const calls = new Map<number, ToolCallPart>();
  for (const part of parts) {
    const known = calls.get(part.index);
    calls.set(part.index, {
      index: part.index,
      id: known?.id ?? part.id,
      name: known?.name ?? part.name,
      arguments: join(known?.arguments ?? null, part.arguments),
    });
  }
  return [...calls.values()].toSorted((a, b) => a.index - b.index);
}

function join(text: string | null, addition: string | null): string | null {
  return addition === null ? text : (text ?? '') + addition;
}

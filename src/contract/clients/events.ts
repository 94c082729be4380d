/** An event of a chat or of images, as the queries of this suite select it. */
export interface StreamEvent {
  readonly __typename: string;
  readonly generationId: string | null;
  readonly sequence: number;
  readonly soFar: Content;
  readonly fromSequence?: number;
  /** Parts of a chat's delta. */
  readonly choices?: readonly Choice[];
  /** Parts of an image stream's delta. */
  readonly images?: readonly Picture[];
  readonly failures?: readonly Picture[];
  readonly error?: Failure;
  readonly ended?: Ended | null;
}

export interface Choice {
  readonly index: number;
  readonly finishReason: string | null;
  readonly role: string | null;
  readonly content: string | null;
  readonly reasoningContent: string | null;
  readonly toolCalls: readonly ToolCall[] | null;
}

export interface ToolCall {
  readonly index: number;
  readonly id: string | null;
  readonly name: string | null;
  readonly arguments: string | null;
}

export interface Picture {
  readonly index: number | null;
}

/** The whole content up to an event: of a chat, or of an image stream. */
export interface Content {
  readonly choices?: readonly {
    readonly index: number;
    readonly finishReason: string | null;
    readonly message: Omit<Choice, 'index' | 'finishReason'>;
  }[];
  readonly images?: readonly Picture[];
  readonly failures?: readonly Picture[];
}

export interface Failure {
  readonly __typename: string;
  readonly code: string;
  readonly retry: string;
}

export interface Ended {
  readonly id: string;
  readonly status: string;
  readonly error: { readonly code: string } | null;
}

export function isEnd({ __typename }: StreamEvent): boolean {
  return /(Completed|Canceled|Failed)$/.test(__typename);
}

export function isDelta({ __typename }: StreamEvent): boolean {
  return __typename.endsWith('Delta');
}

export function isSnapshot({ __typename }: StreamEvent): boolean {
  return __typename.endsWith('Snapshot');
}

/** The code of a failed event, or its type without `Chat` or `Image`. */
export function endingOf(events: readonly StreamEvent[]): string {
  const last = events.at(-1);
  return last?.error?.code ?? last?.__typename.replace(/^(Chat|Image)/, '') ?? 'no event';
}

/** A client's state: what the documented rules make of the events. */
export interface Held {
  /** -1 before the first event. */
  readonly sequence: number;
  readonly choices: readonly Choice[];
  readonly images: readonly Picture[];
  readonly failures: readonly Picture[];
}

export const nothing: Held = { sequence: -1, choices: [], images: [], failures: [] };

/**
 * Applies an event by the documented rules of a client with state.
 * @throws Error when the event breaks a rule: a gap, a repeated delta, or a `soFar` that differs from the held state
 */
export function applyEvent(held: Held, event: StreamEvent): Held {
  const now = isDelta(event) ? applyDelta(held, event) : applyWhole(held, event);
  const expected = JSON.stringify({ ...toHeld(event), sequence: 0 });
  const actual = JSON.stringify({ ...now, sequence: 0 });
  if (expected !== actual) throw new Error(`soFar is ${expected}, the events make ${actual}`);
  return now;
}

function applyWhole(held: Held, event: StreamEvent): Held {
  if (!isEnd(event) || held.sequence === -1) return toHeld(event);
  if (event.sequence !== held.sequence)
    throw new Error(`the end at ${event.sequence} follows ${held.sequence}`);
  return held;
}

function applyDelta(held: Held, event: StreamEvent): Held {
  const { fromSequence, sequence, choices = [], images = [], failures = [] } = event;
  if (fromSequence !== held.sequence + 1 || sequence < fromSequence)
    throw new Error(`a delta from ${fromSequence} to ${sequence} follows ${held.sequence}`);
  return {
    sequence,
    choices: choices.reduce(appendChoice, held.choices),
    images: [...held.images, ...images].toSorted(byIndex),
    failures: [...held.failures, ...failures].toSorted(byIndex),
  };
}

/** What a client holds that has only this event. */
export function toHeld({ sequence, soFar }: StreamEvent): Held {
  return {
    sequence,
    choices: (soFar.choices ?? []).map(({ index, finishReason, message }) => ({
      index,
      finishReason,
      ...message,
    })),
    images: [...(soFar.images ?? [])].toSorted(byIndex),
    failures: [...(soFar.failures ?? [])].toSorted(byIndex),
  };
}

function byIndex(one: Picture, other: Picture): number {
  return (one.index ?? -1) - (other.index ?? -1);
}

function appendChoice(choices: readonly Choice[], part: Choice): readonly Choice[] {
  const known = choices.find(({ index }) => index === part.index);
  if (!known) return [...choices, part].toSorted(byIndex);
  const appended: Choice = {
    index: part.index,
    finishReason: part.finishReason ?? known.finishReason,
    role: known.role ?? part.role,
    content: join(known.content, part.content),
    reasoningContent: join(known.reasoningContent, part.reasoningContent),
    toolCalls: part.toolCalls ? part.toolCalls.reduce(appendCall, known.toolCalls ?? []) : known.toolCalls,
  };
  return choices.map((choice) => (choice === known ? appended : choice));
}

function appendCall(calls: readonly ToolCall[], part: ToolCall): readonly ToolCall[] {
  const known = calls.find(({ index }) => index === part.index);
  if (!known) return [...calls, part].toSorted(byIndex);
  const { index, id, name } = known;
  const appended = {
    index,
    id: id ?? part.id,
    name: name ?? part.name,
    arguments: join(known.arguments, part.arguments),
  };
  return calls.map((call) => (call === known ? appended : call));
}

function join(text: string | null, addition: string | null): string | null {
  return addition === null ? text : (text ?? '') + addition;
}

export function textOf({ choices }: Held, index = 0): string {
  return choices.find((choice) => choice.index === index)?.content ?? '';
}

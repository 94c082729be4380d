import { sum, tokensPerImage, type Choice, type Reply, type Usage } from './reply.ts';

/** The members that every object of one answer has. */
export interface WireHead {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly system_fingerprint: string;
}

type Wire = Readonly<Record<string, unknown>>;

/** The whole reply as one JSON object. */
export function toCompletion(head: WireHead, reply: Reply): Wire {
  return {
    ...head,
    object: 'chat.completion',
    choices: reply.choices.map((choice) => ({
      index: choice.index,
      message: toMessage(choice),
      logprobs: null,
      finish_reason: choice.finishReason,
    })),
    usage: toWireUsage(reply.usage),
  };
}

function toMessage({ reasoning, content, calls, isLegacy, annotations, images }: Choice): Wire {
  const wireCalls = calls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments.join('') },
  }));
  return {
    role: 'assistant',
    content: calls.length > 0 && content.length === 0 ? null : content.join(''),
    refusal: null,
    ...(reasoning.length > 0 && { reasoning_content: reasoning.join('') }),
    ...(calls.length > 0 &&
      (isLegacy ? { function_call: wireCalls[0]?.function } : { tool_calls: wireCalls })),
    ...(annotations.length > 0 && { annotations }),
    ...(images && { images: images.map(toWireImage) }),
  };
}

function toWireImage(url: string): Wire {
  return { type: 'image_url', image_url: { url } };
}

function toWireUsage({ promptTokens, completionTokens, reasoningTokens }: Usage): Wire {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
  };
}

/** One moment of a stream: one chunk per choice that has something to send. */
export interface StreamSlot {
  readonly kind: 'start' | 'delta' | 'finish' | 'usage' | 'done';
  readonly chunks: readonly Wire[];
  /** The tokens of all choices in this slot. */
  readonly tokens: number;
}

/** The reply as a stream; its choices advance side by side. */
export function* listSlots(
  head: WireHead,
  reply: Reply,
  options: { includesUsage: boolean },
): Generator<StreamSlot> {
  const toChunk = (choices: readonly unknown[], usage: unknown = null): Wire => ({
    ...head,
    object: 'chat.completion.chunk',
    choices,
    ...(options.includesUsage && { usage }),
  });
  const toDelta = ({ index }: Choice, delta: unknown, finishReason: string | null = null): Wire =>
    toChunk([{ index, delta, logprobs: null, finish_reason: finishReason }]);

  const roles = reply.choices.map((choice) => toDelta(choice, toFirstDelta(choice)));
  yield { kind: 'start', chunks: roles, tokens: 0 };
  let running = reply.choices.map((choice) => ({ choice, deltas: listDeltas(choice) }));
  while (running.length > 0) {
    const steps = running.map((item) => ({ ...item, ...takeStep(item.deltas) }));
    const chunks = steps.flatMap(({ choice, taken }) => taken.map((delta) => toDelta(choice, delta)));
    const tokens = sum(steps.map((step) => step.tokens));
    if (chunks.length > 0) yield { kind: 'delta', chunks, tokens };
    const ends = steps.filter(({ isLast }) => isLast);
    const finishes = ends.map(({ choice }) => toDelta(choice, {}, choice.finishReason));
    if (ends.length > 0) yield { kind: 'finish', chunks: finishes, tokens: 0 };
    running = steps.filter(({ isLast }) => !isLast);
  }
  if (options.includesUsage)
    yield { kind: 'usage', chunks: [toChunk([], toWireUsage(reply.usage))], tokens: 0 };
  yield { kind: 'done', chunks: [], tokens: 0 };
}

/** The slot as server-sent events. */
export function encodeSlot({ kind, chunks }: StreamSlot): string {
  if (kind === 'done') return 'data: [DONE]\n\n';
  return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
}

function toFirstDelta({ content, calls }: Choice): Wire {
  return { role: 'assistant', content: calls.length > 0 && content.length === 0 ? null : '' };
}

interface Delta {
  readonly delta: Wire;
  /** How many tokens it holds. */
  readonly tokens: number;
}

function* listDeltas({ reasoning, content, calls, isLegacy, annotations, images }: Choice): Generator<Delta> {
  for (const piece of reasoning) yield { delta: { reasoning_content: piece }, tokens: 1 };
  for (const piece of content) yield { delta: { content: piece }, tokens: 1 };
  if (annotations.length > 0) yield { delta: { annotations }, tokens: 0 };
  for (const url of images ?? []) yield { delta: { images: [toWireImage(url)] }, tokens: tokensPerImage };
  for (const [index, { id, name, arguments: pieces }] of calls.entries()) {
    const toDelta = (fields: Wire, start: Wire = {}): Wire =>
      isLegacy ? { function_call: fields } : { tool_calls: [{ index, ...start, function: fields }] };
    yield { delta: toDelta({ name, arguments: '' }, { id, type: 'function' }), tokens: 0 };
    for (const piece of pieces) yield { delta: toDelta({ arguments: piece }), tokens: 1 };
  }
}

/** The deltas up to and including the next token; a delta without a token does not wait for one. */
function takeStep(deltas: Iterator<Delta>): { taken: Wire[]; tokens: number; isLast: boolean } {
  const taken: Wire[] = [];
  for (;;) {
    const next = deltas.next();
    if (next.done === true) return { taken, tokens: 0, isLast: true };
    taken.push(next.value.delta);
    const { tokens } = next.value;
    if (tokens > 0) return { taken, tokens, isLast: false };
  }
}

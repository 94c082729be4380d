import { toWireUsage, type Choice, type Reply } from './reply.ts';

/** What every object of one answer carries. */
export interface WireHead {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly system_fingerprint: string;
}

/** The whole reply as one JSON object. */
export function toCompletion(head: WireHead, reply: Reply): Record<string, unknown> {
  return {
    id: head.id,
    object: 'chat.completion',
    created: head.created,
    model: head.model,
    system_fingerprint: head.system_fingerprint,
    choices: reply.choices.map((choice) => ({
      index: choice.index,
      message: toMessage(choice),
      logprobs: null,
      finish_reason: choice.finishReason,
    })),
    usage: toWireUsage(reply.usage),
  };
}

function toMessage({
  reasoning,
  content,
  toolCalls,
  functionCall,
  annotations,
}: Choice): Record<string, unknown> {
  const hasCalls = toolCalls.length > 0 || functionCall !== undefined;
  return {
    role: 'assistant',
    content: hasCalls && content.length === 0 ? null : content.join(''),
    refusal: null,
    ...(reasoning.length > 0 && { reasoning_content: reasoning.join('') }),
    ...(toolCalls.length > 0 && {
      tool_calls: toolCalls.map((call) => ({
        id: call.id,
        type: 'function',
        function: { name: call.name, arguments: call.arguments.join('') },
      })),
    }),
    ...(functionCall && {
      function_call: { name: functionCall.name, arguments: functionCall.arguments.join('') },
    }),
    ...(annotations.length > 0 && { annotations }),
  };
}

/** What one moment of a stream carries: one chunk per choice that has something. */
export interface StreamSlot {
  readonly kind: 'start' | 'delta' | 'finish' | 'usage' | 'done';
  readonly chunks: readonly Readonly<Record<string, unknown>>[];
  /** How many tokens were generated for it, by all choices together. */
  readonly tokens: number;
}

/** The reply as a stream; its choices advance side by side. */
export function* listSlots(
  head: WireHead,
  reply: Reply,
  options: { includesUsage: boolean },
): Generator<StreamSlot> {
  const toChunk = (choices: readonly unknown[], usage: unknown = null): Record<string, unknown> => ({
    id: head.id,
    object: 'chat.completion.chunk',
    created: head.created,
    model: head.model,
    system_fingerprint: head.system_fingerprint,
    choices,
    ...(options.includesUsage && { usage }),
  });
  const toDelta = (index: number, delta: unknown, finishReason: string | null): Record<string, unknown> =>
    toChunk([{ index, delta, logprobs: null, finish_reason: finishReason }]);

  const roles = reply.choices.map((choice) => toDelta(choice.index, toFirstDelta(choice), null));
  yield { kind: 'start', chunks: roles, tokens: 0 };
  const running = reply.choices.map((choice) => ({ choice, deltas: listDeltas(choice) }));
  while (running.length > 0) {
    const chunks: Record<string, unknown>[] = [];
    const finished: Choice[] = [];
    let tokens = 0;
    for (const item of running.slice()) {
      const step = takeStep(item.deltas);
      chunks.push(...step.deltas.map((delta) => toDelta(item.choice.index, delta, null)));
      tokens += step.tokens;
      if (!step.isLast) continue;
      finished.push(item.choice);
      running.splice(running.indexOf(item), 1);
    }
    if (chunks.length > 0) yield { kind: 'delta', chunks, tokens };
    const ends = finished.map((choice) => toDelta(choice.index, {}, choice.finishReason));
    if (ends.length > 0) yield { kind: 'finish', chunks: ends, tokens: 0 };
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

function toFirstDelta({ content, toolCalls, functionCall }: Choice): Record<string, unknown> {
  const hasCalls = toolCalls.length > 0 || functionCall !== undefined;
  return { role: 'assistant', content: hasCalls && content.length === 0 ? null : '' };
}

interface Delta {
  readonly delta: Readonly<Record<string, unknown>>;
  readonly tokens: 0 | 1;
}

function* listDeltas({ reasoning, content, toolCalls, functionCall, annotations }: Choice): Generator<Delta> {
  for (const piece of reasoning) yield { delta: { reasoning_content: piece }, tokens: 1 };
  for (const piece of content) yield { delta: { content: piece }, tokens: 1 };
  if (annotations.length > 0) yield { delta: { annotations }, tokens: 0 };
  for (const [index, call] of toolCalls.entries()) {
    const first = { index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } };
    yield { delta: { tool_calls: [first] }, tokens: 0 };
    for (const piece of call.arguments) {
      yield { delta: { tool_calls: [{ index, function: { arguments: piece } }] }, tokens: 1 };
    }
  }
  if (!functionCall) return;
  yield { delta: { function_call: { name: functionCall.name, arguments: '' } }, tokens: 0 };
  for (const piece of functionCall.arguments)
    yield { delta: { function_call: { arguments: piece } }, tokens: 1 };
}

/** The deltas up to and including the next token; what costs no token does not wait for one. */
function takeStep(deltas: Iterator<Delta>): { deltas: unknown[]; tokens: number; isLast: boolean } {
  const taken: unknown[] = [];
  for (;;) {
    const next = deltas.next();
    if (next.done === true) return { deltas: taken, tokens: 0, isLast: true };
    taken.push(next.value.delta);
    if (next.value.tokens > 0) return { deltas: taken, tokens: 1, isLast: false };
  }
}

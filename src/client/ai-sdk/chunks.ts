import type { FinishReason, UIMessage, UIMessageChunk } from 'ai';
import type { ChatToolCall, ChatView } from '../chat-events.ts';
import { addUsage, GengraphChatError, type GengraphMetadata, metadataOf } from './message.ts';
import { callIdOf, notJson, toAssetFile, toInput } from './to-messages.ts';

type Part = UIMessage['parts'][number];
type Channel = 'text' | 'reasoning' | 'refusal';

export interface ReplyOptions {
  /** The message that the reply is a further step of. */
  readonly continued: Pick<UIMessage, 'id' | 'role' | 'metadata'> | undefined;
  /** Its earlier steps, if the stream has to begin with them. */
  readonly replayed?: readonly Part[];
  /** What follows a complete reply. */
  readonly toSources: (view: ChatView) => Promise<readonly UIMessageChunk[]>;
}

/** The chunks of one reply. Nothing is sent before the reply begins, so a chat that fails before leaves no message. */
export async function* toChunks(
  views: AsyncIterable<ChatView>,
  options: ReplyOptions,
): AsyncGenerator<UIMessageChunk, void> {
  const reply = new ReplyChunks(options);
  for await (const view of views) {
    const isEmpty = !view.text && !view.reasoning && !view.refusal && view.toolCalls.length === 0;
    if (!isEmpty || view.status === 'completed') yield* reply.advance(view);
    if (!view.isEnded) continue;
    if (reply.hasStarted) {
      yield* reply.close(view);
      if (view.status === 'completed') yield* await options.toSources(view);
      yield* reply.finish(view);
    }
    if (view.error) throw new GengraphChatError(view.error);
  }
}

/** Compares each view with what was sent before. */
class ReplyChunks {
  readonly #options: ReplyOptions;
  readonly #sent = { text: 0, reasoning: 0, refusal: 0 };
  /** Characters of the arguments, by the position of the call. */
  readonly #calls: number[] = [];
  #open: Channel | undefined;
  #parts = 0;
  hasStarted = false;

  constructor(options: ReplyOptions) {
    this.#options = options;
  }

  *advance(view: ChatView): Generator<UIMessageChunk, void> {
    if (!this.hasStarted) yield* this.#start(view);
    yield* this.#append('reasoning', view.reasoning);
    yield* this.#append('text', view.text);
    yield* this.#append('refusal', view.refusal ?? '');
    for (const [index, call] of view.toolCalls.entries()) yield* this.#appendCall(view, call, index);
  }

  /** Ends the parts of the step. */
  *close(view: ChatView): Generator<UIMessageChunk, void> {
    yield* this.#end();
    if (view.status !== 'completed') return;
    for (const [index, call] of view.toolCalls.entries()) {
      const toolName = call.name ?? '';
      const text = call.arguments ?? '';
      const toolCallId = callIdOf(view.id ?? '', call, index);
      const input = toInput(text);
      yield input === undefined
        ? { type: 'tool-input-error', toolCallId, toolName, input: text, errorText: notJson }
        : { type: 'tool-input-available', toolCallId, toolName, input };
    }
    yield* view.assets.map(toAssetFile);
  }

  *finish(view: ChatView): Generator<UIMessageChunk, void> {
    const messageMetadata = this.#describe(view);
    yield { type: 'finish-step' };
    if (view.status === 'failed') yield { type: 'message-metadata', messageMetadata };
    else yield { type: 'finish', finishReason: toFinishReason(view), messageMetadata };
  }

  *#start(view: ChatView): Generator<UIMessageChunk, void> {
    const { continued, replayed = [] } = this.#options;
    this.hasStarted = true;
    const messageId = continued?.id ?? view.id ?? undefined;
    yield {
      type: 'start',
      ...(messageId !== undefined && { messageId }),
      messageMetadata: this.#describe(view),
    };
    for (const [index, part] of replayed.entries()) yield* replay(part, `replayed-${index}`);
    yield { type: 'start-step' };
  }

  #describe(view: ChatView): GengraphMetadata {
    const { continued } = this.#options;
    const usage = addUsage(continued && metadataOf(continued)?.usage, view.usage);
    return {
      generationId: view.id ?? '',
      status: view.status,
      ...(view.isEnded && { finishReason: view.finishReason }),
      ...(usage && { usage }),
      ...(view.error && { error: view.error }),
    };
  }

  *#append(channel: Channel, text: string): Generator<UIMessageChunk, void> {
    const delta = text.slice(this.#sent[channel]);
    if (!delta) return;
    this.#sent[channel] = text.length;
    if (this.#open !== channel) {
      yield* this.#end();
      this.#open = channel;
      this.#parts += 1;
      yield { type: `${typeOf(channel)}-start`, id: this.#id };
    }
    yield { type: `${typeOf(channel)}-delta`, id: this.#id, delta };
  }

  *#end(): Generator<UIMessageChunk, void> {
    if (this.#open) yield { type: `${typeOf(this.#open)}-end`, id: this.#id };
    this.#open = undefined;
  }

  get #id(): string {
    return `part-${this.#parts}`;
  }

  *#appendCall(view: ChatView, call: ChatToolCall, index: number): Generator<UIMessageChunk, void> {
    // The id and the name come first.
    if (call.name === null) return;
    const toolCallId = callIdOf(view.id ?? '', call, index);
    if (this.#calls[index] === undefined) {
      yield* this.#end();
      this.#calls[index] = 0;
      yield { type: 'tool-input-start', toolCallId, toolName: call.name };
    }
    const inputTextDelta = (call.arguments ?? '').slice(this.#calls[index]);
    if (!inputTextDelta) return;
    this.#calls[index] += inputTextDelta.length;
    yield { type: 'tool-input-delta', toolCallId, inputTextDelta };
  }
}

/** A refusal is shown as text. */
function typeOf(channel: Channel): 'text' | 'reasoning' {
  return channel === 'reasoning' ? channel : 'text';
}

function toFinishReason({ status, finishReason, refusal }: ChatView): FinishReason {
  // Nothing continues it by itself.
  if (status === 'canceled') return 'interrupted';
  if (refusal !== null) return 'content-filter';
  switch (finishReason) {
    case 'stop':
    case 'length':
      return finishReason;
    case 'tool_calls':
    case 'function_call':
      return 'tool-calls';
    case 'content_filter':
      return 'content-filter';
    default:
      return 'other';
  }
}

/** The chunks that make this part. Those of a tool's call do not call the tool again. */
function* replay(part: Part, id: string): Generator<UIMessageChunk, void> {
  if (part.type === 'step-start') yield { type: 'start-step' };
  else if (part.type === 'text' || part.type === 'reasoning') {
    yield { type: `${part.type}-start`, id };
    yield { type: `${part.type}-delta`, id, delta: part.text };
    yield { type: `${part.type}-end`, id };
  } else if (part.type === 'file' || part.type === 'source-url') yield part;
  else if ('toolCallId' in part) {
    const { toolCallId, callProviderMetadata: providerMetadata } = part;
    const toolName = part.type.slice('tool-'.length);
    yield { type: 'tool-input-start', toolCallId, toolName, ...(providerMetadata && { providerMetadata }) };
    yield { type: 'tool-input-delta', toolCallId, inputTextDelta: JSON.stringify(part.input ?? {}) };
    if (part.state === 'output-available')
      yield { type: 'tool-output-available', toolCallId, output: part.output };
    else if (part.state === 'output-error')
      yield { type: 'tool-output-error', toolCallId, errorText: part.errorText };
  }
}

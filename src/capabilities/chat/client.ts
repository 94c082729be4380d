import type { Caller } from '../../gateway/caller.ts';
import type { Gateway, GatewayRequest, StreamReply } from '../../gateway/gateway.ts';
import { isRecord, type Json, type JsonObject } from '../../lib/json.ts';
import type { ChatInput } from './inputs.ts';
import { isChatError } from './wire.ts';

interface ChatCall {
  readonly gateway: Gateway;
  readonly caller: Caller;
  readonly requestId: string;
  readonly signal?: AbortSignal | undefined;
}

/** POST /v1/chat/completions with `stream: false`. */
export function completeChat(call: ChatCall, body: JsonObject): Promise<Json> {
  return call.gateway.create(toRequest(call, body));
}

/** POST /v1/chat/completions with `stream: true`. */
export function streamChat(call: ChatCall, body: JsonObject): Promise<StreamReply> {
  return call.gateway.stream(toRequest(call, body));
}

function toRequest({ caller, requestId, signal }: ChatCall, body: JsonObject): GatewayRequest {
  return {
    path: '/v1/chat/completions',
    caller,
    requestId,
    signal,
    body,
    headers: caller.forwarded,
    isRefusal: isChatError,
  };
}

/** The request body: declared members under their wire names, then `extra`. Absent and null members are left out. */
export function toChatBody(input: ChatInput, stream: boolean): JsonObject {
  const { responseFormat, toolChoice, webSearchOptions } = input;
  const body = {
    model: input.model,
    messages: input.messages.map(toMessage),
    stream,
    stream_options: stream ? { include_usage: input.streamOptions?.includeUsage ?? true } : undefined,
    max_tokens: input.maxTokens,
    max_completion_tokens: input.maxCompletionTokens,
    temperature: input.temperature,
    top_p: input.topP,
    n: input.n,
    stop: input.stop,
    presence_penalty: input.presencePenalty,
    frequency_penalty: input.frequencyPenalty,
    logit_bias: input.logitBias,
    seed: input.seed,
    user: input.user,
    response_format: responseFormat && { type: responseFormat.type, json_schema: responseFormat.jsonSchema },
    tools: input.tools?.map((tool) => ({ type: tool.type ?? 'function', function: tool.function })),
    tool_choice:
      toolChoice?.mode ??
      (toolChoice?.function && { type: 'function', function: { name: toolChoice.function.name } }),
    parallel_tool_calls: input.parallelToolCalls,
    reasoning_effort: input.reasoningEffort,
    enable_thinking: input.enableThinking,
    extra_body: input.extraBody,
    web_search_options: webSearchOptions && {
      search_context_size: webSearchOptions.searchContextSize,
      user_location: webSearchOptions.userLocation,
    },
  };
  return { ...withoutAbsent(body), ...(isRecord(input.extra) ? input.extra : {}) };
}

function toMessage({
  role,
  content,
  name,
  toolCalls,
  toolCallId,
  reasoningContent,
}: ChatInput['messages'][number]): object {
  return {
    role,
    content: content?.text ?? content?.parts?.map(toPart) ?? '',
    name,
    tool_calls: toolCalls?.map((call) => ({
      id: call.id,
      type: call.type ?? 'function',
      function: call.function,
    })),
    tool_call_id: toolCallId,
    reasoning_content: reasoningContent,
  };
}

type PartInput = NonNullable<NonNullable<ChatInput['messages'][number]['content']>['parts']>[number];

function toPart({ text, imageUrl }: PartInput): object {
  return imageUrl ? { type: 'image_url', image_url: imageUrl } : { type: 'text', text: text ?? '' };
}

/** Takes out what is absent, on every level that is ours; JSON given by the client is left as it is. */
function withoutAbsent(body: object): JsonObject {
  const clean = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(clean);
    return isRecord(value) ? withoutAbsent(value) : value;
  };
  const entries = Object.entries(body).filter(([, value]) => value !== undefined && value !== null);
  // Members come from coerced input: JSON values throughout.
  return Object.fromEntries(entries.map(([key, value]) => [key, isClientJson(key) ? value : clean(value)]));
}

const clientJson = new Set(['logit_bias', 'json_schema', 'parameters', 'extra_body', 'user_location']);

function isClientJson(key: string): boolean {
  return clientJson.has(key);
}

import type { JsonObject } from '../../lib/json.ts';
import { withoutAbsent } from '../../generations/request-body.ts';
import type { ChatInput } from './inputs.ts';

export const chatPath = '/v1/chat/completions';

export interface ChatBodyOptions {
  readonly isStreamed: boolean;
  /** Whether a stream must report its usage, also if the input declines the report. @default false */
  readonly needsUsage?: boolean;
}

/** The request body: declared members under their wire names, then `extra`. Absent and null members are omitted. */
export function toChatBody(
  input: ChatInput,
  { isStreamed, needsUsage = false }: ChatBodyOptions,
): JsonObject {
  const includesUsage = needsUsage || (input.streamOptions?.includeUsage ?? true);
  const { responseFormat, toolChoice, webSearchOptions } = input;
  const declared = {
    model: input.model,
    messages: input.messages.map(toMessage),
    stream: isStreamed,
    stream_options: isStreamed ? { include_usage: includesUsage } : undefined,
    max_tokens: input.maxTokens,
    max_completion_tokens: input.maxCompletionTokens,
    temperature: input.temperature,
    top_p: input.topP,
    n: input.count,
    stop: input.stop,
    presence_penalty: input.presencePenalty,
    frequency_penalty: input.frequencyPenalty,
    logit_bias: input.logitBias,
    seed: input.seed,
    user: input.user,
    response_format:
      responseFormat && withoutAbsent({ type: responseFormat.type, json_schema: responseFormat.jsonSchema }),
    tools: input.tools?.map((tool) => ({
      type: tool.type ?? 'function',
      function: withoutAbsent(tool.function),
    })),
    tool_choice:
      toolChoice?.mode ??
      (toolChoice?.function && { type: 'function', function: { name: toolChoice.function.name } }),
    parallel_tool_calls: input.parallelToolCalls,
    reasoning_effort: input.reasoningEffort,
    enable_thinking: input.enableThinking,
    extra_body: input.extraBody,
    web_search_options:
      webSearchOptions &&
      withoutAbsent({
        search_context_size: webSearchOptions.searchContextSize,
        user_location: webSearchOptions.userLocation,
      }),
  };
  return withoutAbsent(declared, input.extra);
}

function toMessage({
  role,
  content,
  name,
  toolCalls,
  toolCallId,
  reasoningContent,
}: ChatInput['messages'][number]): object {
  return withoutAbsent({
    role,
    content: content?.text ?? content?.parts?.map(toPart) ?? '',
    name,
    tool_calls: toolCalls?.map((call) =>
      withoutAbsent({
        id: call.id,
        type: call.type ?? 'function',
        function: call.function,
        extra_content: call.extraContent,
      }),
    ),
    tool_call_id: toolCallId,
    reasoning_content: reasoningContent,
  });
}

type PartInput = NonNullable<NonNullable<ChatInput['messages'][number]['content']>['parts']>[number];

function toPart({ text, imageUrl }: PartInput): object {
  return imageUrl
    ? { type: 'image_url', image_url: withoutAbsent(imageUrl) }
    : { type: 'text', text: text ?? '' };
}

import type { JsonObject } from '../../lib/json.ts';
import { withoutAbsent } from '../../generations/request-body.ts';
import { toBody, type WireNames } from '../../generations/wire-names.ts';
import type { ChatInput } from './inputs.ts';

export const chatPath = '/v1/chat/completions';

export interface ChatBodyOptions {
  readonly isStreamed: boolean;
  /** Whether a stream must report its usage, also if the input declines the report. @default false */
  readonly needsUsage?: boolean;
}

/** Of the fields that are members of the request. */
export const chatNames: WireNames<Omit<ChatInput, 'continueFrom' | 'continueChoice' | 'continuePartial'>> = {
  model: 'model',
  messages: 'messages',
  streamOptions: 'stream_options',
  maxTokens: 'max_tokens',
  maxCompletionTokens: 'max_completion_tokens',
  temperature: 'temperature',
  topP: 'top_p',
  count: 'n',
  stop: 'stop',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  logitBias: 'logit_bias',
  seed: 'seed',
  user: 'user',
  responseFormat: 'response_format',
  tools: 'tools',
  toolChoice: 'tool_choice',
  parallelToolCalls: 'parallel_tool_calls',
  reasoningEffort: 'reasoning_effort',
  enableThinking: 'enable_thinking',
  extraBody: 'extra_body',
  webSearchOptions: 'web_search_options',
};

/** The request body: declared members under their wire names, then `extra`. Absent and null members are omitted. */
export function toChatBody(
  input: ChatInput,
  { isStreamed, needsUsage = false }: ChatBodyOptions,
): JsonObject {
  const includesUsage = needsUsage || (input.streamOptions?.includeUsage ?? true);
  const { responseFormat, toolChoice, webSearchOptions } = input;
  const declared = toBody(chatNames, input, {
    messages: input.messages.map(toMessage),
    stream_options: isStreamed ? { include_usage: includesUsage } : undefined,
    response_format:
      responseFormat && withoutAbsent({ type: responseFormat.type, json_schema: responseFormat.jsonSchema }),
    tools: input.tools?.map((tool) => ({
      type: tool.type ?? 'function',
      function: withoutAbsent(tool.function),
    })),
    tool_choice:
      toolChoice?.mode ??
      (toolChoice?.function && { type: 'function', function: { name: toolChoice.function.name } }),
    web_search_options:
      webSearchOptions &&
      withoutAbsent({
        search_context_size: webSearchOptions.searchContextSize,
        user_location: webSearchOptions.userLocation,
      }),
  });
  return { stream: isStreamed, ...declared };
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
